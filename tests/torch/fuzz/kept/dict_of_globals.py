# A generator expression waits for its call while graphs break behind it. torch 2.9 copies the dict of globals of
# such a function, with all that is in it, when the second break is met: that dict must not hold itself.
import torch


def task(x, n):
    y = x + 1
    text = ",".join(str(i) for i in [hash(n), hash(n + 1)])
    return y * len(text)


def main(compile, call):
    compiled = compile(task)
    for n in (1, 2, 3):
        call(compiled, torch.ones(3), n)
