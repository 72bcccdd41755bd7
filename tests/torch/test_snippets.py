"""Graph breaks of all kinds: same results, dumped code runs, every file parses."""

from __future__ import annotations

import copy
import unittest

import support
import torch
from snippets import SNIPPETS
from support import TorchCase, dumping, equal

# Frames of these are not all proven yet, on some versions; see the decompiler's tests.
UNPROVEN = {"closures", "returns_closure", "inner_function_uses_self", "comprehension"}


@support.needs_program
class Snippets(TorchCase):
    def check_snippet(self, name: str, backend: str) -> None:
        fn, calls = SNIPPETS[name]()
        want = [fn(*copy.deepcopy(a)) for a in calls]
        fn, calls = SNIPPETS[name]()
        compiled = torch.compile(fn, backend=backend)
        with self.quiet(), dumping(self.folder) as dump:
            got = [compiled(*copy.deepcopy(a)) for a in calls]
        self.assertTrue(equal(want, got), "%r\n%r" % (want, got))
        self.check(dump)
        if name not in UNPROVEN:
            self.assertEqual(dump.unswapped(), [])


def _add(name: str, backend: str) -> None:
    def test(self: Snippets) -> None:
        self.check_snippet(name, backend)

    setattr(Snippets, "test_%s_%s" % (name, backend), test)


for _name in SNIPPETS:
    for _backend in ("eager", "aot_eager"):
        _add(_name, _backend)


if __name__ == "__main__":
    unittest.main()
