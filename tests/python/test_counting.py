"""What says how many tests passed: tests/runner.py and scripts/gotest.py."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest
from typing import Optional

import support

TESTS = """
    import unittest

    class A(unittest.TestCase):
        def test_good(self): pass
        def test_bad(self): self.assertEqual(1, 2)
        def test_parts(self):
            for i in range(3):
                with self.subTest(i=i): self.assertNotEqual(i, 1)
        @unittest.expectedFailure
        def test_known(self): raise KeyError
        @unittest.skip("no luck")
        def test_left_out(self): pass

    class Unprepared(unittest.TestCase):
        @classmethod
        def setUpClass(cls): raise OSError("on purpose")
        def test_never(self): pass
"""


class Counting(unittest.TestCase):
    def report(self, *command: str, text: Optional[str] = None) -> "tuple[int, str]":
        """Run a command whose last argument is where it shall write; return its status and what it wrote."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "report"
            done = subprocess.run(
                [sys.executable, "-B", *command, str(path)],
                input=text,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                universal_newlines=True,
            )
            self.assertTrue(path.exists(), done.stderr)
            return done.returncode, path.read_text(encoding="utf-8")

    def run_tests(self, text: str) -> "tuple[int, str]":
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "test_it.py").write_text(textwrap.dedent(text), encoding="utf-8")
            return self.report(str(support.ROOT / "tests" / "runner.py"), folder)

    def test_python(self) -> None:
        status, text = self.run_tests(TESTS)
        self.assertEqual(status, 1)
        head = text.split("\n\n")[0].split("\n")
        self.assertEqual(head[:2], ["passed 2", "failed 3"])
        self.assertEqual(head[-1], "skipped no luck: test_left_out")
        red = "\n".join(head[2:-1])
        self.assertEqual([line.split()[0] for line in head[2:-1]], ["red"] * len(head[2:-1]))
        for said in (": AssertionError: 1 != 2", "(i=1): AssertionError: ", ": OSError: on purpose"):
            self.assertIn(said, red)
        for said in ("1 != 2", "(i=1)", "OSError: on purpose"):
            self.assertIn(said, text)

    def test_python_all_is_well(self) -> None:
        good = "import unittest\nclass A(unittest.TestCase):\n    def test_good(self): pass\n"
        self.assertEqual(self.run_tests(good), (0, "passed 1\nfailed 0\n"))

    def test_python_without_tests(self) -> None:
        self.assertEqual(self.run_tests("import nothing_of_this_name")[0], 1)
        self.assertEqual(self.run_tests(""), (1, "passed 0\nfailed 0\n"))

    def test_go(self) -> None:
        events = [
            {"Action": "output", "Package": "x/a", "Test": "TestBad/part", "Output": "    a_test.go:4: broken\n"},
            {"Action": "fail", "Package": "x/a", "Test": "TestBad/part"},
            {"Action": "fail", "Package": "x/a", "Test": "TestBad"},
            {"Action": "output", "Package": "x/a", "Test": "TestOut", "Output": "    a_test.go:9: no luck\n"},
            {"Action": "skip", "Package": "x/a", "Test": "TestOut"},
            {"Action": "pass", "Package": "x/a", "Test": "TestGood/part"},
            {"Action": "pass", "Package": "x/a", "Test": "TestGood"},
            {"Action": "fail", "Package": "x/a"},
            {"Action": "build-output", "ImportPath": "x/b [x/b.test]", "Output": "b.go:2: undefined: x\n"},
            {"Action": "fail", "Package": "x/b"},
        ]
        stream = "".join(json.dumps(e) + "\n" for e in events)
        status, text = self.report(str(support.ROOT / "scripts" / "gotest.py"), text=stream)
        self.assertEqual(status, 1)
        red = ["red x/a TestBad: broken", "red x/b: b.go:2: undefined: x"]
        self.assertEqual(text.split("\n")[:5], ["passed 1", "failed 2", *red, "skipped no luck: TestOut"])
        self.assertIn("a_test.go:4: broken", text)
        self.assertIn("undefined: x", text)


if __name__ == "__main__":
    unittest.main()
