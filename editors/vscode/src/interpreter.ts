import { type Disposable, type Event, extensions, type Uri, workspace } from "vscode";

/** What is used of the API that the Python extension exports. */
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: Uri): { readonly path: string };
    resolveEnvironment(path: { readonly path: string }): Promise<{ readonly executable: { readonly uri?: Uri } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: Event<unknown>;
  };
}

async function api(): Promise<PythonApi | undefined> {
  const found = extensions.getExtension<PythonApi>("ms-python.python");
  return found && (found.isActive ? found.exports : await found.activate());
}

/** The Python that is selected for the workspace; undefined without the Python extension, or if none is. */
export async function selectedPython(): Promise<string | undefined> {
  const environments = (await api())?.environments;
  const chosen = environments?.getActiveEnvironmentPath(workspace.workspaceFolders?.[0]?.uri);
  const found = chosen && (await environments?.resolveEnvironment(chosen));
  return found?.executable.uri?.fsPath;
}

/** Calls back when another Python is selected. */
export async function onPythonSelected(listener: () => void): Promise<Disposable | undefined> {
  return (await api())?.environments.onDidChangeActiveEnvironmentPath(listener);
}
