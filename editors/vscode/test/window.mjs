// A headless Chromium, spoken to by its DevTools protocol on pipes.
import { spawn } from "node:child_process";

/** Opens an address; evaluate runs a script in that page. */
export function openWindow(chromium, folder, address, environment) {
  const child = spawn(
    chromium,
    ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1400,900", `--user-data-dir=${folder}`, "--remote-debugging-pipe", address],
    // A group of its own, so that its helpers can be ended with it; without the pipe it ends by itself.
    { env: environment, stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"], detached: true },
  );
  const [, , errors, to, from] = child.stdio;
  const it = { child, said: "", evaluate };
  errors.on("data", (data) => (it.said += data));
  to.on("error", () => {}); // the window has gone; whoever waits for an answer is told below
  const waiting = new Map();
  let rest = "";
  from.setEncoding("utf8").on("data", (data) => {
    const messages = (rest + data).split("\0");
    rest = messages.pop();
    for (const { id, result, error } of messages.map((m) => JSON.parse(m))) {
      const answer = waiting.get(id);
      waiting.delete(id);
      answer?.(error === undefined ? { result } : { error: new Error(error.message) });
    }
  });
  child.once("exit", () => waiting.forEach((answer) => answer({ error: new Error(`the window has gone: ${it.said}`) })));

  let last = 0;
  async function ask(method, params, sessionId) {
    const id = ++last;
    to.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const { result, error } = await new Promise((tell) => waiting.set(id, tell));
    if (error) {
      throw error;
    }
    return result;
  }

  async function evaluate(script) {
    const { targetInfos } = await ask("Target.getTargets", {});
    const { targetId } = targetInfos.find((t) => t.type === "page");
    const { sessionId } = await ask("Target.attachToTarget", { targetId, flatten: true });
    const { result, exceptionDetails } = await ask("Runtime.evaluate", { expression: script, returnByValue: true }, sessionId);
    await ask("Target.detachFromTarget", { sessionId });
    if (exceptionDetails) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  }
  return it;
}
