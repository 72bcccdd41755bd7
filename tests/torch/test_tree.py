"""The checks that depyf reads off a tree of guards are those that torch prints."""

from __future__ import annotations

import re
import unittest
from typing import Any
from unittest import mock

import torch
from depyf._torch import guards, hooks, trace
from support import TorchCase, dumping

LEAF = re.compile(r"^[| ]*(\+- [A-Z][A-Z0-9_]+: .*)$")


class Layers(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList(torch.nn.Linear(3, 3) for _ in range(3))
        self.table = {"a": 1, "b": [2, 3]}

    def forward(self, x: Any, *more: Any, **named: Any) -> Any:
        for key, value in self.table.items():
            x = x + (value if key == "a" else value[0])
        for layer in self.layers:
            x = torch.nn.functional.dropout(layer(x), 0.0)
        return x + sum(more) + named["last"]


def leaves(text: str) -> list[str]:
    found = [m.group(1) for m in map(LEAF.match, text.split("\n")) if m]
    return list(dict.fromkeys(found))


@unittest.skipIf(hooks.version() < (2, 6), "the log has no tree, or makes it in another way")
class Tree(TorchCase):
    def test_same_checks_in_the_same_order(self) -> None:
        pairs = []

        def both(payload: Any, owner: Any) -> str:
            text = guards.listed(owner.guard_manager)
            pairs.append((leaves(payload()), leaves(text), len(payload()), len(text)))
            return text

        module, x = Layers(), torch.rand(2, 3)
        with mock.patch.object(trace, "_tree", both), dumping(self.folder) as dump:
            compiled = torch.compile(module, backend="eager", dynamic=True)
            compiled(x, 1, last=x)
            compiled(x, x, last=2.0)
        self.assertEqual(len(pairs), 2, dump.problems())
        for printed, listed, torchs, ours in pairs:
            self.assertGreater(len(printed), 20)
            self.assertEqual(printed, listed)
            self.assertLess(ours, torchs)

    def told(self) -> str:
        with dumping(self.folder) as dump:
            torch.compile(lambda x: x + 1, backend="eager")(torch.rand(2))
        (payload,) = (e["payload"] for e in dump.of("trace") if "dynamo_cpp_guards_str" in str(e["envelope"]))
        return str(payload)

    def test_torch_does_not_print_the_tree(self) -> None:
        text = self.told()
        self.assertNotIn("RootGuardManager", text)
        self.assertIn("+- TENSOR_MATCH: check_tensor(L['x']", text)

    def test_torch_prints_what_cannot_be_listed(self) -> None:
        with mock.patch.object(guards, "_lines", side_effect=TypeError("another tree")):
            self.assertIn("RootGuardManager", self.told())


if __name__ == "__main__":
    unittest.main()
