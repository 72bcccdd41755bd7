"""What torch does when errors are suppressed: the functions run as they are."""

import torch


def refusing(gm, inputs):
    raise ValueError("no")


def sine(x):
    return x.sin() + 1


def main(backend):
    with torch._dynamo.config.patch(suppress_errors=True):
        torch.compile(sine, backend=refusing)(torch.ones(3))
        torch.compile(sine, backend=refusing)(torch.ones(4))
    torch.compile(sine, backend=backend)(torch.ones(3))
