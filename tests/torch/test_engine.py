"""How a serving engine uses depyf: a bytecode hook that decompiles, a block entered and left by hand,
and stages of its own among the graphs."""

from __future__ import annotations

import pathlib
import unittest
from types import CodeType
from typing import Any

import depyf
import support
import torch
from support import TorchCase
from torch._dynamo import convert_frame
from torch._dynamo.utils import lazy_format_graph_code
from torch.fx.passes.split_module import split_module


def piecewise(gm: torch.fx.GraphModule, inputs: Any) -> Any:
    """A backend that formats the graph under names of its own, as it cuts it in two."""
    lazy_format_graph_code("before split", gm)
    nodes = list(gm.graph.nodes)
    pieces = split_module(gm, None, lambda node: int(nodes.index(node) > len(nodes) // 2))  # type: ignore[arg-type]
    lazy_format_graph_code("after split", pieces)
    lazy_format_graph_code("fusion_pass.0", gm)
    return pieces


def lazily(gm: torch.fx.GraphModule, inputs: Any) -> Any:
    """A backend that compiles a graph when it is called, for each size: no function is being compiled then."""
    sizes: set[Any] = set()

    def run(*args: Any) -> Any:
        size = tuple(a.shape for a in args if isinstance(a, torch.Tensor))
        if size not in sizes:
            sizes.add(size)
            lazy_format_graph_code("piece", gm)
        return gm(*args)

    return run


@torch._dynamo.disable
def stray(x: torch.Tensor) -> torch.Tensor:
    """A function of the user's that formats a graph of its own."""
    lazy_format_graph_code("stray", torch.fx.symbolic_trace(torch.nn.Tanh()))
    return x


def wave(x: torch.Tensor) -> torch.Tensor:
    return x.sin() * 2


def other_wave(x: torch.Tensor) -> torch.Tensor:
    y = x.cos()
    y = stray(y)
    return y * 3


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x: torch.Tensor, positions: Any = None) -> Any:
        y = self.linear(x).sin()
        return y * 2, {"y": y}


def broken(x: torch.Tensor) -> torch.Tensor:
    y = x + 1
    torch._dynamo.graph_break()
    return y * 2


def closed_over() -> Any:
    w = torch.ones(3)

    def outer(x: torch.Tensor) -> torch.Tensor:
        y = x + 1
        torch._dynamo.graph_break()
        return (lambda t: t * w)(y)

    return outer


@support.needs_program
class Engine(TorchCase):
    def run_all(self, block: bool, hook_first: bool) -> dict[str, depyf.decompiler.DecompiledSource]:
        """Compile three functions; return what the hook decompiled."""
        texts = {}

        def hook(old: CodeType, new: CodeType) -> None:
            texts[old.co_name] = depyf.decompile(new)

        context = depyf.prepare_debug(self.folder)
        with self.quiet():
            handle = convert_frame.register_bytecode_hook(hook) if hook_first else None
            if block:
                context.__enter__()
            handle = handle or convert_frame.register_bytecode_hook(hook)
            try:
                torch.compile(Model(), backend=piecewise, fullgraph=True, dynamic=False)(torch.ones(2, 4))
                torch.compile(broken, backend="eager")(torch.ones(3))
                torch.compile(closed_over(), backend="eager")(torch.ones(3))
            finally:
                handle.remove()
                if block:
                    context.__exit__(None, None, None)
        self.assertEqual(len(texts), 5)
        self.assertEqual({n: (t.verdict, t.detail) for n, t in texts.items() if not t.proven}, {})
        return texts

    def test_hook_alone(self) -> None:
        self.run_all(block=False, hook_first=True)

    def test_hook_behind_ours(self) -> None:
        self.run_all(block=True, hook_first=False)

    def test_hook_and_block(self) -> None:
        """The hook's text is that of the dumped file, and the engine's graphs are filed with Dynamo's.

        Only a session knows the user's lines and what graphs call their results.
        """
        texts = self.run_all(block=True, hook_first=True)
        dump = support.Dump(pathlib.Path(self.folder))
        self.check(dump)
        self.assertEqual(dump.unswapped(), [])
        for event in dump.of("bytecode"):
            name = "__transformed_code_0_for_" + event["func"]
            file = (dump.folder / (name + ".py")).read_text(encoding="utf-8")
            text = texts[event["func"]].replace(event["func"] + "(", name + "(")
            self.assertEqual(_instructions(text), _instructions(_code(file, event["func"])))
        index = (dump.folder / "index.md").read_text(encoding="utf-8")
        graph = next(n for n in dump.names if n.endswith("before_split.0.py")).split(".")[0]
        self.assertRegex(graph, r"^__compiled_fn_\d+$")
        row = next(line for line in index.splitlines() if line.startswith("| `%s` | Model.forward" % graph))
        for stage in ("Captured_Graph", "before_split", "after_split", "fusion_pass_0"):
            self.assertIn("(%s.%s.0.py)" % (graph, stage), row)
        self.assertEqual([n for n in dump.names if n.startswith(("unknown", "graph_of"))], [])

    def test_compiled_when_called(self) -> None:
        """What a graph's own code compiles is filed with it, not what other functions do that Dynamo's code calls."""
        with self.quiet(), depyf.prepare_debug(self.folder):
            for f in (wave, other_wave):
                compiled = torch.compile(f, backend=lazily, dynamic=True)
                for n in (2, 3):
                    compiled(torch.ones(n))
        dump = support.Dump(pathlib.Path(self.folder))
        self.check(dump)
        pieces = {n: (dump.folder / n).read_text(encoding="utf-8") for n in dump.names if ".piece." in n}
        self.assertEqual({n.split(".")[2] for n in pieces}, {"0", "1"})
        graphs = {n.split(".")[0] for n in pieces}
        self.assertEqual(len(graphs), 3)
        for name, text in pieces.items():
            captured = (dump.folder / (name.split(".")[0] + ".Captured_Graph.0.py")).read_text(encoding="utf-8")
            for operation in ("sin()", "cos()", "* 3"):
                self.assertEqual(operation in text, operation in captured, name)
        self.assertEqual([n for n in dump.names if n.startswith("__compiled") and "stray" in n], [])

    @unittest.skipIf(support.TORCH < (2, 9), "guard_filter_fn is of later versions")
    def test_guards_left_out(self) -> None:
        """An engine leaves the guards out: a version runs for all sizes, and the report says that none checks them."""
        filters = {"guard_filter_fn": lambda guards: [False for _ in guards]}
        said = {}
        for name, options in (("all", None), ("none", filters)):
            torch._dynamo.reset()
            folder = pathlib.Path(self.folder, name)
            with self.quiet(), depyf.prepare_debug(str(folder)):
                compiled = torch.compile(wave, backend="eager", dynamic=True, options=options)
                for n in (2, 3):
                    compiled(torch.ones(n))
            said[name] = (folder / "index.md").read_text(encoding="utf-8")
            self.assertIn("Sizes and numbers that may vary", said[name])
        for words in ("always: the guards on values were left out", "which no call checks"):
            self.assertIn(words, said["none"])
            self.assertNotIn(words, said["all"])

    def test_blocks_that_overlap(self) -> None:
        """The engine enters a block for each of two models, and leaves them in any order: that is one dump."""
        first, second = (torch.compile(f, backend=lazily, dynamic=True) for f in (wave, broken))
        with self.quiet():
            outer, inner = depyf.prepare_debug(self.folder), depyf.prepare_debug(self.folder)
            outer.__enter__()
            first(torch.ones(2))
            inner.__enter__()
            second(torch.ones(2))
            outer.__exit__(None, None, None)
            first(torch.ones(3))
            inner.__exit__(None, None, None)
        dump = support.Dump(pathlib.Path(self.folder))
        self.check(dump)
        self.assertEqual(dump.unswapped(), [])
        self.assertEqual([p for p in dump.folder.iterdir() if p.is_dir() and p.name.startswith("process_")], [])
        waves = [n for n in dump.names if ".piece." in n and "sin()" in (dump.folder / n).read_text(encoding="utf-8")]
        self.assertEqual([n.split(".")[2] for n in sorted(waves)], ["0", "1"])


def _instructions(text: str) -> list[Any]:
    """List what a text compiles to, whatever its local variables are called."""

    def inside(code: CodeType) -> list[Any]:
        return [code.co_code, code.co_names, [inside(c) if isinstance(c, CodeType) else c for c in code.co_consts]]

    return inside(compile(text, "text", "exec"))


def _code(file: str, func: str) -> str:
    """Take the function out of a dumped file, as decompile would name it."""
    head, _, text = file.partition("\n\n")
    return _bare(text.replace("    return __transformed_code_0_for_" + func, "    return " + func))


def _bare(text: str) -> str:
    """Take the comments away: only a file has those that name the user's lines."""
    return "".join(line for line in text.splitlines(True) if not line.lstrip().startswith("#"))


if __name__ == "__main__":
    unittest.main()
