# A context manager that prints and swallows, around breaks in every part of a try.
import torch


class Manager:
    def __enter__(self):
        print("enter")

    def __exit__(self, kind, value, trace):
        print("exit", kind and kind.__name__)
        return True


def f(x, n):
    y = x.cos()
    with Manager():
        try:
            print("body")
            y = y + 10 // n
        except ValueError:
            y = y * 2
        else:
            print("else")
            y = y - 1
        finally:
            print("finally")
            y = y * 3
    return y


def main(compile, call):
    compiled = compile(f)
    for n in (1, 0, 2):
        call(compiled, torch.ones(3), n)
