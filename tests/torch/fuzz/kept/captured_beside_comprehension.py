# A resume function captures s for a function inside of it, does not mention it itself, and has a comprehension that
# binds another s: without `nonlocal s` the text captured the comprehension's.
import torch


def f(x, y, s="ab"):
    print(x.sum().item() > 0)

    def again(t, k):
        return t if k <= 0 else again(t + len(s), k - 1)

    z = again(y * 2, 2)
    if z.sum() > 1000:
        z = {s: len(s) for s in ("x", "yy")}
    return z


def main(compile, call):
    compiled = compile(f)
    call(compiled, torch.ones(3), torch.ones(3))
    call(compiled, torch.ones(3), torch.ones(3), s="c")
