# The graph breaks in a loop whose rest has a with statement, out of which it also returns: the rest of that turn
# stands in front of the loop once more, with a protected region of its own. Its text was a stub.
import torch


@torch.compiler.disable
def untraced(x):
    return x


class Manager:
    def __enter__(self):
        return 1

    def __exit__(self, *details):
        return False


def make(w, n):
    def early(x):
        for i in [1, 2]:
            x = untraced(x) + i
            with Manager() as m:
                print(m)
                if x.dim() > 2:
                    print("early")
                    return x
        return x * w

    def odd(x):
        for i in [1, 2]:
            x = untraced(x) + i
            if n is None:
                return slice(0, n), x
            with Manager() as m:
                print(m)
        return x * w

    def caught(x):
        for i in [1, 2]:
            x = untraced(x) + i
            try:
                print(x.dim(), n // (i - 1))
            except ZeroDivisionError as e:
                print(e)
                if n > 5:
                    break
            else:
                continue
        return x * w

    return early, odd, caught


def main(compile, call):
    for f in make(torch.ones(3), 2):
        compiled = compile(f)
        call(compiled, torch.ones(3))
        call(compiled, torch.ones(1, 1, 3))
