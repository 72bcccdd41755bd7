"""Random programs, a bounded share of them: the same seeds each time, and what earlier ones have found."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import support
import warm

KEPT = pathlib.Path(__file__).parent / "fuzz" / "kept"
# Seeds: others for each version of torch. `make fuzz-torch` tries many.
COUNT = 8
FIRST = COUNT * support.TORCH[1]


@support.needs_program
@unittest.skipIf(support.TORCH < (2, 3), "torch 2.2 keeps no metrics of compilations to compare")
class Fuzz(unittest.TestCase):
    """In a process of its own: it forks, which a process whose autograd has run cannot."""

    def start(self, *args: str, **env: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [warm.python(), "-B", "-m", "fuzz", "-v", *args],
            cwd=pathlib.Path(__file__).parent,
            env={**os.environ, "OMP_NUM_THREADS": "1", **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
            timeout=1800,
        )

    def judge(self, *args: str) -> None:
        done = self.start(*args)
        self.assertEqual(done.returncode, 0, done.stdout)
        counts = [line for line in done.stdout.splitlines() if re.match(r"\d+ (programs|frames|runs)\b", line)]
        self.assertGreaterEqual(len(counts), 2, done.stdout)
        print("; ".join(counts), file=sys.stderr)

    @support.on_the_older
    def test_seeds(self) -> None:
        self.judge("--seed", str(FIRST), "--count", str(COUNT))

    @support.on_the_later
    def test_kept(self) -> None:
        files = sorted(map(str, KEPT.glob("*.py")))
        self.assertGreater(len(files), 0)
        self.judge(*files)

    def test_stall(self) -> None:
        """A program that does not end is a failure, and says where it stands."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "endless.py"
            path.write_text("def main(compile_, call):\n    while True:\n        pass\n", encoding="utf-8")
            done = self.start("--as-is", str(path), FUZZ_LIMIT="4")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, r'no end after 4 s\n(?:.*\n)*  File ".*program\.py", line [23] in main')


if __name__ == "__main__":
    unittest.main()
