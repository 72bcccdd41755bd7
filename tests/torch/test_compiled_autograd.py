"""Compiled autograd: a backward pass, with its hooks, as a graph that Dynamo compiles."""

from __future__ import annotations

import re
import unittest

import support
import torch
from support import TorchCase, dumping

try:
    from torch._dynamo import compiled_autograd
except ImportError:
    compiled_autograd = None  # type: ignore[assignment]


def doubled(gradient):
    return gradient * 2


def step(model, x):
    loss = model(x).sum()
    loss.backward()
    return loss


def forward(model, x):
    return model(x).sum()


@support.needs_program
@unittest.skipUnless(compiled_autograd, "this torch has no compiled autograd")
class CompiledAutograd(TorchCase):
    def setUp(self) -> None:
        super().setUp()
        self.model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1))
        self.model[0].weight.register_hook(doubled)
        self.x = torch.rand(3, 4)
        step(self.model, self.x)
        self.want = self.gradients()

    def gradients(self) -> "list[torch.Tensor]":
        found = [p.grad for p in self.model.parameters()]
        for p in self.model.parameters():
            p.grad = None
        return found

    def check_gradients(self) -> None:
        for got, want in zip(self.gradients(), self.want):
            torch.testing.assert_close(got, want)

    def check_backward(self, dump: support.Dump, function: str) -> None:
        self.check(dump)
        self.assertEqual(dump.unswapped(), [])
        # The function, the backward pass, and nothing of depyf's own hooks.
        self.assertEqual({f["func"] for f in dump.of("bytecode")}, {function, "forward"})
        index = (dump.folder / "index.md").read_text(encoding="utf-8")
        found = re.search(r"recorded by compiled autograd in \[`(\S+)`\]", index)
        assert found is not None, index
        text = (dump.folder / found.group(1)).read_text(encoding="utf-8")
        self.assertRegex(text, r"class CompiledAutograd\d*\(")
        self.assertNotIn("not joined", index)
        self.assertNotIn("unknown_graph", index)

    def check_context(self, backend: str) -> None:
        enable = getattr(compiled_autograd, "_enable", None) or compiled_autograd.enable
        compiled = torch.compile(forward, backend=backend)
        with self.quiet(), dumping(self.folder) as dump:
            for _ in range(2):
                with enable(lambda graph: torch.compile(graph, backend=backend)):
                    compiled(self.model, self.x).backward()
                self.check_gradients()
        self.check_backward(dump, "forward")

    def test_context_eager(self) -> None:
        self.check_context("eager")

    def test_context_aot_eager(self) -> None:
        self.check_context("aot_eager")

    def check_setting(self, backend: str) -> None:
        """The backward pass inside of the compiled function: Dynamo looks on while the graph is made."""
        if not hasattr(torch._dynamo.config, "compiled_autograd"):
            self.skipTest("compiled autograd is no setting of this torch")
        with torch._dynamo.config.patch(compiled_autograd=True):
            compiled = torch.compile(step, backend=backend)
            with self.quiet(), dumping(self.folder) as dump:
                for _ in range(2):
                    compiled(self.model, self.x)
                    self.check_gradients()
        self.check_backward(dump, "step")

    def test_setting_eager(self) -> None:
        self.check_setting("eager")

    def test_setting_aot_eager(self) -> None:
        self.check_setting("aot_eager")


if __name__ == "__main__":
    unittest.main()
