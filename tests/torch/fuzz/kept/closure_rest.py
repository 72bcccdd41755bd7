# The rest of a closure does not use every variable that the closure captures.
import torch


def make(w, m=2):
    def inner(x):
        y = x * w
        print("a")
        y = y + m
        print("b")

        class Local:
            factor = m

            def step(self, t):
                return t * self.factor

        print("c")
        again = lambda t: Local().step(t) + 1  # noqa: E731
        return again(y)

    return inner


def main(compile, call):
    call(compile(make(torch.tensor(2.0))), torch.ones(3))
    call(compile(make(torch.tensor(0.5), 3)), torch.ones(2, 2))
