"""What a function changes outside itself is written back after the graph."""

from __future__ import annotations

import collections
import random

import numpy as np
import torch

from ._base import numbers, say, snippet

total = 0
table: dict = {}


class Shelf:
    def __init__(self) -> None:
        self.items: list = []
        self.count = 0

    def __eq__(self, other):
        return type(other) is Shelf and self.count == other.count and len(self.items) == len(other.items)


@snippet
def arguments_changed():
    def change(x, box, names):
        box.append(x * 2)
        box.extend([x, x + 1])
        names["n"] = len(box)
        say("changed")
        del box[0]
        names.update(m=x.sum(), k=box[-1])
        names.pop("n")
        return box, names

    return change, [(numbers(4), [1], {"a": 2})]


@snippet
def arguments_changed_without_break():
    def change(x, box, names):
        box.append(x * 2)
        box.insert(0, x)
        box[1] = x - 1
        names["n"] = x + 1
        return x.sin()

    def call(x, box, names):
        return change(x, box, names), box, names

    return call, [(numbers(4), [1], {"a": 2})]


@snippet
def collections_changed():
    def change(x, queue, seen, counts):
        queue.append(x)
        queue.popleft()
        seen.add(3)
        counts["k"] += 1
        say("changed")
        return queue, seen, counts, x + 1

    return change, [(numbers(4), collections.deque([1, 2]), {1}, collections.defaultdict(int))]


@snippet
def attributes_changed():
    def change(x, shelf):
        shelf.count += 1
        shelf.items.append(x)
        shelf.last = x.sin()
        say("changed")
        shelf.count *= 2
        del shelf.last
        return shelf, shelf.count, x * shelf.count

    return change, [(numbers(4), Shelf())]


@snippet
def globals_changed():
    def change(x):
        global total
        total = 1
        table.clear()
        table["x"] = x.shape[0]
        say("changed")
        total += table["x"]
        return x * total, total, dict(table)

    return change, [(numbers(4),)]


@snippet
def cell_changed():
    state = 0
    seen = []

    def change(x):
        nonlocal state
        state = 3
        seen.append(state)
        say("changed")
        state += len(seen)
        return x * state, list(seen)

    return change, [(numbers(4),)]


@snippet
def object_made():
    def make(x):
        shelf = Shelf()
        shelf.items.append(x * 2)
        shelf.count = 5
        say("made")
        shelf.items.append(x)
        return shelf, shelf.items[0] + shelf.items[1]

    return make, [(numbers(4),)]


@snippet
def in_place():
    def change(x, y):
        x.add_(1)
        y[0] = x[1]
        say("changed")
        x.mul_(2)
        view = y.view(2, 2)
        view[1, 1] = 7
        return x, y, view

    return change, [(numbers(4), numbers(4, seed=1))]


@snippet
def random_numbers():
    def draw(x):
        random.seed(3)
        say("seeded")
        return x * random.random() + random.randint(1, 9), random.uniform(1, 2)

    return draw, [(numbers(4),)]


@snippet
def random_tensors():
    def draw(x):
        torch.manual_seed(5)
        say("seeded")
        y = torch.rand(4)
        say("drawn")
        return x + y + torch.rand(4)

    return draw, [(numbers(4),)]


@snippet
def numpy_arrays():
    def mixed(a, x):
        b = np.sin(a) + 1
        say("numpy")
        c = b * x.numpy()
        return c.sum(), c, torch.from_numpy(c) + x

    return mixed, [(np.arange(4, dtype=np.float32), numbers(4))]


@snippet
def deleted_locals():
    def drop(x, k):
        y = x + k
        del x
        say("dropped")
        z = y * 2
        del y
        say("again")
        return z, k

    return drop, [(numbers(4), 3)]


@snippet
def deleted_in_closure():
    w = numbers(4, seed=2)

    def drop(x, k):
        y = x + w
        del x
        say("dropped")
        return y * w if k else x  # noqa: F821 - the variable is unbound here, which is what this is about

    return drop, [(numbers(4), 3)]


@snippet
def maybe_bound():
    def maybe(x, flag):
        if flag:
            z = x * 2
        say(flag)
        if flag:
            return z
        return x

    return maybe, [(numbers(4), True), (numbers(4), False)]


@snippet
def unbound():
    def lost(x, flag):
        if flag:
            z = x * 2
        say(flag)
        return z + 1

    return lost, [(numbers(4), True), (numbers(4), False)]


@snippet
def many_variables():
    def many(x):
        a, b, c, d, e = x + 1, x + 2, x + 3, 4, "five"
        say(d)
        f, g = a * b, (c, d)
        say(e)
        return a, b, c, d, e, f, g, [a, {"b": b}]

    return many, [(numbers(4),)]


@snippet
def tensor_hook():
    def hooked(x):
        y = x * 2
        y.register_hook(lambda g: g * 3)
        say("hooked")
        (grad,) = torch.autograd.grad(y.sum(), x)
        return y.detach(), grad

    return hooked, [(numbers(4).requires_grad_(),)]


events: list = []


@snippet
def locals_behind_a_store():
    """What Dynamo stores again stands between `locals` on the stack and its call."""

    def look(x, n):
        events.clear()
        say(n)
        events.append(n)
        seen = locals()
        return x.sin(), sorted(seen), events[:]

    return look, [(numbers(4), 3)]


@snippet
def locals_behind_a_match():
    """The subject of a match whose first case only its guard can refuse is in no variable that locals() sees."""

    def look(x, s, n):
        x = x + n
        say(s)
        match (len(str(x.dtype)), s):
            case _ if n > 5:
                say(1)

                def again(t):
                    nonlocal s
                    s = again(t) + x
                    return s

                y = again
            case (got, also) if also:
                y = locals()
                x = x * len([k for k in ("x", "s") if k in y])
        return x, sorted(y), got

    return look, [(numbers(4), "a", 3)]
