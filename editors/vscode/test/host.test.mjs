// The packed extension in a real editor, with the real server. The editor is the server of VS Code that code-server brings along
// (DEPYF_VSCODE), its window a headless Chromium; see scripts/vscode.sh.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, test } from "node:test";
import { dumpOf, program, root, sourceIn } from "./session.mjs";
import { openWindow } from "./window.mjs";

const host = process.env.DEPYF_VSCODE;
const chromium = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
  .flatMap((name) => process.env.PATH.split(delimiter).map((folder) => join(folder, name)))
  .find(existsSync);
const session = "torch215_joined_inductor";
const patience = 300_000; // of all; the editor takes some ten seconds

const started = [];
const top = realpathSync(mkdtempSync(join(tmpdir(), "depyf-vscode-")));
after(async () => {
  for (const child of started) {
    const ended = new Promise((tell) => child.once("exit", tell));
    if (child.exitCode === null && child.signalCode === null) {
      try {
        process.kill(-child.pid, "SIGKILL"); // with its helpers, where it leads a group
      } catch {
        child.kill("SIGKILL");
      }
      await ended;
    }
  }
  // The helpers of a browser that is ended write to its cache for a moment still.
  for (let left = 100; ; left--) {
    try {
      rmSync(top, { recursive: true, force: true });
      return;
    } catch (error) {
      if (left === 0) {
        throw error;
      }
      await new Promise((go) => setTimeout(go, 100));
    }
  }
});

/** Starts a process that is ended with the tests, and collects what it says. */
function start(command, args, environment) {
  const child = spawn(command, args, { env: environment });
  started.push(child);
  const said = { text: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data) => (said.text += data));
  }
  return said;
}

async function until(ready, what) {
  for (const end = Date.now() + patience; Date.now() < end; await new Promise((go) => setTimeout(go, 100))) {
    const found = await ready();
    if (found) {
      return found;
    }
  }
  throw new Error(what());
}

// The page is in a frame of the extension's, which is in one of the editor's, which is in the tab.
const inPage = (script) => `(() => {
  const page = document.querySelector("iframe.webview")?.contentDocument.querySelector("iframe#active-frame")?.contentDocument.querySelector("iframe")?.contentDocument;
  return page?.readyState === "complete" && page.querySelector("h1") ? (${script}) : undefined;
})()`;

/** A link within the page leads to its place, and opens what that is folded in. */
async function lookAtPage(window) {
  await until(() => window.evaluate(inPage(`(page.querySelector('a[href="#line-toy_example.py:7"]').click(), true)`)), () => "the page is not shown");
  return until(
    () =>
      window.evaluate(
        inPage(`(() => {
          const line = page.getElementById("line-toy_example.py:7");
          const { top, bottom } = line.getBoundingClientRect();
          const seen = bottom > 0 && top < page.defaultView.innerHeight;
          return seen && { title: page.querySelector("h1").innerText, hash: page.location.hash, open: !line.closest("details:not([open])"), seen };
        })()`),
      ),
    () => "the link leads nowhere",
  );
}

/** A link to another page of the dump opens that. */
async function lookAtProcesses(window) {
  const link = `page.querySelector('a[href="rank_1/report.html"]')`;
  await until(() => window.evaluate(inPage(`${link} && (${link}.click(), true)`)), () => "the page of the processes is not shown");
  return until(() => window.evaluate(inPage(`page.querySelector("h1").innerText === "What torch.compile did" && page.querySelector("#source") !== null`)), () => "the other page is not shown");
}

const lacking = host ? !chromium && "Chromium, for the editor's window" : "an editor, which scripts/vscode.sh installs";

test("the extension in a real editor", { skip: lacking && `NOT RUN: there is no ${lacking}` }, async () => {
  const folder = join(top, "workspace");
  mkdirSync(folder);
  dumpOf(session, join(folder, "dump"));
  for (const rank of ["rank_0", "rank_1"]) {
    dumpOf(session, join(folder, "ranks", rank));
  }
  execFileSync(program, ["report", join(folder, "ranks")]);
  utimesSync(join(folder, "dump", "events.jsonl"), new Date(), new Date(Date.now() + 60_000)); // the newest
  const toy = sourceIn(session, "toy_example.py", folder);
  // Two environments of Python: one has depyf, the other one does not.
  const python = join(top, "python");
  const missing = join(top, "without");
  writeFileSync(python, `#!/bin/sh\nPYTHONPATH='${join(root, "python")}' exec python3 -B "$@"\n`, { mode: 0o755 });
  writeFileSync(missing, `#!/bin/sh\nexec python3 -S -E "$@"\n`, { mode: 0o755 });
  const seenIn = join(top, "seen.json");
  const environment = {
    PATH: process.env.PATH,
    HOME: top,
    DEPYF: program,
    DEPYF_TEST: JSON.stringify({ toy, folder, python, missing, seenIn }),
  };
  cpSync(join(import.meta.dirname, "host"), join(top, "extensions", "ms-python.python-0.0.1"), { recursive: true });
  const server = [join(host, "out", "server-main.js"), "--server-data-dir", join(top, "data"), "--extensions-dir", join(top, "extensions")];
  execFileSync(process.execPath, [...server, "--install-extension", join(root, "dist", "depyf.vsix")], { env: environment, stdio: "pipe" });
  const said = start(
    process.execPath,
    [...server, "--host", "127.0.0.1", "--port", "0", "--without-connection-token", "--disable-workspace-trust", "--disable-telemetry", "--accept-server-license-terms"],
    environment,
  );
  const [, port] = await until(() => /listening on (\d+)/.exec(said.text), () => `the editor does not start: ${said.text}`);
  const page = `http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`;
  const window = openWindow(chromium, join(top, "browser"), page, environment);
  started.push(window.child);

  // What the editor cannot tell is looked at in its window, while that waits.
  const looks = { page: lookAtPage, processes: lookAtProcesses };
  const looked = {};
  await until(
    async () => {
      for (const [name, look] of Object.entries(looks)) {
        if (looked[name] === undefined && existsSync(`${seenIn}.${name}`)) {
          looked[name] = await look(window);
          writeFileSync(`${seenIn}.${name}.done`, "");
        }
      }
      return existsSync(seenIn);
    },
    () => `the editor says nothing: ${said.text}\n${window.said}`,
  );
  const seen = JSON.parse(readFileSync(seenIn, "utf8"));
  assert.equal(seen.failed, undefined, JSON.stringify(seen, undefined, 1));

  const own = ["depyf.line", "depyf.restart", "depyf.step"];
  assert.deepEqual(seen.before, own, "commands before a program is found");
  assert.deepEqual(seen.without, own, "commands where the selected Python has no depyf");
  const { contributes } = JSON.parse(readFileSync(join(root, "editors", "vscode", "package.json"), "utf8"));
  assert.deepEqual(seen.commands, [...contributes.commands.map((c) => c.command), "depyf.open"].sort(), "commands while the server runs");
  assert.deepEqual(seen.after, own, "commands when the program has gone");
  const { message, code, ...where } = seen.mark;
  assert.deepEqual(where, { line: 7, from: 4, severity: 1 });
  assert.match(message, /^graph break here: Data-dependent branching; once/);
  assert.equal(code.value, "breaks");
  assert.deepEqual(
    seen.lenses.map((l) => `${l.line} ${l.title}`),
    ["4 1 version", "4 transformed code", "4 graph", "4 kernel"],
  );
  for (const { command } of seen.lenses) {
    assert.ok(seen.commands.includes(command), `${command} is not registered`);
  }
  assert.deepEqual(seen.opened, [
    "full_code_for_toy_example_0.py",
    "__transformed_code_0_for_toy_example.py",
    "__compiled_fn_1.Captured_Graph.0.py",
    "__compiled_fn_1.kernel_0.py",
  ]);
  assert.match(seen.hover, /transformed code:[^]*\(file:[^)]*\/__transformed_code_0_for_toy_example\.py#L\d+\)[^]*kernel:/);
  for (const name of seen.opened.slice(1)) {
    assert.ok(seen.implementations.includes(name), `${name} is not among ${seen.implementations}`);
  }
  assert.equal(seen.definitions, 0, "definitions are left to the other server");
  assert.equal(seen.definitionsWanted, seen.implementations.length);
  assert.deepEqual(seen.page, { label: "dump/report.html", active: true });
  assert.deepEqual(looked.page, { title: "What torch.compile did", hash: "#line-toy_example.py:7", open: true, seen: true });
  assert.deepEqual(seen.processes, ["ranks/processes.html", "rank_1/report.html"]);
  assert.equal(seen.origin, 6, "the line that a line of the graph comes from");
  assert.deepEqual(seen.launched, {
    name: "step through torch.compile",
    type: "debugpy",
    request: "launch",
    module: "depyf",
    args: ["run", "--swap", "--out", join(folder, "elsewhere"), toy],
    justMyCode: false,
  });
});
