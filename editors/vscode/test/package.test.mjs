// What is packed, and whether what the manifest says is so.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, test } from "node:test";
import { root } from "./session.mjs";

const here = join(root, "editors", "vscode");
const top = mkdtempSync(join(tmpdir(), "depyf-vscode-"));
after(() => rmSync(top, { recursive: true }));
execFileSync("python3", ["-m", "zipfile", "-e", join(root, "dist", "depyf.vsix"), top]);

const files = (folder) => readdirSync(folder, { withFileTypes: true, recursive: true }).filter((e) => e.isFile());
const text = (...path) => readFileSync(join(...path), "utf8");
const manifest = JSON.parse(text(top, "extension", "package.json"));
const { contributes } = manifest;

test("the file for the editor holds the extension and nothing else", () => {
  assert.deepEqual(
    files(top).map((e) => relative(top, join(e.parentPath ?? e.path, e.name))).sort(),
    [
      "[Content_Types].xml",
      "extension.vsixmanifest",
      "extension/LICENSE.txt",
      "extension/NOTICES.txt",
      "extension/out/extension.js",
      "extension/package.json",
      "extension/readme.md",
    ],
  );
  assert.equal(text(top, "extension", "LICENSE.txt"), text(root, "LICENSE"));
});

test("the bundle needs nothing but the editor and Node", () => {
  const needed = [...text(top, "extension", "out", "extension.js").matchAll(/\brequire\("([^"]+)"\)/g)].map((m) => m[1].replace(/^node:/, ""));
  assert.ok(needed.includes("vscode"));
  assert.deepEqual(needed.filter((name) => name !== "vscode" && !builtinModules.includes(name)), []);
  const notices = text(top, "extension", "NOTICES.txt");
  for (const name of ["vscode-languageclient", "vscode-jsonrpc", "semver"]) {
    assert.match(notices, new RegExp(`^${name} [0-9.]+$`, "m"));
  }
});

test("each setting that is read is described, with the default that the code has, and none besides", () => {
  const read = {};
  for (const { name } of files(join(here, "src"))) {
    for (const [, setting, otherwise] of text(here, "src", name).matchAll(/\.get\("(\w+)", ([^)]+)\)/g)) {
      read[`depyf.${setting}`] = JSON.parse(otherwise);
    }
  }
  const described = Object.entries(contributes.configuration.properties).map(([name, { default: otherwise }]) => [name, otherwise]);
  // The last one is read by the language client.
  assert.deepEqual(Object.fromEntries(described), { ...read, "depyf.trace.server": "off" });
  const documented = [...text(root, "docs", "editors.md").matchAll(/^\| `(depyf\.[\w.]+)` \|/gm)].map((m) => m[1]);
  assert.deepEqual(documented.sort(), Object.keys(contributes.configuration.properties).sort());
});

test("menus show commands that there are, under conditions that there are", () => {
  const known = contributes.commands.map((c) => c.command);
  for (const { command, when } of Object.values(contributes.menus).flat()) {
    assert.ok(known.includes(command), command);
    for (const condition of when.split(" && ")) {
      assert.ok(["depyf.running", "editorLangId == python", "resourceLangId == python"].includes(condition), condition);
    }
  }
});

test("the debug configuration is the documented one", () => {
  const [, block] = /^```json\n(\{\n[^]*?\n\})\n```$/m.exec(text(root, "README.md"));
  assert.deepEqual(JSON.parse(block).configurations, [JSON.parse(text(here, "src", "launch.json"))]);
});

test("versions are those of the package", () => {
  const [, version] = /__version__ = "(.+)"/.exec(text(root, "python", "depyf", "_version.py"));
  const lock = JSON.parse(text(here, "package-lock.json"));
  assert.deepEqual([manifest.version, lock.version], [version, version]);
  assert.equal(manifest.engines.vscode, `^${JSON.parse(text(here, "package.json")).devDependencies["@types/vscode"]}`);
});

test("the lock file names no registry", () => {
  assert.deepEqual(Object.values(JSON.parse(text(here, "package-lock.json")).packages).filter((p) => p.resolved !== undefined), []);
});
