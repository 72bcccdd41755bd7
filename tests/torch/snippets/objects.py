"""Objects of the user's own classes, and constants that have no literal."""

from __future__ import annotations

import collections
import dataclasses
import enum
from typing import Any, NamedTuple

import torch

from ._base import numbers, say, snippet


@dataclasses.dataclass
class Pair:
    left: Any
    right: Any = 2

    def scaled(self):
        return self.left * self.right


class Point(NamedTuple):
    x: Any
    y: Any = 0


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Base:
    factor = 2

    def __init__(self, k):
        self.k = k

    def apply(self, x):
        return x * self.k

    @property
    def double(self):
        return self.k * 2

    @classmethod
    def make(cls, k):
        return cls(k + cls.factor)

    @staticmethod
    def shift(x):
        return x + 1

    def __call__(self, x):
        say("called")
        return self.apply(x) + self.double

    def __add__(self, other):
        return type(self)(self.k + other)

    def __getitem__(self, i):
        return self.k * i


class Derived(Base):
    factor = 3

    def apply(self, x):
        say("derived")
        return super().apply(x) + super().double


@snippet
def dataclass_instance():
    def make(x):
        p = Pair(x + 1)
        say("made")
        q = Pair(p.scaled(), right=3)
        return q.scaled(), p.right, q.left

    return make, [(numbers(4),)]


@snippet
def dataclass_argument():
    def use(pair):
        y = pair.scaled()
        say(pair.right)
        pair.right = y
        return pair.scaled(), pair.left

    return use, [(Pair(numbers(4)),), (Pair(numbers(4), 5),)]


@snippet
def dataclass_returned():
    def make(x):
        y = x * 2
        say("before")
        return Pair(y, [y, x])

    return make, [(numbers(4),)]


@snippet
def named_tuple():
    def make(x):
        p = Point(x + 1)
        say(p.y)
        q = p._replace(y=p.x * 2)
        return q, Point(*q).x, collections.OrderedDict(a=q.y)

    return make, [(numbers(4),)]


@snippet
def super_and_properties():
    thing = Derived(3)

    def use(x):
        return thing(x) + Derived.make(1).apply(x) + Base.shift(x) + (thing + 1)[2]

    return use, [(numbers(4),)]


@snippet
def irregular_constants():
    def use(x):
        a = x.to(torch.float64) * float("inf")
        say("before")
        b = torch.zeros(2, dtype=torch.complex64) + 1j
        c = torch.full((2,), float("nan"), device=torch.device("cpu"))
        say(torch.int8, Color.RED, b"bytes", frozenset([1]), ...)
        return a, b, c, torch.Size([1, 2]), 10**30, -0.0, Color.BLUE, x[..., None], torch.float16

    return use, [(numbers(4),)]


@snippet
def enum_argument():
    def use(x, color):
        y = x + 1
        say(color)
        if color is Color.RED:
            return y * 2, color
        return y, color.name

    return use, [(numbers(4), Color.RED), (numbers(4), Color.BLUE)]


@snippet
def types_and_tests():
    def use(x, thing):
        kind = type(thing)
        say(kind)
        if isinstance(thing, (list, tuple)) and not callable(thing):
            return kind([x, x + 1]), hasattr(x, "shape"), getattr(x, "nothing", None)
        return x, kind.__name__, issubclass(kind, dict)

    return use, [(numbers(4), []), (numbers(4), ()), (numbers(4), {})]


@snippet
def slices_and_shapes():
    def use(x):
        n, m = x.shape
        part = slice(1, n - 1)
        say(n)
        return x[part, ::2], x.view(-1, m), x.size(), x[1:, -1], part

    return use, [(numbers(5, 4),), (numbers(7, 6),)]


@snippet
def text_work():
    def use(x, name):
        label = f"{name:>6}/{x.shape[0]}"
        say(label)
        parts = label.strip().split("/")
        return x + len(parts), "-".join(parts), "%s %r" % (name, parts[0]), label.upper()

    return use, [(numbers(4), "ab")]


@snippet
def tensor_subclass():
    class Tagged(torch.Tensor):
        pass

    def use(x):
        y = x.as_subclass(Tagged) * 2
        say("tagged")
        return (y + 1).as_subclass(torch.Tensor)

    return use, [(numbers(4),)]


@snippet
def sets():
    """Sets made before a break and used behind it, an empty one and one of constants too."""

    class Holder:
        def __init__(self):
            self.names = set()

    def fn(x, holder):
        empty, known, mixed = set(), {"a", "b", "c"}, {x.shape[0], 7}
        holder.names = set()
        say("here")
        holder.names.add("n")
        empty.add(1)
        y = x * len(known | {"d"}) + len(mixed)
        return (
            y,
            empty,
            known,
            sorted(mixed),
            {1, 2, 3, 4},
            list({8, 0, 16}),
            {(1, 2), None, 2.5},
            {-1, 8, 40},
            holder.names,
            frozenset(known),
        )

    return fn, [(numbers(4), Holder())]


@snippet
def attributes_without_a_dot():
    """Attributes and arguments whose names no source can write."""

    class Holder:
        pass

    told = torch._dynamo.disable(lambda *args, **options: None)

    def fn(x, holder):
        setattr(holder, "2", x + 1)
        setattr(holder, "class", holder)
        setattr(holder, "to go", 1)
        setattr(holder, "a b", [x.shape[0]])
        delattr(holder, "to go")
        told("here", **{"a b": x.shape[0], "n": 1, "class": holder, "None": 3})
        y = getattr(holder, "2") * 2
        setattr(getattr(holder, "class"), "a b", getattr(holder, "a b") + [1])
        delattr(holder, "2")
        say("there")
        return y, getattr(holder, "a b"), sorted(vars(holder))

    return fn, [(numbers(4), Holder())]
