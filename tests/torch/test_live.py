"""`depyf serve` beside a program that runs: what its page is told, while it happens."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import unittest
import urllib.error
import urllib.request
from typing import Any, Callable, Optional

import support
from depyf import _binary
from programs import ProgramCase

# The program goes on when a line comes in.
PROGRAM = """
    import sys
    import torch

    def backend(graph, inputs):
        print("compiling", flush=True)
        sys.stdin.readline()
        return graph.forward

    @torch.compile(backend=backend, dynamic=False)
    def f(x, n):
        y = x * n
        torch._dynamo.graph_break()
        return y + 1

    for n in (2, 3):
        f(torch.ones(3), n)
        print("called", flush=True)
        sys.stdin.readline()
"""

LIMIT = 120


@unittest.skipIf(support.TORCH < (2, 6), "before, torch does not tell what it begins")
@support.needs_program
class Live(ProgramCase):
    def setUp(self) -> None:
        super().setUp()
        self.program = self.write("program.py", PROGRAM)
        self.dump = self.home / "dump"
        self.server = self.run_beside([str(_binary.find()), "serve", str(self.dump)])
        self.url = self.server.stdout.readline().strip()
        self.processes: dict[str, dict[str, Any]] = {}

    def run_beside(self, command: list[str]) -> Any:
        process = subprocess.Popen(
            command,
            cwd=self.home,
            env=self.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
        )
        self.addCleanup(self.end, process)
        return process

    def end(self, process: Any) -> None:
        process.kill()
        process.communicate()

    def start_program(self) -> Any:
        process = self.run_beside([sys.executable, "-m", "depyf", "run", "--out", str(self.dump), str(self.program)])
        self.stream = urllib.request.urlopen(self.url + "events", timeout=LIMIT)
        return process

    def go_on(self, process: Any, until: str) -> None:
        process.stdin.write("\n")
        process.stdin.flush()
        self.wait_for_line(process, until)

    def wait_for_line(self, process: Any, want: str) -> None:
        line = process.stdout.readline()
        self.assertEqual(line, want + "\n", "" if line else process.stderr.read())

    def wait_for(self, what: str, is_there: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Take in events until what the page shows of the first process is as wanted."""
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            p: Optional[dict[str, Any]] = self.processes.get(".")
            if p is not None and is_there(p):
                self.assertEqual(p["trouble"], "")
                return p
            line = self.stream.readline().decode()
            if line.startswith("data: "):
                for told in json.loads(line[len("data: ") :]):
                    self.processes[told["name"]] = told
        raise AssertionError("it never comes to %s: %r" % (what, self.processes))

    @support.on_the_older
    def test_followed(self) -> None:
        program = self.start_program()
        self.wait_for_line(program, "compiling")
        p = self.wait_for("a compilation", lambda p: bool(p["now"]))
        self.assertEqual((p["state"], p["now"][0]["function"]), ("running", "f"))
        self.assertEqual(p["now"][0]["place"], "program.py:10")
        self.go_on(program, "compiling")  # The resume function.
        self.wait_for("the break", lambda p: "program.py:13" in p["html"] and "1 line breaks the graph" in p["html"])
        self.go_on(program, "called")
        self.wait_for("the first call", lambda p: not p["now"])
        self.go_on(program, "compiling")
        self.wait_for("a recompilation", lambda p: bool(p["now"]) and p["now"][0]["id"] == "0/1")
        self.go_on(program, "called")
        # Older versions of torch do not tell which line depends on the value.
        at = "at program.py:12" if support.TORCH >= (2, 9) else "in <code>f</code>"
        self.wait_for("its cause", lambda p: "a Python value varies: n" in p["html"] and at in p["html"])
        program.communicate("\n", timeout=LIMIT)
        self.wait_for("the end", lambda p: p["state"] == "ended")
        with urllib.request.urlopen(self.url + "page?of=.", timeout=LIMIT) as page:
            self.assertIn("Why code was compiled again", page.read().decode())
        bad = self.url.rstrip("/")[:-1] + ("0" if self.url.rstrip("/")[-1] != "0" else "1") + "/"
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(bad, timeout=LIMIT)
        self.assertEqual(refused.exception.code, 403)
        refused.exception.close()
        self.stream.close()
        self.server.send_signal(signal.SIGINT)
        self.assertEqual(self.server.wait(LIMIT), 0)

    @support.on_the_later
    def test_killed(self) -> None:
        program = self.start_program()
        self.wait_for_line(program, "compiling")
        self.wait_for("a compilation", lambda p: bool(p["now"]))
        program.kill()
        # The service of the killed program writes its last word.
        p = self.wait_for("the end", lambda p: p["state"] == "ended")
        self.assertEqual(p["now"], [])
        self.stream.close()
