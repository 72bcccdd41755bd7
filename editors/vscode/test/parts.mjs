// Parts of the extension on their own, with the stand-in of vscode.mjs for the editor.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const source = join(import.meta.dirname, "..", "src");
const names = ["folders", "missing", "program", "stepping"];
const folder = mkdtempSync(join(tmpdir(), "depyf-vscode-"));
const outfile = join(folder, "parts.mjs");
await build({
  stdin: { contents: names.map((name) => `export * from "./${name}";`).join("\n"), resolveDir: source },
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  plugins: [
    {
      name: "vscode",
      setup: (it) => it.onResolve({ filter: /^vscode$/ }, () => ({ path: pathToFileURL(join(import.meta.dirname, "vscode.mjs")).href, external: true })),
    },
  ],
});
export const parts = await import(pathToFileURL(outfile).href);
rmSync(folder, { recursive: true });
