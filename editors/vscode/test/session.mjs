// A session that was recorded, as a dump and as the program that it was made by.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
export const program = join(root, "python", "depyf", "bin", process.platform === "win32" ? "depyf.exe" : "depyf");

export function dumpOf(session, folder) {
  const recorded = join(root, "testdata", "sessions", session);
  mkdirSync(folder, { recursive: true });
  for (const name of ["events.jsonl", ".blobs"]) {
    cpSync(join(recorded, name), join(folder, name), { recursive: true });
  }
  execFileSync(program, ["report", folder]);
}

/** Writes the function of a session at its line of a file, where the recorded program had it. */
export function sourceIn(session, name, folder) {
  const log = readFileSync(join(root, "testdata", "sessions", session, "events.jsonl"), "utf8").trim().split("\n");
  const { fields } = log.map((line) => JSON.parse(line)).find((e) => e.type === "bytecode" && basename(e.fields.source_file) === name);
  const file = join(folder, name);
  writeFileSync(file, "\n".repeat(fields.source_line - 1) + fields.source);
  return file;
}
