"""A program that is forked from an interpreter with torch prints and ends as one that is started for real."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import unittest

import warm
from programs import ProgramCase, cold_whatever_torch

SEEN = """
    import os, sys, __main__
    print(sys.argv, __name__, [p for p in sys.path], os.getcwd(), sorted(os.environ.items()))
    print(sorted(vars(__main__)), __spec__, type(__loader__), sys.dont_write_bytecode, sys.orig_argv[1:])
    print(sys.stdin.read(), os.umask(0o22))
"""
# What a program does, and how it ends.
ENDS = (
    "pass",
    "raise SystemExit('no')",
    "sys.exit(7)",
    "def f():\n    1 / 0\nf()",
    "import atexit; atexit.register(print, 'bye'); print('there'); sys.exit(3)",
    "import threading, time; threading.Thread(target=lambda: time.sleep(0.3) or print('late')).start()",
    "os.kill(os.getpid(), 15)",
    "os.kill(os.getpid(), 9)",
    "print(os.fork() and os.wait()[1])",
    "os.execv(sys.executable, [sys.executable, '-c', 'import sys; print(sys.argv)', 'anew'])",
    "import subprocess; print(subprocess.check_output([sys.executable, '-X', 'utf8', '-c', 'print(1)']))",
)


@unittest.skipUnless(os.path.isdir("/proc/self/fd"), "NOT RUN: only Linux has /proc/self/fd")
@cold_whatever_torch
class Warm(ProgramCase):
    def both(self, *arguments: str, script: str = "", **environment: str) -> None:
        said = []
        for python in (sys.executable, warm.python()):
            done = subprocess.run(
                [python, *arguments],
                cwd=self.home,
                env={**self.environment(), **environment},
                input=script,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                universal_newlines=True,
            )
            said.append((done.returncode, done.stdout, re.sub(r"\S+/python: ", "", done.stderr)))
        self.assertEqual(*said)

    def test_what_is_seen(self) -> None:
        self.write("seen.py", SEEN)
        self.both("seen.py", "x", "-m", script="given")
        self.both("-B", "seen.py", PYTHONPATH="one:two", OTHER="value")
        self.both("-c", (self.home / "seen.py").read_text(encoding="utf-8"), "x")

    def test_module(self) -> None:
        self.write("module.py", "import sys; print(__name__, __file__, sys.argv, __spec__.name)\nraise KeyError(3)\n")
        self.both("-m", "module", "x")
        self.both("-m", "module_that_is_not_there")

    def test_sitecustomize(self) -> None:
        self.write("sitecustomize.py", "print('first')\n")
        self.both("-c", "print('second')", PYTHONPATH=str(self.home))

    def test_ends(self) -> None:
        for body in ENDS:
            with self.subTest(body):
                self.write("ends.py", "import os, sys\n%s\n" % body)
                self.both("ends.py")

    def test_forked(self) -> None:
        """It is a fork indeed: torch is there. With a variable that torch reads when it is imported it is not."""
        code = "import sys; print('torch' in sys.modules)"
        said = [
            subprocess.check_output([warm.python(), "-c", code], env=env, universal_newlines=True)
            for env in (self.environment(), self.environment(TORCH_COMPILE_DEBUG="1"))
        ]
        self.assertEqual(said, ["True\n", "False\n"])

    def test_killed(self) -> None:
        """Who kills the command kills the program."""
        path = self.home / "pid"
        code = "import os, time; open(%r, 'w').write('%%d\\n' %% os.getpid()); time.sleep(100)" % str(path)
        for number in (signal.SIGKILL, signal.SIGTERM):
            process = subprocess.Popen([warm.python(), "-c", code], env=self.environment())
            while not path.exists() or not path.read_text(encoding="utf-8").endswith("\n"):
                time.sleep(0.01)
            pid = int(path.read_text(encoding="utf-8"))
            process.send_signal(number)
            self.assertEqual(process.wait(), -number)
            until = time.monotonic() + 30
            while os.path.exists("/proc/%d" % pid) and time.monotonic() < until:
                time.sleep(0.01)
            self.assertFalse(os.path.exists("/proc/%d" % pid))
            path.unlink()


if __name__ == "__main__":
    unittest.main()
