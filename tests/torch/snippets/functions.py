"""Functions made, wrapped, passed on and returned around graph breaks."""

from __future__ import annotations

import functools

import torch

from ._base import numbers, say, snippet


def twice(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        say("wrapped")
        return fn(fn(*args, **kwargs), **kwargs)

    return wrapper


@snippet
def returns_function():
    def outer(x):
        k = x.sum()

        def later(v, scale=2, *, shift=1):
            return v * scale + k + shift

        say("made")
        return later, later(x)

    return outer, [(numbers(4),)]


@snippet
def returns_lambda():
    def outer(x, n):
        y = x * n
        say("made")
        return (lambda v: v + n), y

    return outer, [(numbers(4), 3)]


@snippet
def inner_with_defaults():
    def outer(x):
        def inner(v, k=2, *rest, s=3, **named):
            return v * k + s + len(rest) + len(named)

        y = inner(x)
        say("between")
        return inner(y, 4, 5, s=6, t=7)

    return outer, [(numbers(4),)]


@snippet
def annotated_inner():
    def outer(x):
        y = x + 1
        say("before")

        def inner(v: int, k: float = 2.0) -> float:
            "A docstring."
            return v * k

        return inner(y), inner.__doc__

    return outer, [(numbers(4),)]


@snippet
def nonlocal_counter():
    def outer(x):
        n = 0

        def bump():
            nonlocal n
            n += 1
            return n

        bump()
        say(n)
        bump()
        return x * n

    return outer, [(numbers(4),)]


@snippet
def nested_closures():
    def outer(x):
        a = 2

        def middle(v):
            b = a + 1

            def inner(w):
                return w * a + b

            say("middle")
            return inner(v) + b

        return middle(x) + middle(x + a)

    return outer, [(numbers(4),)]


@snippet
def closure_over_argument():
    def outer(x, scale):
        def times(v):
            return v * scale

        say("before")
        scale = scale + 1
        return times(x) + 1, [f(x) for f in (times, lambda v: v - scale)]

    return outer, [(numbers(4), 2)]


@snippet
def cells_nobody_reads():
    """Variables of inner functions that are gone from Dynamo's code, though the frame has them."""

    def outer(x, past=None):
        rows = x.shape[0]

        def shape(v):
            return v.view(rows, -1)

        def project(v, past):
            if past is None:
                v = shape(v * 2)
            return v

        return project(x, past), shape(x) + 1

    return outer, [(numbers(4),)]


@snippet
def closure_over_tensor():
    weight = numbers(4, seed=3)

    def outer(x):
        def apply(v):
            return v * weight + x

        y = apply(x)
        say("between")
        return apply(y)

    return outer, [(numbers(4),)]


@snippet
def decorated():
    @twice
    def scale(x, by=2):
        return x * by

    def call(x):
        return scale(x, by=3) + scale(x)

    return call, [(numbers(4),)]


@snippet
def partial_function():
    def weigh(x, w, *, bias):
        say("weigh")
        return x * w + bias

    def call(x):
        light = functools.partial(weigh, bias=1)
        heavy = functools.partial(light, w=3)
        return light(x, 2) + heavy(x)

    return call, [(numbers(4),)]


@snippet
def passed_on():
    def entry(x, *rest, **named):
        say(len(rest), sorted(named))
        return forward(x, *rest, **named)

    def forward(x, y, z=1, *, scale):
        return (x + y) * z + scale

    def call(x):
        return entry(x, x + 1, scale=2) - entry(x, x, 3, scale=4)

    return call, [(numbers(4),)]


@snippet
def keyword_entry():
    def entry(x, **named):
        y = x * named["scale"]
        say(sorted(named))
        return y + named["bias"], named

    def call(x, scale, bias):
        return entry(x, scale=scale, bias=bias)

    return call, [(numbers(4), 2, numbers(4, seed=1))]


@snippet
def sort_with_key():
    def order(x, names):
        say("sort")
        order = {"b": 0, "a": 1, "c": 2}
        return x + 1, sorted(names, key=lambda n: order[n]), list(map(lambda n: n + "!", names))

    return order, [(numbers(4), ["a", "b", "c"])]


@snippet
def comprehension_scopes():
    def build(x, k):
        say("before")
        parts = [x * i + k for i in range(3)]
        table = {i: [j * k for j in range(i)] for i in range(3)}
        return parts, table, {i % 2 for i in range(k)}

    return build, [(numbers(4), 3)]


@snippet
def comprehension_in_callee():
    def inner(x):
        return [say(i) or x + i for i in range(2)]

    def outer(x):
        a, b = inner(x)
        return a * b

    return outer, [(numbers(4),)]


@snippet
def disabled_method():
    class Model(torch.nn.Module):
        @torch._dynamo.disable
        def log(self, y):
            return y.mean().item() > 100

        def forward(self, x):
            y = x * 2
            if self.log(y):
                return y
            return y + 1

    return Model(), [(numbers(4),)]


@snippet
def closure_of_both_cells():
    """A function that captures a variable of the frame's own and one of a call that was inlined."""

    def outer(x):
        z = x + 1

        def made(a):
            return lambda v: v * a + z

        later = made(3)
        say("made")
        return later(x), z

    return outer, [(numbers(4),)]
