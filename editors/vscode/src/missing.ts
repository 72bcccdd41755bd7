import { commands, env, Uri, window } from "vscode";
import type { NotFound } from "./program";

const SETTINGS = "Open Settings";
const INSTALL = "How to Install";

/** Says that the program was not found, and leads to what helps. */
export async function sayMissing(missing: NotFound): Promise<void> {
  const text =
    "depyf was not found. Install it in the environment of the selected Python, or name the program in the setting depyf.path. " +
    `Tried: ${missing.tried.join("; ")}`;
  const answer = await window.showErrorMessage(text, SETTINGS, INSTALL);
  if (answer === SETTINGS) {
    await commands.executeCommand("workbench.action.openSettings", "depyf.path");
  } else if (answer === INSTALL) {
    await env.openExternal(Uri.parse("https://github.com/thuml/depyf#install"));
  }
}
