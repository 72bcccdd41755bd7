// Writes what came of the tests in the form of tests/runner.py.
export default async function* report(events) {
  const bad = [];
  const skipped = [];
  let passed = 0;
  for await (const { type, data } of events) {
    if (type === "test:pass" && data.skip !== undefined) {
      skipped.push(`skipped ${data.skip}: ${data.name}\n`);
    } else if (type === "test:pass") {
      passed++;
    } else if (type === "test:fail") {
      const error = data.details.error.cause ?? data.details.error;
      bad.push({ name: data.name, text: String(error.stack ?? error) });
    }
  }
  yield `passed ${passed}\nfailed ${bad.length}\n`;
  yield* bad.map(({ name, text }) => `red ${name}: ${text.split("\n")[0]}\n`);
  yield* skipped;
  yield* bad.map(({ name, text }) => `\n${name}\n${text}\n`);
}
