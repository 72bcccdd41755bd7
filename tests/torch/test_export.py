"""torch.export: it compiles nothing, and what it makes is shown."""

from __future__ import annotations

import json
import textwrap
import unittest

import support
from programs import ProgramCase
from support import TORCH

PROGRAM = textwrap.dedent(
    """\
    import sys

    import torch


    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(4, 4)

        def forward(self, x):
            return self.linear(x).relu().sum(0)


    class Branches(torch.nn.Module):
        def forward(self, x):
            if x.sum() > 0:
                return x
            return x + 1


    batch = torch.export.Dim("batch", min=2, max=64)
    strict = sys.argv[1] == "strict"
    torch.export.export(Net(), (torch.ones(3, 4),), dynamic_shapes=({0: batch},), strict=strict)
    if "fails" in sys.argv:
        try:
            torch.export.export(Branches(), (torch.ones(3),), strict=strict)
        except Exception as e:
            print(type(e).__name__)
    """
)


@support.needs_program
@unittest.skipIf(TORCH < (2, 6), "strict is the only way to export there")
class Exports(ProgramCase):
    def run_it(self, *arguments: str) -> str:
        self.write("model.py", PROGRAM)
        return self.depyf("run", "--out", "dump", "model.py", *arguments).stdout

    def read(self, name: str) -> str:
        return (self.home / "dump" / name).read_text(encoding="utf-8")

    def check_shown(self, how: str) -> None:
        """All forms of the report say what was exported, and that it is no compiled function."""
        graph = "exported_Net_0"
        words = ("1 program, to be saved or run elsewhere", how, graph, "3 operations", "2 to 64")
        for text in (self.read("index.md"), self.read("report.html"), self.depyf("explain", "dump").stdout):
            for each in words:
                self.assertIn(each, text.replace("<code>", "`").replace("</code>", "`"))
            self.assertNotIn("Nothing was compiled while depyf watched", text)
        text = self.read(graph + ".Exported_Program.0.py")
        self.assertIn("torch.ops.aten.linear.default", text)
        self.assertIn("model.py:12 in forward", text)
        (told,) = json.loads(self.depyf("report", "--format", "json", "dump").stdout)["exports"]
        self.assertEqual((told["name"], told["line"], told["operations"]), ("Net", 11, 3))
        (size,) = told["ranges"]
        self.assertEqual((size["low"], size["high"]), ("2", "64"))
        kinds = [v["kind"] for v in told["inputs"]]
        self.assertEqual(sorted(kinds), ["PARAMETER", "PARAMETER", "USER_INPUT"])

    def test_strict(self) -> None:
        self.run_it("strict")
        self.check_shown("traced by Dynamo (`strict=True`)")

    def test_not_strict(self) -> None:
        self.run_it("not")
        self.check_shown("by running it (`strict=False`)")
        self.assertIn("torch.ops.aten.relu", self.depyf("map", "model.py:12", "dump").stdout)

    def test_raised(self) -> None:
        """An export that raises is a failure, with its error."""
        error = self.run_it("not", "fails").split("\n")[0].strip()
        self.assertRegex(error, r"^\w+$")
        for text in (self.read("index.md"), self.depyf("failures", "dump").stdout):
            self.assertIn("torch.export of `Branches` (model.py:16) raised `%s`" % error, text)
        self.assertIn("1 program, to be saved or run elsewhere", self.read("index.md"))
        self.assertIn("1 call raised.", self.read("index.md"))


if __name__ == "__main__":
    unittest.main()
