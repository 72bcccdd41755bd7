"""What index.md and report.html of the recorded sessions say is what the JSON form says."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import support

sys.path.insert(0, str(support.ROOT / "tests" / "torch"))

from facts import pages  # noqa: E402

SESSIONS = sorted((support.ROOT / "testdata" / "sessions").iterdir())


@unittest.skipUnless(support.binary(), "NOT RUN: there is no depyf program; build it first")
class Pages(unittest.TestCase):
    def written(self, session: pathlib.Path) -> "tuple[pathlib.Path, dict]":
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        report = [support.binary(), "report"]
        subprocess.run([*report, "-o", folder.name, str(session)], check=True, stdout=subprocess.DEVNULL)
        told = subprocess.run([*report, "--format", "json", str(session)], check=True, stdout=subprocess.PIPE).stdout
        return pathlib.Path(folder.name), json.loads(told.decode("utf-8"))

    def test_recorded_sessions(self) -> None:
        self.assertGreater(len(SESSIONS), 10)
        for session in SESSIONS:
            with self.subTest(session.name):
                folder, told = self.written(session)
                self.assertEqual(pages.differences(folder, told), [])

    def test_numbers_that_are_wrong(self) -> None:
        """Each number of a summary counts: one more is a difference. So is a line that is another one."""
        session = next(s for s in SESSIONS if s.name == "torch215_reset_aot_eager")
        folder, told = self.written(session)
        for name, pattern in (
            ("index.md", r"\*\*(\d+) (?:functions?|graph breaks?|recompilations?)\*\*"),
            ("index.md", r"(?:into|with|goes on in) (\d+) "),
            ("index.md", r"\*\*Graph break\*\* at toy_example\.py:(\d+)"),
            ("index.md", r"\(\d/(\d) after reset 1\)"),
            ("report.html", r"<b>(\d+)</b> (?:functions?|graphs?|graph breaks?|recompilations?)\b"),
            ("report.html", r"<b>\d+ of (\d+)</b>"),
            ("report.html", r"compiled in \d+\.(\d+) s"),
            ("report.html", r"<b>Graph break</b> at <a [^>]*>toy_example\.py:(\d+)"),
        ):
            path = folder / name
            text = path.read_text(encoding="utf-8")
            found = list(re.finditer(pattern, text))
            self.assertTrue(found, pattern)
            for m in found:
                wrong = "%s%d%s" % (text[: m.start(1)], int(m.group(1)) + 1, text[m.end(1) :])
                path.write_text(wrong, encoding="utf-8")
                self.assertTrue(pages.differences(folder, told), "%s: %s" % (name, m.group()))
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    unittest.main()
