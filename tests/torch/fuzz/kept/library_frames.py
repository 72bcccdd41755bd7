# Dynamo compiles torch's own wrapper of a partial function; an exception passes through both.
import functools

import torch


def f(x, n):
    try:
        print("inside")
        x.fail
    finally:
        y = x.shape[9]
    return y


def main(compile, call):
    call(compile(functools.partial(f, n=2)), torch.ones(3))
