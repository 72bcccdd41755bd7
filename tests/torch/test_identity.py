"""Dynamo sees the same code objects, and compiles the same frames, whether it is watched or not."""

from __future__ import annotations

import re
import unittest
from types import CodeType
from typing import Any, Callable

import support
import torch
from depyf._torch import swap
from support import TorchCase, dumping, equal
from torch._dynamo import convert_frame


def rest_uses_nothing() -> Callable[..., Any]:
    w = torch.ones(4)

    def f(x: Any) -> Any:
        y = x * w
        print("a")
        y = y + 1
        print("b")
        return y * 2

    return f


def lambdas() -> Callable[..., Any]:
    w = torch.ones(4)

    def f(x: Any) -> Any:
        y = x * w
        print("a")
        g = lambda t: t + 1  # noqa: E731
        h = lambda t: t + w  # noqa: E731
        y = g(y)
        print("b")
        y = h(y)
        print("c")
        return y * 2

    return f


def inner_functions() -> Callable[..., Any]:
    v, w, n = torch.ones(4), torch.ones(4), 0

    def f(x: Any) -> Any:
        nonlocal n
        y = x * w
        print("a")
        print("b")
        n = n + 1
        print("c")
        z = [v + i for i in range(2)]
        print("d")

        def inner(t: Any) -> Any:
            print("e")
            return t + w

        first = inner(y * 2)

        def inner(t: Any) -> Any:  # noqa: F811  Two functions of one name.
            print("f")
            return t - w

        return first, inner(y), z, n

    return f


def methods() -> Callable[..., Any]:
    class Base:
        def scaled(self, x: Any) -> Any:
            return x * 2

    class Derived(Base):
        def scaled(self, x: Any) -> Any:
            y = super().scaled(x)
            print("a")
            y = y + 1
            print("b")
            return y * 2

    return Derived().scaled


def inner_classes() -> Callable[..., Any]:
    w = torch.ones(4)

    def f(x: Any) -> Any:
        y = x * w
        print("a")

        class Doubled:
            by = 2

            def of(self, t: Any) -> Any:
                print("b")
                return t * self.by + w

        y = Doubled().of(y)
        print("c")
        pair = [lambda t: t + 1, lambda t: t - w]  # noqa: E731
        print("d")
        return [g(y) for g in pair], Doubled.__qualname__, [g.__qualname__ for g in pair]

    return f


def attributes() -> Callable[..., Any]:
    def f(shape: Any) -> Any:
        def inner(t: Any) -> Any:
            return t + shape

        y = inner(shape * 2)
        print("a")
        return y + y.shape[0]  # No use of the variable that an attribute is called like.

    return f


def comprehension_cells() -> Callable[..., Any]:
    def f(x: Any) -> Any:
        a = x + 1
        print("a")
        added = [lambda t: t + i + a for i in range(2)]  # noqa: B023  In 3.12, i is a cell before a.
        print("b")
        return [g(x) for g in added], lambda: a

    def first(x: Any) -> Any:
        values, last = f(x)
        return values, last()

    return first


def conditions() -> Callable[..., Any]:
    w = torch.ones(4)

    def f(x: Any) -> Any:
        y = x * w
        if y.sum() > 3:  # Two resume functions of one name, which capture the same.
            return y + w
        return y - w

    def g(x: Any) -> Any:
        return f(x), f(-x)

    return g


PROGRAMS = [
    rest_uses_nothing,
    lambdas,
    inner_functions,
    methods,
    inner_classes,
    attributes,
    comprehension_cells,
    conditions,
]


def compiled(program: Callable[[], Callable[..., Any]]) -> tuple[list[Any], list[tuple[str, str, int]]]:
    """Run a program, compiled; return its results and the frames that Dynamo compiled."""
    frames: list[tuple[str, str, int]] = []

    def note(old: CodeType, new: CodeType) -> None:
        frames.append((old.co_name, old.co_filename, old.co_firstlineno))

    torch._dynamo.reset()
    handle = convert_frame.register_bytecode_hook(note)
    try:
        f = torch.compile(program(), backend="eager")
        return [f(torch.arange(n, dtype=torch.float32)) for n in (4, 4, 1)], frames
    finally:
        handle.remove()


@support.needs_program
class Identity(TorchCase):
    def check_program(self, program: Callable[[], Callable[..., Any]]) -> None:
        with self.quiet():
            want, frames = compiled(program)
        with self.quiet(), dumping(self.folder) as dump:
            got, watched = compiled(program)
        self.assertTrue(equal(want, got), "%r\n%r" % (want, got))
        if support.TORCH >= (
            2,
            3,
        ):  # Before, what a resume function captures is not sorted: it is a stranger to Dynamo.
            self.assertEqual(watched, frames)
        self.assertGreater(len(frames), 3)
        self.check(dump)
        self.assertEqual(dump.unswapped(), [])

    @unittest.skipIf(support.TORCH < (2, 3), "resume functions of torch 2.2 that capture are strangers to Dynamo")
    def test_who_calls_what(self) -> None:
        """Resume functions with cells are found behind what Dynamo calls, also when its globals are gone."""
        with self.quiet(), dumping(self.folder) as dump:
            compiled(rest_uses_nothing)
            torch._dynamo.reset()
        self.check(dump)
        index = (dump.folder / "index.md").read_text(encoding="utf-8")
        self.assertNotIn("never compiled", index)
        self.assertNotIn("not known", index)
        whole = (dump.folder / "full_code_for_f_0.py").read_text(encoding="utf-8")
        self.assertEqual(len(re.findall(r"^# ---- .*: the rest of the function", whole, re.M)), 2)
        code = (dump.folder / "__transformed_code_0_for_f.py").read_text(encoding="utf-8")
        self.assertRegex(code, r"\(\s*(\[\], \[\], )?\w+, y(_2)?\s*\)\n")  # y, as the resume function calls it.

    def test_pairs(self) -> None:
        """A function that is not the one of the proof gets nobody's code object."""
        module = compile("def f():\n    def a(): return 1\n    def b(): return 2\n    return a(), b()\n", "f", "exec")
        (f,) = (c for c in module.co_consts if isinstance(c, CodeType))
        a, b = (c for c in f.co_consts if isinstance(c, CodeType))
        made = swap._with_original_functions(f, f, [[1, "a", 1], [0, "b", 2]])
        self.assertEqual([c for c in made.co_consts if isinstance(c, CodeType)], [b, a])
        for proved in ([[0, "b", 2], [1, "a", 1]], [[0, "a", 2], [1, "b", 1]]):
            with self.assertRaisesRegex(swap.CannotSwap, "is not the"):
                swap._with_original_functions(f, f, proved)


def _add(program: Callable[[], Callable[..., Any]]) -> None:
    setattr(Identity, "test_" + program.__name__, lambda self: self.check_program(program))


for _program in PROGRAMS:
    _add(_program)


if __name__ == "__main__":
    unittest.main()
