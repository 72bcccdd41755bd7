# A slice in a result, its ends constants or not.
import torch


def f(x, n):
    print("first")
    return x + 1, slice(0, 3), slice(0, n), [slice(None)]


def main(compile, call):
    compiled = compile(f)
    call(compiled, torch.ones(3), 2)
    call(compiled, torch.ones(3), 4)
