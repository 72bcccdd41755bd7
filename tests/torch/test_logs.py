"""What torch itself logs, without depyf, gives the same answers as the session: causes, breaks, times, guards."""

from __future__ import annotations

import ast
import json
import re
import sys
import unittest
from typing import Any

import support
from programs import ProgramCase

COMMAND = [sys.executable, "-m", "depyf"]

PROGRAM = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 8)
        self.steps = 0

    def forward(self, x, scale, extras):
        h = torch.relu(self.fc(x))
        print("shape", h.shape)
        h = h * scale
        if h.sum() > -1e9:
            h = h + 1
        for k in extras:
            h = h + extras[k]
        return h


model = Net()
compiled = torch.compile(model, backend=BACKEND)
for n in (4, 6, 8):
    compiled(torch.randn(n, 8), 2, {"a": torch.ones(8)}).sum().backward()
compiled(torch.randn(4, 8), 3, {"a": torch.ones(8)})
with torch.no_grad():
    compiled(torch.randn(4, 8), 2, {"b": torch.ones(8)})
torch._dynamo.reset()
compiled(torch.randn(4, 8), 2, {"a": torch.ones(8)})
"""

LIMIT = """\
import torch

torch._dynamo.config.{limit} = 3


@torch.compile(backend="eager", dynamic=False)
def size(x):
    return x * 2


@torch.compile(backend="eager", dynamic=False)
def other(x):
    return x + 2


for n in range(2, 8):
    size(torch.ones(n))
other(torch.ones(3))
"""


@support.needs_program
@unittest.skipIf(support.TORCH < (2, 6), "this torch logs too little")
class Logs(ProgramCase):
    def test_eager(self) -> None:
        self.compare("eager")

    def test_aot_eager(self) -> None:
        self.compare("aot_eager")

    def both(self, program: str) -> "tuple[dict[str, Any], dict[str, Any]]":
        """What the session of a program comes to, and what torch's own log of it does."""
        (self.home / "program.py").write_text(program, encoding="utf-8")
        env = self.environment(TORCH_TRACE=str(self.home / "trace"))
        self.start(*COMMAND, "run", "--out", "dump", "program.py", env=env)
        live, logged = (
            json.loads(self.start(*COMMAND, "report", "--format", "json", folder).stdout)
            for folder in ("dump", "trace")
        )
        return live, logged

    def compare(self, backend: str) -> None:
        live, logged = self.both(PROGRAM.replace("BACKEND", repr(backend)))
        self.assertGreater(len(live["causes"]), 2)
        unquoted = self.unquoted(logged["causes"], live["causes"])
        for cause in unquoted:
            del cause["code"]
        for name in ("causes", "break_lines", "spent"):
            self.assertEqual(self.plain(logged[name]), self.plain(live[name]), name)
        self.same_versions(self.versions(logged), self.versions(live))
        self.assertEqual(self.operations(logged), self.operations(live))
        self.start(*COMMAND, "report", "-o", "page", "trace")
        page = (self.home / "page" / "report.html").read_text(encoding="utf-8")
        self.assertIn("All of this is from torch&#39;s own log.", page)
        said = self.start(*COMMAND, "why-recompile", "trace").stdout
        known = self.plain(self.start(*COMMAND, "why-recompile", "dump").stdout)
        if unquoted:
            at = re.compile(r"^    .*(program\.py:\d+).*$", re.MULTILINE)
            said, known = at.sub(r"\1", said), at.sub(r"\1", known)
        self.assertEqual(said, known)

    def unquoted(self, logged: "list[dict[str, Any]]", live: "list[dict[str, Any]]") -> "list[dict[str, Any]]":
        """The session's causes whose line only the session can quote: torch 2.6 logs the number of the line alone."""
        found = [known for told, known in zip(logged, live) if "code" in known and "code" not in told]
        self.assertEqual([c["kind"] for c in found], ["size", "value"] if support.TORCH < (2, 7) else [])
        return found

    def test_limit(self) -> None:
        """A function that reaches the limit of recompilations does so in the log, too."""
        setting = "recompile_limit" if support.TORCH >= (2, 7) else "cache_size_limit"
        live, logged = self.both(LIMIT.format(limit=setting))
        self.assertEqual(self.untimed(logged["causes"]), self.untimed(live["causes"]))
        self.assertEqual([(c["recompilations"], c["refused"]) for c in logged["causes"]], [(2, 1)])
        refused = [
            [(c["id"], c["function"], c["line"], c["limit"]["setting"]) for c in told["compilations"] if c.get("limit")]
            for told in (logged, live)
        ]
        self.assertEqual(*refused)
        self.assertEqual(refused[0], [("0/3", "size", 6, setting)])
        self.assertIn("reached the limit", self.start(*COMMAND, "failures", "trace").stdout)

    def test_text(self) -> None:
        """What TORCH_LOGS writes for people gives the answers that TORCH_TRACE gives, but for what it does not have."""
        (self.home / "program.py").write_text(PROGRAM.replace("BACKEND", "'aot_eager'"), encoding="utf-8")
        switches = "+bytecode,+guards,+dynamo,recompiles,graph_breaks,output_code,graph_code,aot_graphs"
        env = self.environment(TORCH_LOGS=switches, TORCH_TRACE=str(self.home / "trace"))
        done = self.start(sys.executable, "program.py", env=env)
        (self.home / "torch.log").write_text(done.stderr, encoding="utf-8")
        text, trace = (
            json.loads(self.start(sys.executable, "-m", "depyf", "report", "--format", "json", path).stdout)
            for path in ("torch.log", "trace")
        )
        self.assertEqual(self.untimed(text["causes"]), self.untimed(trace["causes"]))
        self.assertGreater(len(text["causes"]), 2)
        self.assertEqual(self.untimed(text["break_lines"]), self.untimed(trace["break_lines"]))
        self.assertEqual(self.versions(text), self.versions(trace))
        self.assertGreater(len(self.versions(text)), 5)
        self.assertEqual(self.operations(text), self.operations(trace))
        self.assertGreater(len(self.operations(text)), 5)

    def test_text_of_the_session(self) -> None:
        """The text of a session that depyf watches gives the answers of the session, and the code that Dynamo made."""
        (self.home / "program.py").write_text(PROGRAM.replace("BACKEND", "'aot_eager'"), encoding="utf-8")
        env = self.environment(TORCH_LOGS="+dynamo,bytecode,guards,recompiles,graph_breaks,graph_code,aot_graphs")
        done = self.start(*COMMAND, "run", "--out", "dump", "program.py", env=env)
        (self.home / "torch.log").write_text(done.stderr, encoding="utf-8")
        live, text = (
            json.loads(self.start(*COMMAND, "report", "--format", "json", path).stdout)
            for path in ("dump", "torch.log")
        )
        self.assertEqual(self.plain(self.untimed(text["causes"])), self.plain(self.untimed(live["causes"])))
        self.assertGreater(len(text["causes"]), 2)
        self.assertEqual(self.plain(self.untimed(text["break_lines"])), self.plain(self.untimed(live["break_lines"])))
        self.assertGreater(len(text["break_lines"]), 1)
        self.same_versions(self.versions(text), self.versions(live))
        self.assertEqual(self.operations(text), self.operations(live))
        self.start(*COMMAND, "report", "-o", "page", "torch.log")
        files = sorted(path.name for path in (self.home / "dump").glob("__transformed_code_*.py"))
        self.assertGreater(len(files), 8)
        for name in files:
            self.assertEqual(self.body("page", name), self.body("dump", name), name)
        made = (self.home / "page" / files[0]).read_text(encoding="utf-8")
        self.assertIn("# verdict:  unproved: it is the text of a listing, which does not tell ", made)
        page = (self.home / "page" / "report.html").read_text(encoding="utf-8")
        self.assertIn("from a listing, not proved", page)
        self.assertIn("Its code is from listings, of which nothing is proven.", page)

    def body(self, folder: str, name: str) -> str:
        """The code of a file, without the names that a listing does not tell: of parameters that no instruction
        uses, and of constants without a literal."""
        tree = ast.parse((self.home / folder / name).read_text(encoding="utf-8"))
        for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
            for arg in function.args.args:
                arg.arg = arg.arg if arg.arg in used else "_"
        return re.sub(r"'(?:___object_\d+|__torch_Size_\w+)'", "constant", ast.dump(tree, indent=1))

    def untimed(self, answers: "list[dict[str, Any]]") -> "list[dict[str, Any]]":
        """Answers without times, on which their order depends, and without the line: where torch's own code
        reads a value for the user's line, the text names the innermost line alone."""
        plain = [
            {k: v for k, v in a.items() if "seconds" not in k and k not in ("file", "line", "code")} for a in answers
        ]
        return sorted(plain, key=lambda a: str(a["ids"]))

    def plain(self, answer: Any) -> Any:
        """An answer without the class of a function, which only the session knows."""
        return json.loads(json.dumps(answer).replace("Net.forward", "forward"))

    def versions(self, told: "dict[str, Any]") -> "list[Any]":
        return [
            (
                (c["id"], c.get("resets", 0), self.plain(c["function"]), c["line"]),
                [g["text"] for g in c["guards"] or []],
            )
            for c in told["compilations"]
            if c["version"] is not None
        ]

    def same_versions(self, logged: "list[Any]", live: "list[Any]") -> None:
        """The log names an object by its address alone, and a class by its own words; all else is equal."""
        self.assertEqual([v for v, _ in logged], [v for v, _ in live])
        for (version, guards), (_, known) in zip(logged, live):
            named = {g for g in guards if "___check_" not in g and not g.startswith("type(")}
            self.assertEqual(sorted(named - set(known)), [], version)
            self.assertGreater(len(named), 2, version)
            self.assertEqual(len(guards), len(known), version)

    def operations(self, told: "dict[str, Any]") -> "list[Any]":
        return sorted(
            (g["compilation"], g.get("resets", 0), [(n["name"], n.get("line")) for n in g["nodes"]])
            for g in told["graphs"]
            if g["stage"] == "Captured_Graph"
        )


if __name__ == "__main__":
    unittest.main()
