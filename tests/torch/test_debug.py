"""debug(): a scripted pdb hits breakpoints in all kinds of dumped files."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest

import support
from support import TORCH

PROGRAM = """
    import os
    import sys
    import torch
    import depyf

    @torch.compile(backend=sys.argv[2])
    def toy_example(a, b):
        x = a / (torch.abs(a) + 1)
        if b.sum() < 0:
            b = b * -1
        return x * b

    def main():
        for sign in (1, -1):
            toy_example(torch.rand(10), sign * torch.rand(10))

    with depyf.prepare_debug(sys.argv[1]):
        main()
    if "PAUSE" in os.environ:
        compiled = []
        torch._dynamo.convert_frame.register_bytecode_hook(lambda old, new: compiled.append(old.co_name))
        with depyf.debug():
            main()
            toy_example(torch.rand(7), torch.rand(7))
        print("compiled while debugging:", compiled)
"""


def first_line(path: pathlib.Path) -> int:
    """The line of the first statement of the function in a dumped file."""
    import ast

    found = [n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.FunctionDef)]
    return found[-1].body[-1].lineno


@support.needs_program
class Debug(unittest.TestCase):
    def start(self, folder: str, backend: str, script: str = "", **environment: str) -> str:
        with tempfile.TemporaryDirectory() as home:
            # The same path and arguments each time: one program, whose dump is replaced.
            program = pathlib.Path(home, "program.py")
            program.write_text(textwrap.dedent(PROGRAM), encoding="utf-8")
            done = subprocess.run(
                [sys.executable, "program.py", folder, backend],
                cwd=home,
                env={**os.environ, "PYTHONPATH": str(support.ROOT / "python"), **environment},
                input=script,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                universal_newlines=True,
                timeout=300,
            )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def check_hits(self, backend: str, graph: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            self.start(folder, backend)
            resume = "resume_in" if TORCH < (2, 3) else "torch_dynamo_resume_in"
            paths = [
                pathlib.Path(folder, "__transformed_code_0_for_toy_example.py"),
                next(pathlib.Path(folder).glob("__transformed_code_0_for_%s_toy_example*.py" % resume)),
                next(pathlib.Path(folder).glob("__compiled_fn_%d.%s.0.py" % (TORCH >= (2, 3), graph))),
            ]
            lines = ["b %s:%d" % (p, first_line(p)) for p in paths]
            show = 'p ("live", sorted(k for k, v in locals().items() if type(v).__name__ == "Tensor"))'
            lines += ["c"] + ["where", show, "c"] * 12
            for p in paths:
                p.unlink()
            out = self.start(folder, backend, script="\n".join(lines) + "\n", PAUSE="1")
        stops = re.findall(r"^> (\S+?)\((\d+)\)", out, re.MULTILINE)
        for p in paths:
            self.assertIn(p.name, {pathlib.Path(at).name for at, _ in stops}, out)
        live = re.findall(r"\('live', \[(.*)\]\)", out)
        self.assertGreaterEqual(len(live), 3, out)
        self.assertTrue(all(live), out)
        self.assertIn("compiled while debugging: []", out)

    def test_breakpoints_eager(self) -> None:
        self.check_hits("eager", "Captured_Graph")

    def test_breakpoints_aot_eager(self) -> None:
        self.check_hits("aot_eager", "Forward_graph")

    def test_dead_standard_input(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            out = self.start(folder, "eager", PAUSE="1")
        self.assertIn(folder, out)
        self.assertIn("compiled while debugging: []", out)

    def test_misuse(self) -> None:
        import depyf

        with tempfile.TemporaryDirectory() as folder:
            with depyf.prepare_debug(folder):
                with self.assertRaises(RuntimeError):
                    with depyf.debug():
                        self.fail("debug inside prepare_debug")
        with self.assertRaises((RuntimeError, TypeError)):
            depyf.prepare_debug(lambda: 0)  # type: ignore[arg-type]


if __name__ == "__main__":
    unittest.main()
