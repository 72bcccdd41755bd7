"""Kernels lead to the operations that they compute and to lines of source; graphs lead to lines."""

from __future__ import annotations

import contextlib
import pathlib
import tempfile
import unittest

import links
import support
import torch
from support import TORCH, TorchCase, dumping


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.look = torch.nn.Conv2d(3, 8, 2)
        self.up = torch.nn.Linear(8, 16)
        self.norm = torch.nn.LayerNorm(16)
        self.down = torch.nn.Linear(16, 8)

    def layer(self, x: torch.Tensor) -> torch.Tensor:
        h = self.norm(torch.relu(self.up(x)))
        return x + self.down(h * torch.tanh(h))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.look(x).flatten(1)  # of which Inductor wants the images in another layout
        # Twice: kernels of the second layer are those of the first.
        x = self.layer(self.layer(x))
        return torch.softmax(x, -1).sum()


@support.needs_program
@unittest.skipIf(TORCH < (2, 6), "Inductor does not tell")
class Joined(TorchCase):
    def joined(self, provenance: bool) -> links.Links:
        import torch._inductor.config as config

        torch._dynamo.reset()
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            stack.enter_context(config.patch(force_disable_caches=True))
            if provenance:
                stack.enter_context(config.patch({"trace.provenance_tracking_level": 1}))
            with dumping(folder, swap=False) as dump:
                torch.compile(Model())(torch.ones(4, 3, 2, 2)).backward()
            self.assertEqual(dump.problems(), [])
            return links.of(pathlib.Path(folder))

    @support.on_the_later
    def test_all_is_joined(self) -> None:
        found = self.joined(False)
        self.assertGreater(found.nodes, 100)
        self.assertGreaterEqual(found.shown, 0.95 * found.nodes, found)
        self.assertGreater(found.kernels, 12)
        self.assertGreaterEqual(found.joined, 0.9 * found.kernels, found)
        self.assertGreaterEqual(found.copying, 1, found)

    @unittest.skipIf(TORCH < (2, 9), "Inductor tracks no provenance")
    def test_inductor_says_the_same(self) -> None:
        found = self.joined(True)
        self.assertGreater(found.compared, 6)
        self.assertEqual(found.differing, [])
