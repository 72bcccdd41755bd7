// Bundles the extension into one file, and puts beside it the licences of what is in it.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

process.chdir(import.meta.dirname);
const { metafile } = await build({
  entryPoints: ["src/extension.ts"],
  outfile: "out/extension.js",
  bundle: true,
  minify: true,
  metafile: true,
  platform: "node",
  format: "cjs",
  target: "node18",
  external: ["vscode"],
});

const packages = new Set(Object.keys(metafile.inputs).flatMap((f) => f.match(/.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []));
const notices = [...packages].sort().map((folder) => {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const licence = readdirSync(folder).find((f) => /^licen[cs]e/i.test(f));
  if (licence === undefined) {
    throw new Error(`${name} has no licence to be shown`);
  }
  return `${name} ${version}\n\n${readFileSync(join(folder, licence), "utf8").trim()}\n`;
});
writeFileSync("NOTICES.txt", `The extension contains these packages.\n\n${notices.join(`\n${"-".repeat(80)}\n\n`)}`);
writeFileSync("LICENSE.txt", readFileSync("../../LICENSE"));
