# A log record that cannot be formatted: logging prints the stack, in which the user's frames run dumped code.
import logging
import sys

import torch


@torch._dynamo.disable
def report(n):
    record = logging.LogRecord("fuzz", logging.ERROR, __file__, 1, "%d items", (n,), None)
    logging.StreamHandler(sys.stderr).handle(record)


def f(x, n):
    y = x.sin()
    print("first")
    report(n)
    return y * 2


def main(compile, call):
    compiled = compile(f)
    call(compiled, torch.ones(3), "no")
    call(compiled, torch.ones(3), 2)
