"""Functions that Dynamo gives up in the middle of: a graph, then the rest as it was.

Two operations stand before the statement that cannot be resumed, or Dynamo has
nothing worth compiling and leaves the whole function alone.
"""

from __future__ import annotations

import contextlib
import textwrap
from typing import Any

import torch

from ._base import numbers, say, snippet


class Told:
    """A context manager that Dynamo cannot trace."""

    def __init__(self, *swallows: Any) -> None:
        self.swallows = swallows

    def __enter__(self) -> int:
        say("enter")
        return 2

    def __exit__(self, kind: Any, *rest: Any) -> bool:
        say("exit")
        return kind in self.swallows


@contextlib.contextmanager
def told(n):
    say("enter")
    yield n
    say("exit")


def count(*args, **named):
    return len(args) + 10 * len(named)


def sent(function: Any, *args: Any) -> Any:
    """Run a coroutine that waits for nothing. Dynamo leaves this frame alone, not those inside."""
    try:
        function(*args).send(None)
    except StopIteration as e:
        return e.value
    raise AssertionError("the coroutine waits")


sent = torch._dynamo.disable(sent, recursive=False)


def newer(text: str) -> Any:
    """Define a function whose syntax this file's linter does not know."""
    names = dict(globals())
    exec(textwrap.dedent(text), names)
    return names["build"]


@snippet
def tail_with():
    def build(a):
        b = a.sin() * 2
        with Told() as n:
            b = b * n
        return b + n

    return build, [(numbers(4),)]


@snippet
def tail_with_ways_out():
    def build(a, k):
        b = a.sin() * 2
        with Told(KeyError) as n, told(3) as m:
            if k == 0:
                return b * n
            if k == 1:
                raise KeyError(k)
            b = b * m
        return b + k

    return build, [(numbers(4), 0), (numbers(4), 1), (numbers(4), 2)]


@snippet
def tail_with_in_loops():
    def build(a):
        b = a.sin() * 2
        for i in range(4):
            with Told():
                if i == 1:
                    continue
                b = b + i
                if i == 2:
                    break
        n = 0
        while True:
            n += 1
            with told(n):
                b = b * n
                if n == 2:
                    break
        return b - n

    return build, [(numbers(4),)]


@snippet
def tail_loop():
    def build(a):
        b = a.sin() * 2
        with Told():
            for i in range(3):
                for j in range(2):
                    if i == j:
                        say(i)
                    b = b * 2 + i
                else:
                    b = b - 1
        return b

    return build, [(numbers(4),)]


@snippet
def tail_while():
    def build(a):
        b = a.sin() * 2
        n = 4
        while n:
            n -= 1
            with Told():
                b = b + n
            if n == 1:
                continue
            b = b * 2
        else:
            b = b - 1
        return b

    return build, [(numbers(4),)]


@snippet
def tail_comprehensions():
    def build(a):
        b = a.sin() * 2
        listed = [[say(j) or b * j for j in range(i)] for i in range(3) if say(i) or i]
        table = {k: say(k) for k in "ab"}
        return b, listed, table, {say(k) or k for k in range(2)}

    return build, [(numbers(4),)]


@snippet
def tail_try():
    def build(a, k):
        b = a.sin() * 2
        try:
            b = b * 2
            say(1)
            if k == 0:
                raise ValueError(k)
            if k == 1:
                return b
        except ValueError as e:
            b = b - len(e.args)
        else:
            b = b * 3
        finally:
            b = b + 5
            say(2)
        return b + 1

    return build, [(numbers(4), 0), (numbers(4), 1), (numbers(4), 2)]


@snippet
def tail_try_in_loop():
    def build(a):
        b = a.sin() * 2
        for i in range(3):
            try:
                say(i)
                if i == 1:
                    raise ValueError
                b = b * 2
            except ValueError:
                b = b + 1
                continue
            finally:
                b = b + 3
        return b

    return build, [(numbers(4),)]


@snippet
def tail_try_nested():
    def build(a):
        b = a.sin() * 2
        try:
            try:
                say(1)
                b = b * 2
                raise KeyError("a")
            except KeyError:
                b = b + 1
                raise ValueError("b")  # noqa: B904
        except (ValueError, TypeError) as e:
            b = b + len(str(e.__context__))
        return b

    return build, [(numbers(4),)]


@snippet
def tail_groups():
    build = newer(
        """
        def build(a):
            b = a.sin() * 2
            try:
                say(1)
                raise ExceptionGroup("g", [ValueError(1), TypeError(2)])
            except* ValueError as e:
                b = b + len(e.exceptions)
            except* TypeError:
                b = b + 2
            return b
        """
    )
    return build, [(numbers(4),)]


@snippet
def tail_match():
    build = newer(
        """
        def build(a, v):
            b = a.sin() * 2
            with Told():
                match v:
                    case {"k": k, **rest}:
                        b = b + k + len(rest)
                    case [p, *q] if say(p) is None and q:
                        b = b * p
                    case (p,):
                        b = b - p
                    case int(n) | float(n):
                        b = b + n
                    case _:
                        b = -b
            return b * 2
        """
    )
    values = {"k": 1, "l": 2}, [1, 2], (3,), 5, ""
    return build, [(numbers(4), v) for v in values]


@snippet
def tail_text_and_stars():
    def build(a, rest, named):
        b = a.sin() * 2
        with Told():
            text = f"{rest!r}{len(rest)!s:>4}{say(1)!r:{8}}"
            b = b + count(b, *rest, say(2), k=say(3), **named, **{"z": 1})
        return b, text

    return build, [(numbers(4), [1, 2], {"p": 1})]


@snippet
def tail_functions():
    def build(a):
        b = a.sin() * 2
        with Told():

            def inner(c, k=b):
                nonlocal b
                b = b + c
                return b * k

            made = [lambda: b + i for i in range(2)]  # noqa: B023
            b = inner(a) + sum(f() for f in made)
        return b, [f() for f in made]

    return build, [(numbers(4),)]


@snippet
def slice_objects():
    def build(a, n):
        b = a.sin() * 2
        say(1)
        return b + n, slice(0, n), [slice(n), (slice(n, None, 2), 1)]

    return build, [(numbers(4), 3), (numbers(4), 5)]


@snippet
def tail_in_loop_of_coroutine():
    async def step(a):
        b = a.sin() * 2
        try:
            n = 0
            while not n >= 3:
                n += 1
                assert isinstance(len("tail"), int), count
        finally:
            b = torch.zeros_like(b[b > 9].sum())
        return [count(1, 2), b]

    def build(a):
        return sent(step, a)

    return build, [(numbers(4),)]


@snippet
def comprehension_over_captured_name():
    def build(a, n):
        say(1)
        b = a.sin() * 2
        readers = []
        try:
            for i in range(n):

                def read():
                    return i  # noqa: B023

                readers.append(read)
        finally:
            left = {i % 3 for i in range(5)}
        return b, [read() for read in readers], sorted(left)

    return build, [(numbers(4), 3)]
