"""The examples of depyf's documentation, and bugs that users have reported."""

from __future__ import annotations

import logging

import torch

from ._base import numbers, say, snippet

logger = logging.getLogger("depyf.tests.snippets")
logger.propagate = False
logger.addHandler(logging.NullHandler())


@snippet
def logs():
    def noisy(x):
        y = x + 1
        logger.info("shape %s", y.shape)
        if y.sum() > 0:
            logger.warning("positive")
        return y * 2

    return noisy, [(numbers(4).abs(),), (-numbers(4).abs() - 2,)]


@snippet
def no_graph_loop():
    def nothing(n):
        names = []
        for i in range(n):
            names.append("n%d" % i)
        say(names)
        return ", ".join(names)

    return nothing, [(2,), (3,)]


@snippet
def cell_variables():
    def outer(x):
        a, b = x + 1, 2

        def read():
            return a * b

        def write(v):
            nonlocal b
            b = v

        write(3)
        say(b)
        write(b + 1)
        return read(), b

    return outer, [(numbers(4),)]


@snippet
def list_comprehension_cell():
    def outer(x):
        assert x.shape[0] > 0
        say(x)
        return [x for _ in [None]], [lambda: x for _ in [None]][0]()

    return outer, [(numbers(4),)]


@snippet
def both_arms_return():
    def arms(a, b):
        if b.sum() < 0:
            b = b * -1
        return a * b

    return arms, [(numbers(4), numbers(4).abs()), (numbers(4), -numbers(4).abs())]


@snippet
def attention_mask():
    def mask(attention, inputs, past):
        batch, length = inputs.shape[:2]
        if attention is not None and torch.all(attention == 1):
            if length == 1:
                return None
            if past == 0:
                attention = None
        if attention is None:
            wide = torch.full((length, length + past), float("-inf"))
            return torch.triu(wide, diagonal=past + 1)[None, None].expand(batch, 1, -1, -1)
        return attention[:, None, None, :].expand(batch, 1, length, -1)

    return mask, [
        (None, numbers(2, 3, 4), 0),
        (torch.ones(2, 3), numbers(2, 3, 4), 0),
        (torch.tensor([[1, 1, 0], [1, 1, 1]]), numbers(2, 3, 4), 0),
        (torch.ones(2, 4), numbers(2, 1, 4), 3),
    ]
