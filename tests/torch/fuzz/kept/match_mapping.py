# A match over dicts in code that Dynamo leaves as it is.
import torch


def f(x, counts):
    y = x.sin()
    try:
        print("first")
        match counts:
            case {"a": 1, **rest}:
                y = y + len(rest)
            case {"a": n}:
                y = y * n
            case {}:
                y = y - 1
    finally:
        print("last")
    return y


def main(compile, call):
    compiled = compile(f)
    for counts in ({"a": 1, "b": 2}, {"a": 3}, {}):
        call(compiled, torch.ones(3), counts)
