import { execFile } from "node:child_process";
import { workspace } from "vscode";
import { selectedPython } from "./interpreter";

/** How `depyf` is called. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** Thrown where no program was found: what was tried, and what came of each. */
export class NotFound extends Error {
  constructor(readonly tried: readonly string[]) {
    super(tried.join("\n"));
  }
}

/** Of one try. An interpreter on a network drive starts slowly. */
const PATIENCE = 30_000;

/** Finds the program. One that was chosen by the setting is not replaced by another. */
export async function findProgram(): Promise<Program> {
  const tried: string[] = [];
  for (const program of await candidates(tried)) {
    const wrong = await whatIsWrong(program);
    if (wrong === undefined) {
      return program;
    }
    tried.push(`${[program.command, ...program.args].join(" ")}: ${wrong}`);
  }
  throw new NotFound(tried);
}

async function candidates(tried: string[]): Promise<Program[]> {
  const chosen = workspace.getConfiguration("depyf").get("path", "");
  if (chosen !== "") {
    return [{ command: chosen, args: [] }];
  }
  const onPath = { command: "depyf", args: [] };
  try {
    const python = await selectedPython();
    if (python !== undefined) {
      return [{ command: python, args: ["-m", "depyf"] }, onPath];
    }
    tried.push("the selected Python: none is known");
  } catch (error) {
    tried.push(`the selected Python: ${String(error)}`);
  }
  return [onPath];
}

/** Why a program cannot serve; undefined if it can. There is an older package of the same name that has no server. */
function whatIsWrong(program: Program): Promise<string | undefined> {
  return new Promise((tell) => {
    execFile(program.command, [...program.args, "lsp", "--help"], { timeout: PATIENCE }, (error, stdout, stderr) => {
      if (`${stdout}${stderr}`.includes("usage: depyf lsp")) {
        tell(undefined);
      } else {
        tell(stderr.trim().split("\n").pop() || error?.message || "it is not the depyf that has a language server");
      }
    });
  });
}
