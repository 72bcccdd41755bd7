// Which program is started, where dumps are looked for, what the debugger is asked to do.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { parts } from "./parts.mjs";
import { program } from "./session.mjs";
import { editor, pythonAt, Uri } from "./vscode.mjs";

const top = mkdtempSync(join(tmpdir(), "depyf-vscode-"));
after(() => rmSync(top, { recursive: true }));

function script(name, text) {
  const path = join(top, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return path;
}
mkdirSync(join(top, "bin"));
const good = script("python", `[ "$1 $2" = "-m depyf" ] && shift 2 && exec '${program}' "$@"`);
const without = script("without", `echo "$0: No module named depyf" >&2; exit 1`);
const older = script("older", `echo "usage: depyf FILE"`);
const onPath = () => script("bin/depyf", `exec '${program}' "$@"`);

beforeEach(() => {
  Object.assign(editor, { settings: {}, folders: [], active: undefined, python: undefined, answer: undefined, asked: [] });
  rmSync(join(top, "bin", "depyf"), { force: true });
  process.env.PATH = `${join(top, "bin")}:/usr/bin:/bin`;
});

const tried = (...wanted) => (error) => {
  assert.equal(error.tried.length, wanted.length, error.message);
  wanted.forEach((words, i) => assert.match(error.tried[i], words));
  return true;
};

test("the selected Python comes first, then PATH", async () => {
  onPath();
  editor.python = pythonAt(good);
  assert.deepEqual(await parts.findProgram(), { command: good, args: ["-m", "depyf"] });
  editor.python = pythonAt(without);
  assert.deepEqual(await parts.findProgram(), { command: "depyf", args: [] });
  editor.python = undefined;
  assert.deepEqual(await parts.findProgram(), { command: "depyf", args: [] });
});

test("a program that the setting names is not replaced by another", async () => {
  onPath();
  editor.python = pythonAt(good);
  editor.settings["depyf.path"] = program;
  assert.deepEqual(await parts.findProgram(), { command: program, args: [] });
  editor.settings["depyf.path"] = join(top, "nowhere");
  await assert.rejects(parts.findProgram(), tried(/nowhere: .*ENOENT/));
  editor.settings["depyf.path"] = older;
  await assert.rejects(parts.findProgram(), tried(/older: it is not the depyf that has a language server/));
});

test("a Python extension that does not start costs its Python alone", async () => {
  editor.python = { isActive: false, activate: () => Promise.reject(new Error("no good")) };
  await assert.rejects(parts.findProgram(), tried(/the selected Python: Error: no good/, /depyf: .*ENOENT/));
  onPath();
  assert.deepEqual(await parts.findProgram(), { command: "depyf", args: [] });
});

test("where there is no program, it is said what was tried and what helps", async () => {
  editor.python = pythonAt(without);
  const missing = await parts.findProgram().catch((error) => error);
  tried(/without -m depyf: .*No module named depyf/, /depyf: .*ENOENT/)(missing);
  editor.answer = "Open Settings";
  await parts.sayMissing(missing);
  const [message, command] = editor.asked;
  assert.match(message[0], /^depyf was not found\. Install it in the environment of the selected Python, or .* depyf\.path\. .*No module named depyf/);
  assert.deepEqual(message.slice(1), ["Open Settings", "How to Install"]);
  assert.deepEqual(command, ["workbench.action.openSettings", "depyf.path"]);
  editor.answer = "How to Install";
  await parts.sayMissing(missing);
  assert.equal(editor.asked.at(-1), "https://github.com/thuml/depyf#install");
});

test("dumps are looked for in each workspace folder, where the setting says, or beside a single file", () => {
  assert.deepEqual(parts.folders(), []);
  editor.active = Uri.file("/alone/model.py");
  assert.deepEqual(parts.folders(), ["/alone"]);
  editor.folders = ["/one", "/two"];
  assert.deepEqual(parts.folders(), ["/one", "/two"]);
  editor.settings["depyf.dump"] = "out/dump";
  assert.deepEqual(parts.folders(), ["/one/out/dump", "/two/out/dump"]);
  editor.settings["depyf.dump"] = "/data/dump";
  assert.deepEqual(parts.folders(), ["/data/dump"]);
});

test("the program that is stepped through writes its dump where the server looks", () => {
  const folder = { uri: Uri.file("/one") };
  const out = (folder) => parts.configurationIn(folder).args.join(" ");
  assert.equal(out(folder), "run --swap --out ${workspaceFolder}/dump ${file}");
  editor.settings["depyf.dump"] = "traces";
  assert.equal(out(folder), "run --swap --out /one/traces ${file}");
  assert.equal(out(undefined), "run --swap ${file}");
  assert.deepEqual(parts.configurations.provideDebugConfigurations(folder), [parts.configurationIn(folder)]);
});
