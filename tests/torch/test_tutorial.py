"""docs/optimisation.md: its changes are made to the example, one by one, and its commands say what stands there.

A block of diff is one step. A block of console has commands, each behind "$ ", and what they print; a line "…"
stands for any lines that are left out. Seconds differ from machine to machine and count as equal.
DEPYF_UPDATE=1 writes the output of each question into the page.
"""

from __future__ import annotations

import os
import re
import unittest

import support
from programs import ProgramCase
from support import ROOT, TORCH

PAGE = ROOT / "docs" / "optimisation.md"


def changed(text: str, diff: str) -> str:
    """Apply a block of diff: the lines with "-" or " " stand in the text, once, in a row."""
    old = "".join(line[1:] + "\n" for line in diff.splitlines() if line[:1] in "- ")
    new = "".join(line[1:] + "\n" for line in diff.splitlines() if line[:1] in "+ ")
    if text.count(old) != 1:
        raise AssertionError("this stands %d times in the example:\n%s" % (text.count(old), old))
    return text.replace(old, new)


def without_seconds(text: str) -> str:
    return re.sub(r"\b\d+\.\d+ s\b", "N s", text)


def missing(wanted: str, got: str) -> str:
    """Return the first part of what is wanted, between lines "…", that what was printed does not have in its place."""
    got, at = without_seconds(got), 0
    for part in re.split(r"(?m)^…$", without_seconds(wanted)):
        found = got.find(part.strip(), at)
        if found < 0:
            return part.strip()
        at = found + len(part.strip())
    return ""


class Parts(unittest.TestCase):
    def test_changes(self) -> None:
        """The changes of the page fit the example, one after the other, and it shows the example as it is."""
        page = PAGE.read_text(encoding="utf-8")
        text = (ROOT / "examples" / "slow_example.py").read_text(encoding="utf-8")
        self.assertIn(re.findall(r"(?ms)^```python\n(.*?)^```", page)[0], text)
        diffs = re.findall(r"(?ms)^```diff\n(.*?)^```", page)
        self.assertEqual(len(diffs), 3)
        for diff in diffs:
            text = changed(text, diff)
            compile(text, "slow_example.py", "exec")

    def test_missing(self) -> None:
        self.assertEqual(missing("a 1.5 s\n…\nc\n", "a 2.0 s\nb\nc\n"), "")
        self.assertEqual(missing("…\n", "anything"), "")
        self.assertEqual(missing("b\n…\na\n", "a\nb\n"), "a")


@support.needs_program
@unittest.skipIf(TORCH < (2, 15), "the output is that of torch 2.15")
class Tutorial(ProgramCase):
    def test_commands(self) -> None:
        page = PAGE.read_text(encoding="utf-8")
        text = (ROOT / "examples" / "slow_example.py").read_text(encoding="utf-8")
        program = self.write("slow_example.py", "")
        program.write_text(text, encoding="utf-8")
        said = page
        for kind, block in re.findall(r"(?ms)^```(diff|console)\n(.*?)^```", page):
            if kind == "diff":
                text = changed(text, block)
                program.write_text(text, encoding="utf-8")
                continue
            new = ""
            for command, wanted in re.findall(r"(?ms)^\$ depyf (.*?)\n(.*?)(?=^\$ |\Z)", block):
                cache = str(self.home / "cache")
                status = 1 if command.startswith("diff ") else 0
                got = self.depyf(*command.split(), status=status, TORCHINDUCTOR_CACHE_DIR=cache).stdout
                with self.subTest(command):
                    self.assertEqual(missing(wanted, got), "", got)
                new += "$ depyf %s\n%s" % (command, wanted if command.startswith("run ") else got.strip() + "\n")
            said = said.replace(block, new)
        if os.environ.get("DEPYF_UPDATE") == "1":
            PAGE.write_text(said, encoding="utf-8")


if __name__ == "__main__":
    unittest.main()
