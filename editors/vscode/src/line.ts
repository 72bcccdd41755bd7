import { commands, window } from "vscode";
import { ImplementationRequest, type LanguageClient, type Location } from "vscode-languageclient/node";

/** Goes to what became of the line of the cursor: statements of transformed code, operations of graphs, kernels. */
export async function goToWhatItBecame(client: LanguageClient): Promise<void> {
  const editor = window.activeTextEditor;
  if (editor === undefined) {
    return;
  }
  const { document, selection } = editor;
  const found = await client.sendRequest(ImplementationRequest.type, client.code2ProtocolConverter.asTextDocumentPositionParams(document, selection.active));
  const places = (found as Location[]).map((l) => client.protocol2CodeConverter.asLocation(l)); // the server sends no other kind
  const nothing = "The dump has nothing that this line became.";
  await commands.executeCommand("editor.action.goToLocations", document.uri, selection.active, places, "peek", nothing);
}
