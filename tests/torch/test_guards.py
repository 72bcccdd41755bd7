"""Guards on identities say which object they are about."""

from __future__ import annotations

import builtins
import cmath
import enum
import math
import re
import sys
import types
import unittest
from typing import Any
from unittest import mock

import support
import torch
from depyf._torch.identities import described
from support import TorchCase, dumping


class Mode(enum.Enum):
    FAST = 1
    SLOW = 2


def double(x: Any) -> Any:
    return x * 2


def f(x: Any, flag: Any, mode: Any, fn: Any, cls: Any, table: Any) -> Any:
    if flag:
        x = x + 1
    if mode is Mode.FAST:
        x = x + math.pi
    if cls is int:
        x = x - 1
    if Mode.FAST in table:
        x = x + table[Mode.FAST]
    return fn(x)


class Own:
    pass


def of_kinds(
    x: Any, flag: Any, nothing: Any, mode: Any, cls: Any, own: Any, library: Any, builtin: Any, op: Any
) -> Any:
    if flag:
        x = x + 1
    if nothing is None:
        x = x + 2
    if mode is Mode.FAST:
        x = x + 3
    if cls is int:
        x = x + 4
    if own is Own:
        x = x + 5
    return op(x) + library.sqrt(4) + builtin([1, 2])


# Two objects of each kind.
KINDS = {
    "flag": (True, False),
    "nothing": (None, 0),
    "mode": (Mode.FAST, Mode.SLOW),
    "cls": (int, float),
    "own": (Own, Mode),
    "library": (math, cmath),
    "builtin": (len, max),
    "op": (torch.sin, torch.cos),
}


@support.needs_program
class Guards(TorchCase):
    @unittest.skipIf(support.TORCH < (2, 3), "torch 2.2 cannot compile a function that takes an enum member")
    def test_values_not_addresses(self) -> None:
        with self.quiet(), dumping(self.folder) as dump:
            compiled = torch.compile(f, backend="eager")
            for flag, mode, fn, cls in [(True, Mode.FAST, double, int), (False, Mode.SLOW, torch.sin, float)]:
                compiled(torch.ones(2), flag, mode, fn, cls, {Mode.FAST: 1})
        self.check(dump)
        text = (dump.folder / "full_code_for_f_0.py").read_text(encoding="utf-8")
        one, two = re.findall(r"^def __guard_\d_for_f\(.*?^def ", text, re.M | re.S)
        path = re.escape(Mode.__module__)
        for version, flag, mode, cls, fn in (
            (one, "True", "FAST", "int", ""),
            (two, "False", "SLOW", "float", "torch.sin"),
        ):
            self.assertRegex(version, r"\bL\['flag'\] (is|==) %s\b" % flag)
            self.assertRegex(version, r"\bL\['mode'\] is %s\.Mode\.%s\b" % (path, mode))
            self.assertRegex(version, r"\bL\['cls'\] is %s\b" % cls)
            self.assertIn("L['fn'] is " + fn if fn else "'the code of double seen when compiling'", version)
        for path in (p for p in dump.folder.iterdir() if p.suffix in (".py", ".md")):
            numbers = re.findall(r"(?<![.\d])\d{9,}", path.read_text(encoding="utf-8"))
            self.assertEqual(numbers, [], path.name)

    def test_the_very_object(self) -> None:
        """The name that a guard gives is that of the object with which it was compiled."""
        with self.quiet(), dumping(self.folder) as dump:
            compiled = torch.compile(of_kinds, backend="eager")
            for i in range(2):
                compiled(torch.ones(2), **{name: pair[i] for name, pair in KINDS.items()})
        self.check(dump)
        text = (dump.folder / "full_code_for_of_kinds_0.py").read_text(encoding="utf-8")
        versions = re.findall(r"^def __guard_\d_for_of_kinds\(.*?^def ", text, re.M | re.S)
        self.assertEqual(len(versions), 2)
        known = {**vars(builtins), **{name: module for name, module in sys.modules.items() if "." not in name}}
        for i, version in enumerate(versions):
            named = re.findall(r"\bL\['(\w+)'\] is ([\w.]+)", version)
            self.assertLessEqual({"mode", "cls", "own", "library", "op"}, {name for name, _ in named}, version)
            for name, object_ in named:
                self.assertIs(eval(object_, known), KINDS[name][i], object_)

    def test_types_without_a_name(self) -> None:
        """A type that calls itself built in and is not: its name is in the module types."""
        for value in (self.test_types_without_a_name, double, len, (lambda: (yield))(), types.SimpleNamespace(), None):
            name = described(type(value))["name"]
            self.assertIs(eval(name, {"types": types}), type(value), name)

    def test_no_expression(self) -> None:
        """What stands in a module that no expression can name is told in words."""
        module = types.ModuleType("my-module")
        module.Own = type("Own", (), {"__module__": "my-module"})  # type: ignore[attr-defined]
        with mock.patch.dict(sys.modules, {"my-module": module}):
            self.assertEqual(described(module), {"about": "module my-module"})
            self.assertEqual(described(module.Own), {"about": "type my-module.Own"})


if __name__ == "__main__":
    unittest.main()
