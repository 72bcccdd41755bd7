"""The questions of docs/questions.md about a run, asked as a user would: a program runs, a command answers.

The program breaks the graph at one line, and is compiled again for sizes; the later one has the line mended, and a call
without gradients. Each runs once, under `depyf run`.
"""

from __future__ import annotations

import json
import pathlib
import re
import shutil
import tempfile
import textwrap
import unittest

import support
from programs import ProgramCase
from support import TORCH

MODEL = textwrap.dedent(
    """\
    import sys

    import torch


    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Sequential(*(torch.nn.Linear(4, 4) for _ in range(8)))

        def forward(self, x, scale):
            hidden = self.linear(x).relu()
            print("a step")
            return (hidden * scale).sum()


    def main():
        net = torch.compile(Net(), backend="aot_eager")
        for size in (3, 4, 5):
            net(torch.ones(size, 4), 2)


    main()
    """
)
LATER = MODEL.replace('print("a step")', "hidden = hidden * 2").replace(
    "4), 2)\n", "4), 2)\n    with torch.no_grad():\n        net(torch.ones(6, 4), 2)\n"
)
# What Inductor makes of this has one kernel a pass; that of the backward pass computes the product again.
KERNELS = textwrap.dedent(
    """\
    import torch


    @torch.compile
    def step(x, y):
        h = x * y
        return h.sin().sum()


    step(torch.ones(8, requires_grad=True), torch.ones(8)).backward()
    """
)
# Which of its lines is which.
RELU, BREAK = "model.py:12", "model.py:13"


@support.needs_program
@unittest.skipIf(TORCH < (2, 6), "this torch tells too little of why")
class Questions(ProgramCase):
    kept: "tempfile.TemporaryDirectory[str] | None" = None

    def setUp(self) -> None:
        """Run both programs, once for all tests; they are two checkouts of one project."""
        super().setUp()
        cls = type(self)
        if cls.kept is None:
            for name, text in (("before", MODEL), ("after", LATER)):
                (self.home / name).mkdir()
                (self.home / name / "model.py").write_text(text, encoding="utf-8")
                self.depyf("run", "--out", name + "/dump", name + "/model.py")
            cls.kept = tempfile.TemporaryDirectory()
            shutil.copytree(self.home, cls.kept.name, dirs_exist_ok=True)
        self.home = pathlib.Path(cls.kept.name)

    @classmethod
    def tearDownClass(cls) -> None:
        if cls.kept is not None:
            cls.kept.cleanup()

    def answer(self, *question: str, status: int = 0) -> str:
        return self.depyf(*question, status=status).stdout

    def test_which_files(self) -> None:
        """The index names every file, says what it is, and where to start."""
        folder = self.home / "before/dump"
        index = (folder / "index.md").read_text(encoding="utf-8")
        linked = set(re.findall(r"\]\(([^)#:]+)\)", index))
        there = {p.name for p in folder.iterdir() if p.suffix in (".py", ".md", ".html")}
        self.assertEqual(linked, there)
        self.assertIn("**Start with [`full_code_for_forward_0.py`]", index)

    def test_why_recompiled(self) -> None:
        said = self.answer("why-recompile", "before/dump")
        self.assertRegex(said, r"a size varies: x\.size\(0\).*`3` → `4`")
        self.assertIn("at %s `hidden = self.linear(x).relu()`" % RELU, said)
        self.assertIn("mark_dynamic(x, 0)", said)

    def test_which_line_breaks(self) -> None:
        said = self.answer("breaks", "before/dump")
        self.assertIn("1 line breaks the graph", said)
        self.assertIn('%s `print("a step")`' % BREAK, said)
        self.assertIn("Remove the call; or torch._dynamo.config.reorderable_logging_functions", said)
        self.assertIn("No line breaks a graph.", self.answer("breaks", "after/dump"))

    def test_what_was_compiled(self) -> None:
        said = self.answer("explain", "before/dump")
        for words in ("Nothing failed", "No function was left uncompiled", "`Net.forward` (model.py:11)"):
            self.assertIn(words, said)

    def test_guards(self) -> None:
        said = self.answer("guards", "before/dump")
        told = json.loads(self.answer("report", "--format", "json", "before/dump"))
        count = sum(len(c["guards"]) for c in told["compilations"] if c["guards"] is not None)
        self.assertGreater(count, 20)
        self.assertTrue(said.startswith("%d guards of %d versions." % (count, len(told["compilations"]))), said[:200])
        self.assertRegex(said, r"differs from other versions: `L\['x'\]\.shape == \(3, 4\)`")
        costs = [g["micros"] for g in told["guard_sets"]]
        self.assertEqual(len(costs), len(told["compilations"]))
        if TORCH < (2, 9):
            self.assertEqual(set(costs), {None}, "this torch does not time them")
            return
        self.assertTrue(all(cost > 0 for cost in costs), costs)
        first = re.search(r"\* .* version \d+ .*: \d+ guards, (\d+) µs a call", said)
        assert first is not None, said
        self.assertEqual(int(first[1]), round(max(costs)), "the costliest stands first")

    @unittest.skipIf(TORCH < (2, 9), "this torch has no filters for guards")
    def test_guards_to_drop(self) -> None:
        """What is said to leave guards out leaves out so many."""
        said = self.answer("guards", "before/dump")
        worth = re.search(r"Worth dropping: (\d+) guards on modules .*\n.*torch\.compile\(…, (options=\{.*?\})\)", said)
        assert worth is not None, said
        (self.home / "fewer.py").write_text(MODEL.replace('"aot_eager"', '"aot_eager", ' + worth[2]), encoding="utf-8")
        self.depyf("run", "--out", "fewer", "fewer.py")
        before, after = (
            sum(g["total"] for g in json.loads(self.answer("report", "--format", "json", dump))["guard_sets"])
            for dump in ("before/dump", "fewer")
        )
        self.assertEqual(before - after, int(worth[1]))
        self.assertNotIn("Worth dropping", self.answer("guards", "fewer"))

    def test_from_line_to_operation_and_back(self) -> None:
        there = self.answer("map", RELU, "before/dump")
        for words in ("input_8.relu()", "Captured_Graph", "torch.ops.aten.relu", "__transformed_code_0_for_forward.py"):
            self.assertIn(words, there)
        self.assertIn("* %s `hidden = self.linear(x).relu()`" % RELU, self.answer("map", "relu", "before/dump"))

    @support.on_the_later
    def test_which_kernel(self) -> None:
        """A line leads to its kernels, and each kernel back; the files and the page say what a kernel computes."""
        support.need_inductor(self)
        (self.home / "kernels.py").write_text(KERNELS, encoding="utf-8")
        # Of a kernel from Inductor's cache nothing is told.
        self.depyf("run", "--out", "kernels", "kernels.py", TORCHINDUCTOR_CACHE_DIR=str(self.home / "cache"))
        said = self.answer("map", "kernels.py:6", "kernels")
        call = r"\* (\S+): kernel of the (forward|backward) pass, called at (\S+):(\d+)"
        calls = re.findall(call, said.replace("**", "").replace("`", ""))
        self.assertEqual({c[1] for c in calls}, {"forward", "backward"}, said)
        for name, which, file, row in calls:
            line = (self.home / "kernels" / file).read_text(encoding="utf-8").split("\n")[int(row) - 1]
            self.assertRegex(line, r"%s\(.*\)  # computes, in this order: .*mul" % name)
            self.assertIn("cos" if which == "backward" else "sin", line)
            back = self.answer("map", name, "kernels")
            self.assertIn("* kernels.py:6 `h = x * y`", back)
            self.assertIn("* kernels.py:7 `return h.sin().sum()`", back)
        again = [c for c in calls if c[1] == "backward"]
        self.assertIn("mul (again)", self.answer("map", again[0][0], "kernels") + said)
        page = (self.home / "kernels/report.html").read_text(encoding="utf-8")
        self.assertRegex(page, r'data-s="kernels.py:6">.*data-go="kernel">2 kernel calls</button>')

    def test_gate(self) -> None:
        said = self.answer("check", "--max-breaks", "0", "before/dump", status=1)
        self.assertIn("FAILED  graph breaks: 1, limit 0", said)
        self.assertIn(BREAK, said)
        self.answer("check", "--max-breaks", "1", "before/dump")
        # Against an earlier run: the line that was mended comes back.
        said = self.answer("check", "--baseline", "after/dump", "before/dump", status=1)
        self.assertIn('%s `print("a step")`' % BREAK, said)
        self.answer("check", "--max-breaks", "0", "after/dump")

    def test_what_changed(self) -> None:
        said = self.answer("diff", "before/dump", "after/dump", status=1)
        self.assertIn("* graph breaks 1 → 0", said)
        self.assertIn('* graph break gone at %s `print("a step")`' % BREAK, said)
        self.assertRegex(said, r"\* new cause of recompilations: .*grad.* mode changed")
        self.assertNotIn("a size varies", said)  # It still does.
        self.assertRegex(said, r"\* graphs of `Net\.forward` \(model\.py:11\): .*\n    .*`hidden \* 2` at model\.py:13")
        again = self.answer("diff", "--format", "json", "before/dump", "before/dump")
        self.assertEqual([k for k, v in json.loads(again).items() if v and k not in ("counts", "form", "process")], [])

    def test_reads_as_the_users_code(self) -> None:
        text = (self.home / "before/dump/__transformed_code_0_for_forward.py").read_text(encoding="utf-8")
        self.assertIn("def __transformed_code_0_for_forward(self, x, scale):", text)
        self.assertRegex(text, r"hidden = graph_out_0\[0\]")
        self.assertIn('print("a step")', text)
        self.assertIn("# %s: hidden = self.linear(x).relu()" % RELU, text)


if __name__ == "__main__":
    unittest.main()
