"""CUDA graphs: one function that gets them, and functions that do not: an input is changed, or lies on the CPU."""

import torch


def pure(x, w):
    return torch.softmax(x @ w, -1).sum(0)


def changes(x, w):
    x.add_(1)
    return (x @ w).relu()


def mixed(x, w, scale):
    return (x @ w).relu() * scale


def main(backend):
    options = {"mode": "reduce-overhead"} if backend == "inductor" else {"backend": backend}
    x, w = torch.randn(32, 64, device="cuda"), torch.randn(64, 64, device="cuda")
    with torch.no_grad():
        for f, rest in (pure, ()), (changes, ()), (mixed, (torch.tensor(2.0),)):
            compiled = torch.compile(f, **options)
            for _ in range(4):
                torch.compiler.cudagraph_mark_step_begin()
                compiled(x, w, *rest).clone()
