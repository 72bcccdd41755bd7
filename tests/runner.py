"""Runs the tests of a folder, and says in numbers what came of them.

    python tests/runner.py FOLDER [REPORT]

Everything the tests print stays where they print it; behind it come the tests that took longest.
REPORT gets, a line each,
`passed N`, `failed N`, `red TEST: LAST LINE OF ITS ERROR` and `skipped REASON: NAMES`,
then the failures with their tracebacks. A test of several parts (subTest) counts once.
"""

from __future__ import annotations

import collections
import os
import re
import sys
import time
import unittest
from typing import Any, Optional

SLOWEST = 12  # How many tests are named that took longest, behind all else.


class Counting(unittest.TextTestResult):
    """A result that knows how many tests passed, and what was skipped why."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.passed = 0
        self.bad: "dict[str, None]" = {}
        self.why: "collections.defaultdict[str, list[str]]" = collections.defaultdict(list)
        self.took: "dict[str, float]" = {}

    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        self.took[test.id()] = -time.monotonic()

    def stopTest(self, test: unittest.TestCase) -> None:
        if test.id() in self.took:  # CPython 3.12.1 ends what it skips without beginning it.
            self.took[test.id()] += time.monotonic()
        super().stopTest(test)

    def addSuccess(self, test: unittest.TestCase) -> None:
        super().addSuccess(test)
        self.passed += test.id() not in self.bad

    def addExpectedFailure(self, test: unittest.TestCase, err: Any) -> None:
        super().addExpectedFailure(test, err)
        self.passed += 1

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        super().addUnexpectedSuccess(test)
        self.bad[test.id()] = None

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:
        super().addFailure(test, err)
        self.bad[test.id()] = None

    def addError(self, test: unittest.TestCase, err: Any) -> None:
        super().addError(test, err)
        self.bad[test.id()] = None

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.bad[test.id()] = None

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        super().addSkip(test, reason)
        self.why[reason].append(test.id().rpartition(".")[2])

    def printErrors(self) -> None:
        """Leave the failures to the report, if there is one."""
        if len(sys.argv) < 3:
            super().printErrors()


def last_line(text: str) -> str:
    """Return what an error says in one line: the exception, where a traceback ends with one."""
    flush = [line for line in text.split("\n") if line.strip() and not line.startswith(" ")]
    named = [line for line in flush if re.match(r"[\w.]+(Error|Exception|Exit|Interrupt|Warning)\b", line)]
    return ((named or flush or [""])[-1])[:300]


def main(folder: str, report: Optional[str] = None) -> int:
    sys.path.insert(0, os.path.abspath(folder))
    tests = unittest.defaultTestLoader.discover(folder)
    result: Any = unittest.TextTestRunner(resultclass=Counting, verbosity=0).run(tests)
    for name in sorted(result.took, key=result.took.__getitem__, reverse=True)[:SLOWEST]:
        print("%6.1f s %s" % (result.took[name], name), file=sys.stderr)
    lines = ["passed %d" % result.passed, "failed %d" % len(result.bad)]
    broken = [(test.id(), text) for test, text in result.errors + result.failures]
    broken += [(test.id(), "was expected to fail, and passed") for test in result.unexpectedSuccesses]
    lines += ["red %s: %s" % (name, last_line(text)) for name, text in broken]
    lines += ["skipped %s: %s" % (reason, ", ".join(names)) for reason, names in sorted(result.why.items())]
    for test, text in result.errors + result.failures:
        lines.append("\n%s\n%s" % (result.getDescription(test), text.rstrip()))
    for test in result.unexpectedSuccesses:
        lines.append("\n%s\nwas expected to fail, and passed" % result.getDescription(test))
    if report:
        with open(report, "w", encoding="utf-8", errors="backslashreplace") as f:
            f.write("\n".join(lines) + "\n")
    if result.passed == 0 and not result.bad:
        print("no test ran", file=sys.stderr)
    return int(bool(result.bad) or result.passed == 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
