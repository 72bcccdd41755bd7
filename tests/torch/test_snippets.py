"""Graph breaks of all kinds: same results, dumped code runs, every file parses."""

from __future__ import annotations

import collections
import copy
import os
import pathlib
import re
import sys
import unittest
from typing import Any, Callable

import support
import torch
from snippets import SNIPPETS
from support import TorchCase, dumping, equal, printed_twice

# Snippets whose resume functions have a text that is not proven, and what the verdict says: docs/versions.md.
UNPROVEN_RESTS = {"pending_look": "the code may look at its own variables"}
BACKENDS = os.environ.get("BACKENDS", "eager aot_eager").split()


def outcome(fn: Callable[..., Any], args: Any) -> Any:
    """Return what a call comes to; an exception is a result as well."""
    try:
        return fn(*copy.deepcopy(args))
    except Exception as e:
        return "raised", type(e).__name__, str(e).split("\n")[0]


def run(name: str, backend: str = "") -> list[Any]:
    """Make the calls of one snippet, plainly or compiled."""
    torch.manual_seed(0)
    fn, calls = SNIPPETS[name]()
    if backend:
        fn = torch.compile(fn, backend=backend)
    return [outcome(fn, a) for a in calls]


@support.needs_program
class Snippets(TorchCase):
    figures: "collections.Counter[str]" = collections.Counter()

    def check_snippet(self, name: str, backend: str) -> None:
        want = run(name)
        with self.quiet(), dumping(self.folder) as dump, printed_twice() as texts:
            got = run(name, backend)
        self.count(backend, dump)
        for torchs, ours in texts:
            self.assertIn(ours, (torchs, ""))
            self.figures[backend, "graphs"] += 1
            self.figures[backend, "printed quickly"] += ours != ""
        if not equal(want, got):
            # Bugs of torch's are not ours to mend: then torch alone is the measure.
            torch._dynamo.reset()
            alone = run(name, backend)
            self.assertFalse(equal(alone, want), "%r\n%r" % (want, got))
            self.assertTrue(equal(alone, got), "%r\n%r" % (alone, got))
            self.figures[backend, "torch errs"] += 1
        self.check(dump, rests=UNPROVEN_RESTS.get(name, ""))
        self.assertEqual(dump.unswapped(), [])
        if name.startswith("tail_") and support.TORCH >= (2, 6):
            self.assertGreater(dump.figures()["frames"], 0, "nothing was compiled, so nothing was tested")

    def count(self, backend: str, dump: support.Dump) -> None:
        for kind, n in dump.figures().items():
            self.figures[backend, kind] += n
        self.figures[backend, "snippets"] += 1

    @classmethod
    def tearDownClass(cls) -> None:
        for backend in BACKENDS:
            kinds = ("snippets", "torch errs", "frames", "proven", "swapped", "graphs", "printed quickly")
            words = ", ".join("%d %s" % (cls.figures[backend, k], k) for k in kinds)
            print("torch %s, %s: %s" % (torch.__version__, backend, words), file=sys.stderr)

    @unittest.skipIf(support.HALF, "each snippet with one backend; the newest torch has each with each")
    def test_each_with_each_backend(self) -> None:
        """In a share of the tests the backends take turns."""
        tests = [n for n in dir(Snippets) if n.endswith(tuple("_" + b for b in BACKENDS))]
        self.assertGreaterEqual(len(tests), len(SNIPPETS) * len(BACKENDS))

    def test_short_cut(self) -> None:
        """Graphs of plain calls are not left to torch to print."""
        fn = torch.compile(lambda x: x.sin().reshape([2, 2])[0] + 1, backend="aot_eager")
        with self.quiet(), dumping(self.folder), printed_twice() as texts:
            fn(torch.ones(4, requires_grad=True)).sum().backward()
        self.assertGreater(len(texts), 3)
        for torchs, ours in texts[1:]:  # The first one may be what decides.
            self.assertEqual(ours, torchs)

    def test_shape_guards(self) -> None:
        """A branch on a size makes several versions; each says which sizes it is for."""
        fn, calls = SNIPPETS["shapes"]()
        compiled = torch.compile(fn, backend="eager")
        with self.quiet(), dumping(self.folder) as dump:
            for args in calls:
                compiled(*args)
        self.check(dump)
        text = "".join(
            p.read_text(encoding="utf-8") for p in pathlib.Path(self.folder).glob("full_code_for_by_size_*.py")
        )
        versions = re.findall(r"^def (__guard\w*)", text, re.M)
        self.assertGreaterEqual(len(versions), 2, text)
        self.assertRegex(text, r"\.shape(\[0\])? ?(==|!=|<=|>=|<|>)|(==|!=|<=|>=|<|>) L\['x'\]\.shape")


def _add(name: str, backend: str) -> None:
    def test(self: Snippets) -> None:
        self.check_snippet(name, backend)

    setattr(Snippets, "test_%s_%s" % (name, backend), test)


for _i, _name in enumerate(SNIPPETS):
    for _j, _backend in enumerate(BACKENDS):
        # What one older torch leaves out, another has.
        if not support.HALF or (_i + _j + support.TORCH[1] // 2) % len(BACKENDS) == 0:
            _add(_name, _backend)


if __name__ == "__main__":
    unittest.main()
