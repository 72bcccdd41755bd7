"""What depyf says of a session is what torch itself has recorded of it, fact by fact (see facts)."""

from __future__ import annotations

import os
import pathlib
import subprocess
import tempfile
import unittest

import support
import warm
from support import TORCH

HERE = pathlib.Path(__file__).resolve().parent


@support.needs_program
@unittest.skipIf(TORCH < (2, 6), "this torch records too little")
class Facts(unittest.TestCase):
    def run_check(self, *args: str) -> str:
        """In a process of its own: torch reads TORCH_TRACE when it is imported."""
        env = {k: v for k, v in os.environ.items() if not k.startswith("TORCH_")}
        done = subprocess.run(
            [warm.python(), "-B", "-m", "facts.check", *args],
            cwd=HERE,
            env={**env, "PYTHONPATH": str(support.ROOT / "python"), "PYTHONHASHSEED": "0"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            timeout=600,
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr[-2000:])
        return done.stdout

    @support.on_the_older
    def test_snippets(self) -> None:
        """Every twelfth, or a share of these; `make facts` checks all."""
        every, some = ("24", r"[1-9]\d*") if support.SHARE else ("12", r"[1-9]\d+")
        with tempfile.TemporaryDirectory() as alone:
            self.run_check("-n", every, "--alone", alone)
            self.assertRegex(self.run_check("-n", every, "--besides", alone), some + " snippets, 0 differences")

    @support.on_the_later
    def test_programs(self) -> None:
        """Limits, failures, sizes, a training step, files of one name, markup: what snippets are too small for."""
        self.assertRegex(self.run_check("--of", "programs"), r"\d programs, 0 differences")


if __name__ == "__main__":
    unittest.main()
