# A resume function keeps a variable that it never stores beside one of that name that it captures; locals() sees
# the one that holds something.
import torch


def f(x, flag, s="ab"):
    def again(t, k):
        return t if k <= 0 else again(t + len(s) + flag, k - 1)

    y = again(x * 2, 1)
    print(y.sum().item() > 0)
    local = locals()
    return y * len([k for k in ("s", "y", "missing") if k in local]), sorted(k for k in local if len(k) == 1)


def main(compile, call):
    call(compile(f), torch.ones(3), 1)
