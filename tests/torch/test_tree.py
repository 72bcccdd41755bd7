"""The checks that depyf reads off a tree of guards are those that torch prints."""

from __future__ import annotations

import re
import unittest
from typing import Any
from unittest import mock

import torch
from depyf._torch import guards, hooks, trace
from support import TorchCase, dumping

LEAF = re.compile(r"^[| ]*\+- [A-Z][A-Z0-9_]+: (.*)$")


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
            pairs.append((payload(), guards.checks(owner.guard_manager)))
            return ""

        module, x = Layers(), torch.rand(2, 3)
        with mock.patch.object(trace, "_tree", both), dumping(self.folder) as dump:
            compiled = torch.compile(module, backend="eager", dynamic=True)
            compiled(x, 1, last=x)
            compiled(x, x, last=2.0)
        self.assertEqual(len(pairs), 2, dump.problems())
        for printed, checks in pairs:
            torchs = leaves(printed)
            ours = list(dict.fromkeys(text for _, texts, *_ in checks for text in texts))
            self.assertGreater(len(torchs), 20)
            self.assertEqual(torchs, ours)
            self.assertIn("L['self']._modules['layers']._modules['1']", [source for source, *_ in checks])

    def told(self) -> tuple[str, list[Any], list[Any]]:
        """The text of torch's record of one version's guards, what was made, and what there was at the end."""
        with dumping(self.folder) as dump:
            compiled = torch.compile(lambda x: x + 1, backend="eager")
            compiled(torch.rand(2))
        (payload,) = (e["payload"] for e in dump.of("trace") if "dynamo_cpp_guards_str" in str(e["envelope"]))
        (last,) = dump.of("guards")
        return str(payload), dump.of("guards_made"), last["entries"]

    def test_guards_are_told_once(self) -> None:
        payload, (made,), (entry,) = self.told()
        self.assertEqual(payload, "")
        (texts,) = (texts for source, texts, *_ in made["checks"] if source == "L['x']")
        self.assertTrue(texts[0].startswith("check_tensor(L['x'], Tensor, "), texts)
        self.assertEqual((entry["compile_id"], entry["as_made"], entry["parts"]), (made["compile_id"], True, []))

    def test_what_has_failed_is_told_again(self) -> None:
        with dumping(self.folder) as dump:
            compiled = torch.compile(lambda x: x + 1, backend="eager", dynamic=False)
            compiled(torch.rand(2))
            compiled(torch.rand(3))
        (event,) = dump.of("guards")
        entries = {e["compile_id"].partition("@")[0][-1]: e for e in event["entries"]}
        self.assertEqual({k: e["as_made"] for k, e in entries.items()}, {"0": False, "1": True})
        fails = {part["source"]: part["fail_count"] for part in entries["0"]["parts"]}
        self.assertEqual(fails["L['x']"], 1)

    def test_torch_prints_what_cannot_be_listed(self) -> None:
        with mock.patch.object(guards, "checks", side_effect=TypeError("another tree")):
            payload, made, (entry,) = self.told()
        self.assertIn("RootGuardManager", payload)
        self.assertEqual((made, entry["as_made"]), ([], False))


if __name__ == "__main__":
    unittest.main()
