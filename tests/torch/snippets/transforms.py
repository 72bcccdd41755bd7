"""Operators that take functions: cond, while_loop, checkpoint, torch.func."""

from __future__ import annotations

import torch

from ._base import numbers, say, snippet


@snippet
def cond():
    def choose(x):
        y = x + 1
        say("before")
        return torch.cond(y.sum() > 0, lambda v: v.sin(), lambda v: v.cos(), (y,))

    return choose, [(numbers(4).abs(),), (-numbers(4).abs() - 2,)]


@snippet
def while_loop():
    def repeat(x):
        try:
            from torch._higher_order_ops.while_loop import while_loop
        except ImportError:
            return x
        say("before")
        n = torch.tensor(0)
        return while_loop(lambda n, v: n < 3, lambda n, v: (n + 1, v * 2), (n, x))

    return repeat, [(numbers(4),)]


@snippet
def checkpoint():
    from torch.utils.checkpoint import checkpoint as again

    def use(x):
        y = again(lambda v: v.sin() * 2, x, use_reentrant=False)
        say("between")
        return again(torch.cos, y, use_reentrant=False).sum()

    return use, [(numbers(4).requires_grad_(),)]


@snippet
def func_transforms():
    def use(x):
        g = torch.func.grad(lambda v: (v * v).sum())(x)
        say("between")
        return torch.func.vmap(lambda v: v.sum() + 1)(x[None]), g

    return use, [(numbers(4),)]


@snippet
def autograd_function_saved():
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, k):
            ctx.save_for_backward(x)
            ctx.k = k
            return x * x * x * k

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return 3 * x * x * grad * ctx.k, None

    def use(x):
        y = Cube.apply(x, 2)
        say("cubed")
        (grad,) = torch.autograd.grad(Cube.apply(y, 1).sum(), x)
        return grad, y.detach()

    return use, [(numbers(4).requires_grad_(),)]


@snippet
def default_device_and_dtype():
    def use(x):
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=False):
            y = x @ x
        say(torch.get_default_dtype())
        with torch.device("cpu"):
            z = torch.ones(4)
        return y + z

    return use, [(numbers(4, 4),)]


@snippet
def dynamic_sizes():
    def use(x, n):
        y = x.reshape(n, -1)
        say(y.shape)
        pad = torch.zeros(n, y.shape[1] + 1)
        return pad[:, :-1] + y, y.shape[0] * n

    return use, [(numbers(12), n) for n in (2, 3, 4, 6)]
