"""A program that is only watched cannot tell: what it prints is the same to the byte."""

from __future__ import annotations

import pathlib
import re
import sys
import tempfile
import traceback
import unittest
from typing import Any
from unittest import mock

import support
import torch
from depyf._torch import session as sessions
from programs import ProgramCase, cold

# What a program can see of the code that runs, and of how it was started.
SEEING = """
    import logging, os, sys, traceback, warnings
    import torch

    logging.basicConfig(format="%(pathname)s:%(lineno)d %(funcName)s %(message)s", stream=sys.stdout)
    log = logging.getLogger("seeing")

    def chain():
        frame, found = sys._getframe(1), []
        while frame is not None:
            code = frame.f_code
            # When the globals of versions that were dropped go is the garbage collector's affair.
            count = 0 if code.co_name == "<module>" else len(frame.f_locals)
            found.append((code.co_filename, frame.f_lineno, code.co_name, code.co_firstlineno, count))
            frame = frame.f_back
        return found

    def failing(y):
        y = y * 2
        print(end="")
        raise ValueError("of this program's")

    def f(x, k):
        y = x + k
        log.warning("hello")
        z = y * 2
        print(sorted(locals()))
        print(chain())
        warnings.warn("careful")
        try:
            failing(z)
        except ValueError:
            print(traceback.format_exc())
        return z.sin() * y

    def backend(graph, examples):
        # While torch compiles, the frames that watch what becomes of it are on the stack.
        print("compiling", [c for c in chain() if not c[0].endswith("outcomes.py")])
        return graph.forward

    def main():
        print(sys.argv, sys.path, sys.flags, getattr(sys, "orig_argv", [])[1:])
        print(sorted(globals()), __file__, __name__, __spec__, type(__loader__))
        print(sorted(m for m in before if m not in ("__future__", "atexit") and not m.startswith("depyf")))
        for chosen in ("eager", "aot_eager", backend):
            torch._dynamo.reset()
            compiled = torch.compile(f, backend=chosen)
            for n in (2, 3, 4):
                compiled(torch.ones(n), 1)
                compiled(torch.ones(n, requires_grad=True), 2).sum().backward()
        from torch._dynamo.utils import counters
        print(counters["stats"], counters["graph_break"])
        print([k for k in os.environ if not k.startswith("DEPYF")])
        raise KeyError("the end")
"""
BEGIN = """
    import sys
    before = list(sys.modules)
"""
MAIN = """
    if __name__ == "__main__":
        main()
"""


@support.needs_program
class Watching(ProgramCase):
    @unittest.skipIf(support.TORCH < (2, 3), "in torch 2.2 a backend sees the hook for graph breaks on the stack")
    @cold
    @support.on_the_later
    def test_program_cannot_tell(self) -> None:
        self.write("seeing.py", BEGIN, SEEING, MAIN)
        env = self.environment(PYTHONHASHSEED="0")
        plain = self.start(sys.executable, "seeing.py", "x", status=1, env=env)
        watched = self.start(sys.executable, "-m", "depyf", "run", "--out=dump", "seeing.py", "x", status=1, env=env)
        self.assertIn("KeyError", plain.stderr)
        self.assertIn("resume_in_f", plain.stdout)
        self.assertEqual(watched.stdout, plain.stdout)
        *said, last = watched.stderr.splitlines(True)
        self.assertEqual("".join(said), plain.stderr)
        self.assertIn(str(self.home / "dump"), last)
        dump = support.Dump(self.home / "dump")
        figures = dump.figures()
        self.assertEqual(figures["swapped"], 0)
        self.assertGreater(figures["frames"], 10)
        self.assertEqual(figures["proven"], figures["frames"])
        # torch would make listings of all bytecode for the log, which nobody reads.
        self.assertFalse([e for e in dump.of("trace") if "_BYTECODE" in str(e["envelope"])])
        self.assertEqual((dump.problems(), dump.unparsable()), ([], []))


@support.needs_program
class WithoutSwapping(support.TorchCase):
    def test_nothing_is_exchanged(self) -> None:
        def f(x: torch.Tensor) -> torch.Tensor:
            y = x + 1
            print(end="")
            return y * 2

        ran: list[str] = []
        graphs: list[str] = []

        def backend(gm: torch.fx.GraphModule, examples: list[torch.Tensor]) -> torch.fx.GraphModule:
            graphs.append(gm.forward.__func__.__code__.co_filename)
            return gm

        handle = torch._dynamo.convert_frame.register_bytecode_hook(lambda old, new: ran.append(new.co_filename))
        self.addCleanup(handle.remove)
        with self.quiet(), support.dumping(self.folder, swap=False) as dump:
            x = torch.ones(3)
            self.assertTrue(torch.equal(torch.compile(f, backend=backend)(x), f(x)))
        self.check(dump)
        self.assertEqual((dump.figures()["frames"], dump.figures()["proven"], dump.of("swapped")), (2, 2, []))
        self.assertFalse([name for name in ran + graphs if name.startswith(self.folder)])
        text = (pathlib.Path(self.folder) / "__transformed_code_0_for_f.py").read_text(encoding="utf-8")
        self.assertIn("Nothing was replaced", text)
        self.assertIn("nothing was replaced", (dump.folder / "index.md").read_text(encoding="utf-8"))

    def test_nobody_waits(self) -> None:
        """Where nothing is exchanged, no answer is waited for while the program runs."""
        asked: list[str] = []
        event = sessions.Session.event

        def noted(self: sessions.Session, kind: str, **fields: Any) -> Any:
            asked.append(kind)
            return event(self, kind, **fields)

        def waited(swap: bool) -> list[str]:
            torch._dynamo.reset()
            folder = "%s/%s" % (self.folder, swap)
            with self.quiet(), mock.patch.object(sessions.Session, "event", noted):
                with support.dumping(folder, swap=swap) as dump:
                    torch.compile(lambda x: x.sin() + 1, backend="aot_eager")(torch.ones(3))
                    told = asked[:]
            del asked[:]
            self.assertEqual(len(dump.of("bytecode")), 1)
            return told

        self.assertIn("bytecode", waited(True))
        self.assertEqual(waited(False), [])

    def test_same_texts_as_with_swapping(self) -> None:
        def f(x: torch.Tensor) -> torch.Tensor:
            y = x + 1
            print(end="")
            return y * 2

        texts = []
        for swap in (True, False):
            torch._dynamo.reset()
            with tempfile.TemporaryDirectory() as folder:
                with support.dumping(folder, swap=swap) as dump:
                    torch.compile(f, backend="eager")(torch.ones(3))
                made = {p.name: p.read_text(encoding="utf-8") for p in dump.folder.glob("__*.py")}
                # The heads say which text runs.
                made = {n: re.sub("(?m)^#.*\n", "", t) for n, t in made.items() if "code" in n}
                texts.append({n: re.sub(r"_\d+", "_N", t) for n, t in made.items()})
        self.assertEqual(len(texts[0]), 2)
        self.assertEqual(texts[0], texts[1])

    def test_dynamo_sees_what_it_would_see(self) -> None:
        """A backward pass inside a compiled function runs, and compiles, under Dynamo's eyes."""
        from torch._dynamo.utils import counters

        def step(x: torch.Tensor) -> None:
            (x.sin() * 2).sum().backward()

        def frames() -> "dict[str, int]":
            torch._dynamo.reset()
            counters.clear()
            compiled = torch.compile(step, backend="aot_eager")
            for n in (2, 3, 4):
                compiled(torch.ones(n, requires_grad=True))
            return dict(counters["frames"])

        frames()  # Fills the caches of libraries, which spares them frames later.
        want = frames()
        for swap in (False, True):
            with self.subTest(swap=swap), tempfile.TemporaryDirectory() as folder:
                with self.quiet(), support.dumping(folder, swap=swap) as dump:
                    got = frames()
                self.assertEqual(got, want)
                self.assertEqual(len(dump.of("swapped")) > 0, swap)


class Told(unittest.TestCase):
    def test_errors_behind_a_break(self) -> None:
        """They read as Python tells them, which what the log gets must not ask."""
        from depyf._torch.trace import _errors

        def broken() -> None:
            try:
                print(1 // 0)
            except ArithmeticError as e:
                raise torch._dynamo.exc.Unsupported("two\nlines") from e

        def another() -> None:
            try:
                broken()
            except Exception:
                raise LookupError  # noqa: B904  What is behind it is what is tested.

        def last() -> None:
            try:
                another()
            except Exception:
                raise KeyError("x") from None

        for raising in (broken, another, last):
            try:
                raising()
            except Exception as e:
                self.assertEqual(_errors(e), traceback.format_exc(limit=0))


if __name__ == "__main__":
    unittest.main()
