"""Modules: hooks, buffers, containers, training."""

from __future__ import annotations

import torch

from ._base import numbers, say, snippet


def filled(module):
    """Weights that are the same in every run."""
    for n, p in enumerate(module.parameters()):
        with torch.no_grad():
            p.copy_(numbers(*p.shape, seed=n) / 4)
    return module


@snippet
def norm_silu_conv():
    class Block(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm = torch.nn.GroupNorm(2, 4)
            self.act = torch.nn.SiLU()
            self.conv = torch.nn.Conv2d(4, 4, 3, padding=1)

        def forward(self, x):
            y = self.act(self.norm(x))
            say("between", y.shape)
            return self.conv(y)

    return filled(Block()), [(numbers(1, 4, 6, 6),)]


@snippet
def pre_hook_and_super():
    class Base(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = torch.nn.Linear(4, 4)

        def forward(self, x):
            return self.linear(x)

    class Child(Base):
        def __init__(self) -> None:
            super().__init__()
            self.register_forward_pre_hook(lambda module, args: (args[0] * 2,))

        def forward(self, x):
            say("child")
            return super().forward(x) + 1

    return filled(Child()), [(numbers(2, 4),)]


@snippet
def module_list():
    class Stack(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layers = torch.nn.ModuleList(torch.nn.Linear(4, 4) for _ in range(3))
            self.heads = torch.nn.ModuleDict({"a": torch.nn.Linear(4, 2), "b": torch.nn.Linear(4, 1)})

        def forward(self, x, head):
            for i, layer in enumerate(self.layers):
                x = layer(x).relu() if i else layer(x)
            say(head)
            return self.heads[head](x)

    return filled(Stack()), [(numbers(2, 4), "a"), (numbers(2, 4), "b")]


@snippet
def buffers_and_counters():
    class Counter(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("mean", torch.zeros(4))
            self.calls = 0
            self.cache = {}

        def forward(self, x):
            self.calls += 1
            self.mean = self.mean * 0.5 + x * 0.5
            say(self.calls)
            self.cache[self.calls] = self.mean
            self.mean.add_(1)
            return self.mean + self.calls, len(self.cache)

    return Counter(), [(numbers(4),), (numbers(4, seed=1),)]


@snippet
def batch_norm_training():
    class Net(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm = torch.nn.BatchNorm1d(4)
            self.drop = torch.nn.Dropout(0.0)

        def forward(self, x):
            y = self.norm(x)
            say("normed")
            return self.drop(y), self.norm.running_mean

    return Net(), [(numbers(3, 4),), (numbers(3, 4, seed=1),)]


@snippet
def training_step():
    model = filled(torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def step(x, y):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step, [(numbers(3, 4), numbers(3, 1)), (numbers(3, 4, seed=1), numbers(3, 1))]


@snippet
def adam_step():
    model = filled(torch.nn.Linear(4, 2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)

    def step(x):
        loss = model(x).square().sum()
        loss.backward()
        say("backward")
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return [p.detach().clone() for p in model.parameters()]

    return step, [(numbers(3, 4),), (numbers(3, 4, seed=1),)]


@snippet
def generation_loop():
    table = torch.nn.Embedding(8, 8)
    filled(table)

    def generate(tokens, steps):
        for _ in range(steps):
            scores = table(tokens)[:, -1]
            best = scores.argmax(-1, keepdim=True)
            if best.item() == 7:
                break
            tokens = torch.cat([tokens, best], dim=1)
        return tokens

    return generate, [(torch.tensor([[1, 2]]), 3)]


@snippet
def growing_cache():
    class Cached(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = torch.nn.Linear(4, 4)

        def forward(self, x, past=None):
            k = self.linear(x)
            if past is not None:
                k = torch.cat([past, k], dim=0)
            say(k.shape[0])
            return torch.nn.functional.scaled_dot_product_attention(x[None], k[None], k[None])[0], k

    return filled(Cached()), [(numbers(1, 4),), (numbers(1, 4), numbers(2, 4)), (numbers(1, 4), numbers(5, 4))]


@snippet
def class_made_inside():
    """A frame that a break cuts behind super(), which nothing behind it uses."""

    def fn(x):
        class Scale(torch.nn.Module):
            def __init__(self):
                super(Scale, self).__init__()  # noqa: UP008
                self.a = 3

            def forward(self, v):
                return v * self.a

        return Scale()(x + 1)

    return fn, [(numbers(4),)]
