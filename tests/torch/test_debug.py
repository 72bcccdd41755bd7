"""debug(): a scripted pdb hits breakpoints in all kinds of dumped files."""

from __future__ import annotations

import pathlib
import re
import sys
import tempfile
import unittest
from typing import Optional

import support
from programs import ProgramCase, last_line, stepped

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


@support.needs_program
class Debug(ProgramCase):
    def run_toy(self, backend: str, script: Optional[str] = None, **environment: str) -> str:
        # The same path and arguments each time: one program, whose dump is replaced.
        self.write("program.py", PROGRAM)
        env = self.environment(**environment)
        return self.start(sys.executable, "program.py", "dump", backend, script=script, env=env).stdout

    def check_hits(self, backend: str, graph: str) -> None:
        self.run_toy(backend)
        paths = stepped(self.home / "dump", graph)
        lines = ["b %s:%d" % (p, last_line(p)) for p in paths]
        show = 'p ("live", sorted(k for k, v in locals().items() if type(v).__name__ == "Tensor"))'
        lines += ["c"] + ["where", show, "c"] * 12
        for p in paths:
            p.unlink()
        out = self.run_toy(backend, script="\n".join(lines) + "\n", PAUSE="1")
        stops = re.findall(r"^> (\S+?)\((\d+)\)", out, re.MULTILINE)
        for p in paths:
            self.assertIn(p.name, {pathlib.Path(at).name for at, _ in stops}, out)
        live = re.findall(r"\('live', \[(.*)\]\)", out)
        self.assertGreaterEqual(len(live), 3, out)
        self.assertTrue(all(live), out)
        self.assertIn("compiled while debugging: []", out)

    def test_breakpoints_eager(self) -> None:
        self.check_hits("eager", "Captured_Graph")

    @support.on_the_older
    def test_breakpoints_aot_eager(self) -> None:
        self.check_hits("aot_eager", "Forward_graph")

    def test_dead_standard_input(self) -> None:
        out = self.run_toy("eager", PAUSE="1")
        self.assertIn(str(self.home / "dump"), out)
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
