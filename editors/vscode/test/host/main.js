// Runs inside of the real editor, in the place of the Python extension: it selects a Python, as a person would, and writes down
// what the editor then shows. What is right is known by host.test.mjs.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");

const { toy, folder, python, missing, seenIn } = JSON.parse(process.env.DEPYF_TEST);
const seen = {};

let selected;
const changed = new vscode.EventEmitter();
const select = (file) => {
  selected = file;
  changed.fire(undefined);
};

exports.activate = () => {
  if (!exports.begun) {
    exports.begun = look()
      .catch((error) => (seen.failed = String(error?.stack ?? error)))
      .finally(() => {
        fs.writeFileSync(`${seenIn}.part`, JSON.stringify(seen));
        fs.renameSync(`${seenIn}.part`, seenIn);
      });
  }
  return {
    environments: {
      getActiveEnvironmentPath: () => ({ path: selected ?? "python" }),
      resolveEnvironment: async () => selected && { executable: { uri: vscode.Uri.file(selected) } },
      onDidChangeActiveEnvironmentPath: changed.event,
    },
  };
};

async function until(what, ready) {
  for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((go) => setTimeout(go, 50))) {
    const found = await ready();
    if (found) {
      return found;
    }
  }
  throw new Error(`there is never ${what}; there are ${JSON.stringify(seen)}`);
}

/** Waits while the test looks at the window. */
async function lookedAt(name) {
  fs.writeFileSync(`${seenIn}.${name}`, "");
  await until(`a look at ${name}`, () => fs.existsSync(`${seenIn}.${name}.done`));
}

const ours = async () => (await vscode.commands.getCommands(true)).filter((name) => /^depyf\./.test(name)).sort();
const active = () => vscode.window.activeTextEditor?.document.uri.fsPath;
const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
const marks = (uri) => vscode.languages.getDiagnostics(uri).filter((d) => d.source === "depyf");
const setting = (name, value) => vscode.workspace.getConfiguration("depyf").update(name, value, vscode.ConfigurationTarget.Workspace);

async function look() {
  seen.version = vscode.version;
  const uri = vscode.Uri.file(toy);
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  const extension = vscode.extensions.getExtension("thuml.depyf");
  await until("an active extension", () => extension.isActive);
  seen.before = await ours();

  select(missing); // a Python without depyf
  await vscode.commands.executeCommand("depyf.restart"); // returns when all restarts have been worked off
  seen.without = await ours();

  select(python);
  const [mark] = await until("a mark", () => marks(uri).length === 1 && marks(uri));
  seen.mark = { line: mark.range.start.line + 1, from: mark.range.start.character, severity: mark.severity, message: mark.message, code: mark.code };
  seen.commands = await ours();
  const lenses = (await vscode.commands.executeCommand("vscode.executeCodeLensProvider", uri)).filter((l) => l.command);
  seen.lenses = lenses.map((l) => ({ line: l.range.start.line + 1, title: l.command.title, command: l.command.command }));
  const at = new vscode.Position(5, 8);
  const hovers = await vscode.commands.executeCommand("vscode.executeHoverProvider", uri, at);
  seen.hover = hovers.flatMap((h) => h.contents).map((c) => c.value ?? c).join("\n");
  const places = (name) => vscode.commands.executeCommand(`vscode.execute${name}Provider`, uri, at);
  seen.implementations = (await places("Implementation")).map((p) => path.basename((p.uri ?? p.targetUri).fsPath));
  seen.definitions = (await places("Definition")).length;

  // A click on each lens.
  seen.opened = [];
  for (const { command } of lenses) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand(command.command, ...command.arguments);
    seen.opened.push(path.basename(await until("an opened file", () => active() !== toy && active())));
  }

  // A line of the graph comes from one of the program.
  const graph = await vscode.workspace.openTextDocument(path.join(folder, "dump", "__compiled_fn_1.Captured_Graph.0.py"));
  const row = graph.getText().split("\n").findLastIndex((line) => line.includes("torch.abs("));
  const editor = await vscode.window.showTextDocument(graph);
  editor.selection = new vscode.Selection(row, 8, row, 8);
  await vscode.commands.executeCommand("depyf.line");
  await until("the program", () => active() === toy);
  seen.origin = vscode.window.activeTextEditor.selection.active.line + 1;

  const page = () => tabs().find((t) => t.input instanceof vscode.TabInputWebview);
  await vscode.commands.executeCommand("depyf.report");
  await until("a page", page);
  seen.page = { label: page().label, active: page().isActive };
  await lookedAt("page");
  await vscode.window.tabGroups.close(page());

  // The dump of several processes.
  await setting("dump", "ranks");
  await until("lenses of two processes", async () => (await vscode.commands.executeCommand("vscode.executeCodeLensProvider", uri)).some((l) => /^rank_1: /.test(l.command?.title)));
  await vscode.commands.executeCommand("depyf.report");
  seen.processes = [(await until("a page", page)).label];
  await lookedAt("processes");
  seen.processes.push(page().label);
  await vscode.window.tabGroups.close(page());

  // Another folder, in which there is nothing yet; then the dump comes.
  await setting("dump", "elsewhere");
  await until("a server without a dump", () => marks(uri).length === 0);
  fs.renameSync(path.join(folder, "dump"), path.join(folder, "elsewhere"));
  await until("a mark of the dump that has come", () => marks(uri).length === 1);

  // The definition of a line, where it is wanted.
  await setting("definition", true);
  seen.definitionsWanted = await until("a definition", async () => (await places("Definition")).length);

  seen.launched = await launched(document);

  // Without the program nothing is left of the server.
  await setting("path", path.join(folder, "nowhere"));
  await until("no marks", () => marks(uri).length === 0);
  await vscode.commands.executeCommand("depyf.restart");
  seen.after = await ours();
  await setting("path", process.env.DEPYF);
  await until("marks by the chosen program", () => marks(uri).length === 1);
}

/** What the debugger is asked to do by the command. */
async function launched(document) {
  const asked = new Promise((tell) => {
    vscode.debug.registerDebugAdapterDescriptorFactory("debugpy", {
      createDebugAdapterDescriptor: () => {
        const out = new vscode.EventEmitter();
        return new vscode.DebugAdapterInlineImplementation({
          onDidSendMessage: out.event,
          dispose() {},
          handleMessage(message) {
            out.fire({ type: "response", seq: 0, request_seq: message.seq, command: message.command, success: true });
            if (message.command === "launch") {
              tell(message.arguments);
              out.fire({ type: "event", seq: 0, event: "terminated" });
            }
          },
        });
      },
    });
  });
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand("depyf.step");
  const { name, type, request, module, args, justMyCode } = await asked;
  return { name, type, request, module, args, justMyCode };
}
