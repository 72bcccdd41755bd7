"""Sizes and numbers that may vary, with bounds that the program gives them."""

import torch


def bounded(x, y):
    if x.shape[0] <= 128:
        x = x + 1
    if y.shape[0] % 2 == 0:
        y = y * 2
    return x.sum() + y.sum()


def scaled(x, n, f):
    if n > 3:
        x = x * n
    return x * f


def picked(x):
    return x[x > 0].sum() + x.nonzero().shape[0]


def doubled(x):
    return x * 2


def marked(x):
    return x.view(-1, 2).sum(1)


def main(backend):
    both = torch.compile(bounded, backend=backend)
    for n in (4, 6, 10, 200):
        both(torch.ones(n, 3), torch.ones(n))
    both(torch.ones(5), torch.ones(6))
    numbers = torch.compile(scaled, backend=backend)
    for n, f in ((2, 0.5), (4, 0.25), (5, 1.5)):
        numbers(torch.ones(3), n, f)
    torch.compile(scaled, backend=backend, dynamic=True)(torch.ones(7), 9, 2.5)
    with torch._dynamo.config.patch(capture_scalar_outputs=True, capture_dynamic_output_shape_ops=True):
        torch.compile(picked, backend=backend)(torch.tensor([1.0, -1.0, 2.0]))
    for fn in (doubled, marked):
        x = torch.ones(8)
        torch._dynamo.mark_dynamic(x, 0, min=4, max=64)
        try:
            torch.compile(fn, backend=backend)(x)
        except Exception as e:
            print(type(e).__name__)  # Only an even size can be viewed so.
