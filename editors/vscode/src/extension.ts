// The extension: it starts `depyf lsp`, which does the thinking, and offers a debug configuration.

import { commands, debug, DebugConfigurationProviderTriggerKind, type ExtensionContext, window, workspace } from "vscode";
import { onPythonSelected } from "./interpreter";
import { goToWhatItBecame } from "./line";
import { Server } from "./server";
import { configurations, step } from "./stepping";

let server: Server | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  const log = window.createOutputChannel("depyf", { log: true });
  const current = (server = new Server(log));
  context.subscriptions.push(
    log,
    // depyf.open and depyf.report are the server's: the client registers what that names.
    commands.registerCommand("depyf.restart", () => current.restart()),
    commands.registerCommand("depyf.line", () => current.running && goToWhatItBecame(current.running)),
    commands.registerCommand("depyf.step", step),
    debug.registerDebugConfigurationProvider("debugpy", configurations, DebugConfigurationProviderTriggerKind.Dynamic),
    workspace.onDidChangeWorkspaceFolders(() => current.restart()),
    workspace.onDidChangeConfiguration((change) => {
      if (["path", "dump", "definition"].some((name) => change.affectsConfiguration(`depyf.${name}`))) {
        void current.restart();
      }
    }),
  );
  try {
    const selected = await onPythonSelected(() => void current.restart());
    if (selected !== undefined) {
      context.subscriptions.push(selected);
    }
  } catch (error) {
    log.warn(`the Python extension did not start, so that the Python it selects is not known: ${String(error)}`);
  }
  await current.restart();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
