"""Compilations that leave no code: what the reports say, and that the program cannot tell that it is watched."""

from __future__ import annotations

import gc
import html
import os
import re
import subprocess
import sys
import traceback
import unittest
import weakref
from unittest import mock

import support
import torch
from depyf._torch import outcomes
from support import TorchCase, dumping
from torch._dynamo import convert_frame
from torch._dynamo.backends.common import aot_autograd


def named(x, name):
    return x * len(name)


class Counting(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.step = 0

    def forward(self, x):
        self.step += 1
        return x * self.step


def refuse(gm, inputs):
    raise RuntimeError("refused: __why__")


def doubled(x):
    return x.sin() * 2


def printing(x):
    y = x.sin()
    print("here")
    return y * 2


def looping(x):
    for _ in range(2):
        x = x + 1
        print("in a loop")
    return x


def caught(fn, *args):
    """The traceback that the caller gets: lines and functions of the user's and torch's."""
    try:
        fn(*args)
    except Exception as e:
        frames = [(f.filename, f.name) for f in traceback.extract_tb(e.__traceback__)]
        return type(e).__name__, str(e), frames
    return None


@support.needs_program
@unittest.skipIf(support.TORCH < (2, 3), "torch 2.2 hides what becomes of a frame in closures")
class Outcomes(TorchCase):
    def read(self, name: str) -> str:
        with open(self.folder + "/" + name, encoding="utf-8") as f:
            return f.read()

    def dump(self, fn, *calls) -> str:
        with self.quiet(), dumping(self.folder) as dump:
            for args in calls:
                caught(fn, *args)
        self.check(dump)
        return self.read("index.md")

    @unittest.skipIf(support.TORCH < (2, 6), "this torch does not tell the reasons before the limit")
    def test_limit(self) -> None:
        """Which function, which limit, what later calls do, and which checks failed last."""
        with mock.patch.object(convert_frame.log, "warning"):  # It names files, and quiet() looks for our name.
            index = self.dump(torch.compile(named, backend="eager"), *[(torch.ones(3), "x" * n) for n in range(11)])
        self.assertIn("- **1 function** reached the limit of recompilations", index)
        _, _, said = index.partition("**No more versions**: the limit ")
        self.assertRegex(
            said,
            r"^`torch\._dynamo\.config\.(cache_size|recompile)_limit` = 8 is reached\. .*\(compile id 0/8\) ran as",
        )
        self.assertIn("every later call that none of its versions is valid for", said)
        self.assertRegex(said, r"- version 7: `.*name.* == 'xxxxxxx'`(, from `return x .*` at test_outcomes.py:\d+)?\n")
        self.assertIn("is reached. The call that needed", self.read("report.html"))

    @unittest.skipIf(support.TORCH < (2, 15), "here these attributes are no longer burnt in, or not yet hinted at")
    def test_hint(self) -> None:
        """What torch advises against the check that failed."""
        with mock.patch.object(convert_frame.log, "warning"):
            index = self.dump(torch.compile(Counting(), backend="eager"), *[(torch.ones(3),)] * 11)
        self.assertIn("- version 7: `self.step == 7`, from `self.step += 1` at test_outcomes.py:", index)
        self.assertIn("- torch's hint: torch.compile considers integer attributes", index)

    def test_backend_that_raises(self) -> None:
        """The call raised; where from, and the whole of the first words."""
        index = self.dump(torch.compile(doubled, backend=refuse), (torch.ones(3),), (torch.ones(3),))
        self.assertNotIn("runs as ordinary Python", index)
        self.assertIn("**2 calls raised an error** while being compiled", index)
        self.assertRegex(
            index,
            r"- `doubled` \(test_outcomes.py:\d+\): 2 calls raised `BackendCompilerFailed`.*"
            r"refused: \\__why_\\_\. Nothing ran instead: ",
        )
        self.assertRegex(index, r"  - the error comes from test_outcomes.py:\d+ in `refuse`\n")
        self.assertIn("2 calls raised <code>BackendCompilerFailed</code>", self.read("report.html"))

    @unittest.skipIf(support.TORCH < (2, 6), "this torch does not tell how compiling a backward pass ends")
    def test_backward_pass_that_raises(self) -> None:
        """The version is there; whoever asks for gradients gets the error."""
        backend = aot_autograd(fw_compiler=lambda gm, inputs: gm, bw_compiler=refuse)

        def step(x):
            torch.compile(doubled, backend=backend)(x).sum().backward()

        x = torch.ones(3, requires_grad=True)
        index = self.dump(step, (x,), (x,))
        self.assertIn("- Compiling a **backward pass raised an error** 2 times: see", index)
        self.assertRegex(
            index,
            r"- `doubled` \(test_outcomes.py:\d+\), compile id 0/0: compiling its backward pass raised "
            r"`RuntimeError`, 2 times: refused: \\__why_\\_\. Nothing ran instead: ",
        )
        self.assertNotIn("call raised", index)
        self.assertIn("| 0 (0/0) | [`__transformed_code_0_for_doubled.py`]", index)
        self.assertIn("compiling its backward pass raised <code>RuntimeError</code>", self.read("report.html"))

    def test_fullgraph(self) -> None:
        index = self.dump(torch.compile(printing, backend="eager", fullgraph=True), (torch.ones(3),))
        self.assertRegex(
            index, r"- `printing` \(\S+\): the call raised `Unsupported` at test_outcomes.py:\d+ `print\(\"here\"\)`: "
        )

    def test_suppressed(self) -> None:
        """With suppress_errors the same failure makes the function run as ordinary Python."""
        with torch._dynamo.config.patch(suppress_errors=True), mock.patch.object(convert_frame.log, "warning"):
            index = self.dump(torch.compile(doubled, backend=refuse), (torch.ones(3),))
        self.assertNotIn("raised an error", index)
        self.assertRegex(
            index,
            r"- `doubled` \(\S+\) runs as ordinary Python: compiling it failed with `BackendCompilerFailed`, "
            r"which was suppressed: .*refused: \\__why_\\_",
        )

    def test_skipped(self) -> None:
        """A break in a loop: the whole function is left alone, which is said with cause and line."""
        index = self.dump(torch.compile(looping, backend="eager"), (torch.ones(3),))
        self.assertRegex(
            index,
            r"- `looping` \(test_outcomes.py:\d+\) runs as ordinary Python: "
            r".*test_outcomes.py:\d+ `print\(\"in a loop\"\)`",
        )
        # The page and the command say the same.
        page = html.unescape(re.sub(r"</?a\b[^>]*>", "", self.read("report.html")))
        self.assertRegex(
            page,
            r'<li[^>]* id="left-0"><code>looping</code> <small>test_outcomes.py:\d+</small>: .*print\("in a loop"\)',
        )
        said = subprocess.run(
            [sys.executable, "-m", "depyf", "explain", self.folder],
            env={**os.environ, "PYTHONPATH": str(support.ROOT / "python")},
            check=True,
            capture_output=True,
            encoding="utf-8",
        ).stdout
        self.assertIn("Nothing failed, and no limit was reached.", said)
        self.assertIn("Left uncompiled: 1 function, which runs as ordinary Python", said)
        self.assertRegex(said, r"\* `looping` \(test_outcomes.py:\d+\): .*`print\(\"in a loop\"\)`")

    def test_error_ends_with_the_call(self) -> None:
        """What a failed compilation holds is free at once, not when Python collects garbage."""

        class Refused(Exception):
            pass

        def convert(self: object, frame: object, *args: object, **kwargs: object) -> None:
            raise Refused

        def left() -> "weakref.ref[Refused]":
            try:
                outcomes._watched(convert)(None, object())
            except Refused as e:
                return weakref.ref(e)
            raise AssertionError("the error was lost")

        gc.disable()
        try:
            self.assertIsNone(left()())
        finally:
            gc.enable()

    def test_reset(self) -> None:
        """After torch._dynamo.reset() the ids begin anew; graphs are filed where they belong."""
        compiled = torch.compile(doubled, backend="aot_eager")
        with self.quiet(), dumping(self.folder) as dump:
            for _ in range(3):
                compiled(torch.ones(3, requires_grad=True)).sum().backward()
                torch._dynamo.reset()
        self.check(dump)
        graphs = sorted({n.split(".")[0] for n in dump.names if ".Captured_Graph." in n})
        self.assertEqual(len(graphs), 3, dump.names)
        for graph in graphs:
            for stage in ("Captured_Graph", "Joint_graph", "Forward_graph", "Backward_graph"):
                found = [n for n in dump.names if n.startswith("%s.%s." % (graph, stage))]
                self.assertEqual(found, ["%s.%s.0.py" % (graph, stage)])
        index = self.read("index.md")
        self.assertIn("| 2 (0/0 after reset 2) |", index)
        self.assertIn("**No recompilation**", index)
        self.assertEqual(index.count("no more: `torch._dynamo.reset()` has dropped it"), 2)

    def test_traceback_is_torchs(self) -> None:
        """The hooks leave no line in the traceback that the caller gets."""
        for fn, options in ((doubled, {"backend": refuse}), (printing, {"backend": "eager", "fullgraph": True})):
            torch._dynamo.reset()
            plain = caught(torch.compile(fn, **options), torch.ones(3))
            torch._dynamo.reset()
            with self.quiet(), dumping(self.folder):
                watched = caught(torch.compile(fn, **options), torch.ones(3))
            self.assertEqual(watched, plain)


if __name__ == "__main__":
    unittest.main()
