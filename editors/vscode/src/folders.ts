import * as path from "node:path";
import { type Uri, window, workspace } from "vscode";

/** The folder in or below which the dumps of a workspace folder are. */
export function dumpFolder(folder: Uri): string {
  const chosen = workspace.getConfiguration("depyf", folder).get("dump", "");
  return path.resolve(folder.fsPath, chosen);
}

/**
 * The folders whose dumps are shown: one for each workspace folder. Where a single file is open, dumps are looked for beside it;
 * none where there is nothing to look beside.
 */
export function folders(): string[] {
  const open = workspace.workspaceFolders?.filter((f) => f.uri.scheme === "file").map((f) => dumpFolder(f.uri)) ?? [];
  const file = window.activeTextEditor?.document.uri;
  if (open.length === 0 && file?.scheme === "file") {
    open.push(path.dirname(file.fsPath));
  }
  return [...new Set(open)];
}
