"""How depyf learns the way in which this torch prints graphs."""

from __future__ import annotations

import unittest
from typing import Any
from unittest import mock

import torch
from depyf._torch import graphs, hooks, printing


def layers(n: int) -> torch.fx.GraphModule:
    graph = torch.fx.Graph()
    inputs = [graph.placeholder("x")] + [graph.placeholder("weight_%d" % i) for i in range(20)]
    out = inputs[0]
    for i in range(n):
        out = graph.call_function(torch.add, (graph.call_function(torch.sin, (out,)), inputs[1 + i % 20]))
    graph.output((out,))
    return torch.fx.GraphModule({}, graph)


class TestPrinting(unittest.TestCase):
    def setUp(self) -> None:
        for name, value in (("_style", None), ("_untried", True)):
            patch = mock.patch.object(printing, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def test_torch_prints_no_large_graph_in_full(self) -> None:
        owner, name = hooks.place("printing of graphs")
        real = getattr(owner, name)
        printed = []

        def counted(self: Any, nodes: Any, *args: Any, **kwargs: Any) -> Any:
            nodes = list(nodes)
            printed.append(sum(node.op not in ("placeholder", "output") for node in nodes))
            return real(self, nodes, *args, **kwargs)

        gm = layers(200)
        # They are read off the code of what is replaced here.
        styles = list(printing._styles())
        with mock.patch.object(printing, "_styles", lambda: styles), mock.patch.object(owner, name, counted):
            text = printing.readable(gm, {})
        self.assertLess(max(printed), 50, printed)
        self.assertEqual(text, printing.by_torch(gm, {}))

    def test_small_graph(self) -> None:
        gm = layers(1)
        self.assertEqual(printing.readable(gm, {}), printing.by_torch(gm, {}))
        self.assertEqual(printing.quickly(gm, {}), printing.by_torch(gm, {}))

    def printed(self, print_readable: Any) -> tuple[str, Any]:
        """The text of a graph that print_readable is asked for, and what is said to have failed."""
        patches = [
            mock.patch.object(printing, "_untried", False),
            mock.patch.object(printing, "quickly", lambda gm, layout: ""),
            mock.patch.object(torch.fx.GraphModule, "print_readable", print_readable),
        ]
        for patch in patches:
            patch.start()
            self.addCleanup(patch.stop)
        with mock.patch.object(hooks, "failed") as failed:
            return graphs.text_of(layers(1)), failed

    def test_torch_cannot_print(self) -> None:
        class Value:
            def __repr__(self) -> str:
                raise AttributeError("no sum of truth values has a text")

        text, failed = self.printed(lambda gm, **layout: repr(Value()))
        failed.assert_not_called()  # Nothing is wrong with depyf's hook.
        self.assertIn("\n# Types, shapes and lines are left out: torch raises AttributeError at them.\n", text)
        self.assertIn("torch.sin(", text)
        compile(text, "<graph>", "exec")

    def tried(self, *also_broken: str) -> Any:
        """What is said to have failed where looking for the style raises, and so do some of torch's methods."""
        broken = mock.Mock(side_effect=AttributeError("no sum of truth values has a text"))
        patches = [mock.patch.object(printing, "_untried", True), mock.patch.object(printing._Printer, "same", broken)]
        patches += [mock.patch.object(torch.fx.GraphModule, name, broken) for name in also_broken]
        for patch in patches:
            patch.start()
        try:
            with mock.patch.object(hooks, "failed") as failed:
                printing._try(layers(1), {})
            self.assertEqual(printing._untried, not failed.called)  # The next graph will tell.
        finally:
            for patch in patches:
                patch.stop()
        return failed

    def test_style_of_what_torch_cannot_print(self) -> None:
        self.tried("print_readable").assert_not_called()
        self.assertEqual([call.args[0] for call in self.tried().mock_calls], ["printing of graphs"])

    def test_torch_takes_other_arguments(self) -> None:
        text, failed = self.printed(lambda gm: "")
        self.assertEqual([call.args[0] for call in failed.mock_calls], ["graphs as text"])
        self.assertNotIn("left out", text)
        self.assertIn("torch.sin(", text)
