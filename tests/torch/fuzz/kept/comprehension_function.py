# torch 2.15 makes a function of a comprehension and installs it once, like a resume function.
import torch

NUMBERS = [1, 2]


@torch._dynamo.disable
def untraced(value):
    return value


def f(x):
    y = x.sin()
    items = [untraced(i) for i in NUMBERS]
    more = [i + len(items) for i in NUMBERS if print(i) is None]
    return y * sum(items), more


def main(compile, call):
    compiled = compile(f)
    call(compiled, torch.ones(3))
    call(compiled, torch.ones(2, 2))
