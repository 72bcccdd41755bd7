import { debug, type DebugConfiguration, type DebugConfigurationProvider, window, workspace, type WorkspaceFolder } from "vscode";
import { dumpFolder } from "./folders";
import launch from "./launch.json";

/** What runs the open file so that breakpoints in the dumped files are hit. */
export function configurationIn(folder: WorkspaceFolder | undefined): DebugConfiguration {
  const args = [...launch.args];
  const at = args.indexOf("--out");
  if (folder === undefined) {
    args.splice(at, 2); // there is no ${workspaceFolder}: the dump goes where the program runs
  } else if (workspace.getConfiguration("depyf", folder.uri).get("dump", "") !== "") {
    args[at + 1] = dumpFolder(folder.uri);
  }
  return { ...launch, args };
}

/** Offers the configuration where those for Python are chosen; from there it goes into launch.json. */
export const configurations: DebugConfigurationProvider = {
  provideDebugConfigurations: (folder) => [configurationIn(folder)],
};

/** Runs the open file under the debugger. */
export async function step(): Promise<void> {
  const file = window.activeTextEditor?.document;
  if (file === undefined) {
    void window.showInformationMessage("depyf: open the program first.");
    return;
  }
  const folder = workspace.getWorkspaceFolder(file.uri);
  await debug.startDebugging(folder, configurationIn(folder));
}
