"""Reads `go test -json` on standard input, and says in numbers what came of it.

    go test -json ./... | python scripts/gotest.py REPORT

Standard output gets what `go test` would have printed. REPORT has the form of that
of tests/runner.py; a test with subtests counts once.
"""

from __future__ import annotations

import collections
import json
import sys


def main(report: str) -> int:
    said: "dict[tuple[str, str], list[str]]" = collections.defaultdict(list)
    passed, failed, why = 0, [], collections.defaultdict(list)
    broken = {}  # Packages that failed, with what they said outside of tests.
    builds: "dict[str, list[str]]" = collections.defaultdict(list)
    for line in sys.stdin:
        try:
            event = json.loads(line)
        except ValueError:
            print(line, end="")
            continue
        package, test, action = event.get("Package", ""), event.get("Test", ""), event["Action"]
        text = event.get("Output", "")
        if action == "build-output":
            builds[event["ImportPath"].split(" ")[0]].append(text)
            print(text, end="")
        elif action == "output":
            said[package, test].append(text)
            if not test:
                print(text, end="")
        elif not test:
            if action == "fail":
                broken[package] = "".join(builds.get(package, []) + said[package, ""])
        elif "/" in test:
            # What a part says is said by its test.
            said[package, test.split("/")[0]] += said.pop((package, test), [])
            if action == "skip":
                why[reason(said[package, test.split("/")[0]])].append(test)
        elif action == "pass":
            passed += 1
        elif action == "fail":
            failed.append((package, test))
        elif action == "skip":
            why[reason(said[package, test])].append(test)
    crashed = {p: text for p, text in broken.items() if p not in [f[0] for f in failed]}
    with open(report, "w", encoding="utf-8") as f:
        f.write("passed %d\nfailed %d\n" % (passed, len(failed) + len(crashed)))
        for package, test in failed:
            f.write("red %s %s: %s\n" % (package, test, reason(said[package, test])))
        for package, text in crashed.items():
            f.write("red %s: %s\n" % (package, (text.strip() or "no reason given").split("\n")[-1]))
        for text, names in sorted(why.items()):
            f.write("skipped %s: %s\n" % (text, ", ".join(names)))
        for package, test in failed:
            f.write("\n%s %s\n%s" % (package, test, "".join(said[package, test])))
        for package, text in crashed.items():
            f.write("\n%s\n%s" % (package, text))
    return int(bool(failed or crashed) or passed == 0)


def reason(lines: "list[str]") -> str:
    """Return what a test said when it gave up or failed: the last line with its file and line number."""
    for line in reversed(lines):
        where, _, text = line.strip().partition(": ")
        if ".go:" in where and text:
            return text
    return "no reason given"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
