# The compiler warns of `1 is None`; of text of ours nobody hears.
import torch


def f(x):
    y = x + 1
    print("before")
    with torch.no_grad():
        print("inside")
        flag = 1 is None
    return y, flag


def main(compile, call):
    call(compile(f), torch.ones(3))
