"""Programs that tests start as processes of their own."""

from __future__ import annotations

import ast
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest
from typing import Any, Mapping, Optional, TypeVar

import support
import warm
from support import TORCH

_Test = TypeVar("_Test", bound=Any)

TOY = """
    import torch

    @torch.compile(backend="eager")
    def toy_example(a, b):
        x = a / (torch.abs(a) + 1)
        if b.sum() < 0:
            b = b * -1
        return x * b

    def main(signs=(1, -1)):
        for sign in signs:
            a, b = torch.rand(10), sign * torch.rand(10)
            assert torch.equal(toy_example(a, b), a / (a.abs() + 1) * b.abs())
"""


def cold(test: _Test) -> _Test:
    """Mark a test, or all of a class, whose programs are to be started for real: see warm."""
    test.cold = True  # type: ignore[attr-defined]
    return test


def cold_whatever_torch(test: _Test) -> _Test:
    """Likewise, of a test of how programs begin and end, which is the same with each torch: by the newest alone."""
    return cold(support.by_the_newest(test))  # type: ignore[no-any-return]


class ProgramCase(unittest.TestCase):
    """A test with a folder of its own, in which programs are written and run."""

    def setUp(self) -> None:
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.home = pathlib.Path(os.path.realpath(home.name))
        self.addCleanup(support.settled, self.home)

    def write(self, name: str, *parts: str) -> pathlib.Path:
        path = self.home / name
        path.write_text("".join(textwrap.dedent(p) for p in parts), encoding="utf-8")
        return path

    def environment(self, **more: str) -> dict[str, str]:
        """This checkout's depyf, and none of the settings that the tests themselves run under."""
        env = {k: v for k, v in os.environ.items() if not k.startswith("DEPYF_") or k == "DEPYF_BINARY"}
        return {**env, "PYTHONPATH": str(support.ROOT / "python"), **more}

    def start(
        self, *command: str, status: int = 0, script: Optional[str] = None, env: Optional[Mapping[str, str]] = None
    ) -> "subprocess.CompletedProcess[str]":
        """Run a command to its end; script is its standard input, which is dead without one."""
        if command[0] == sys.executable and not is_cold(self):
            command = (warm.python(), *command[1:])
        source = {"stdin": subprocess.DEVNULL} if script is None else {"input": script}
        done = subprocess.run(
            command,
            cwd=self.home,
            env=self.environment() if env is None else env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            timeout=300,
            **source,  # type: ignore[call-overload]
        )
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def depyf(self, *arguments: str, status: int = 0, **environment: str) -> "subprocess.CompletedProcess[str]":
        env = self.environment(**environment)
        return self.start(sys.executable, "-m", "depyf", *arguments, status=status, env=env)

    def check(self, folder: pathlib.Path, frames: int) -> support.Dump:
        """What has to hold for the dump of the toy example, of which that many frames were compiled."""
        dump = support.Dump(folder)
        self.assertEqual((dump.problems(), dump.unparsable(), dump.unswapped()), ([], [], []))
        self.assertEqual(len(dump.of("bytecode")), frames)
        self.assertIn("index.md", dump.names)
        self.assertIn("__guard_0_for_toy_example", next(folder.glob("full_code*")).read_text(encoding="utf-8"))
        for path in folder.iterdir():
            if path.suffix in (".py", ".md", ".html"):
                self.assertNotIn("an unknown place", path.read_text(encoding="utf-8"), path.name)
        return dump


def is_cold(case: unittest.TestCase) -> bool:
    return hasattr(case, "cold") or hasattr(getattr(case, case.id().rpartition(".")[2]), "cold")


def last_line(path: pathlib.Path) -> int:
    """The line of the last statement of the last function in a dumped file."""
    found = [n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.FunctionDef)]
    return found[-1].body[-1].lineno


def stepped(folder: pathlib.Path, graph: str = "Captured_Graph") -> list[pathlib.Path]:
    """A file of each kind that the toy example runs from: its code, a resume function's and a graph's."""
    resume = "resume_in" if TORCH < (2, 3) else "torch_dynamo_resume_in"
    return [
        folder / "__transformed_code_0_for_toy_example.py",
        next(folder.glob("__transformed_code_0_for_%s_toy_example*.py" % resume)),
        next(folder.glob("__compiled_fn_%d.%s.0.py" % (TORCH >= (2, 3), graph))),
    ]
