"""Reductions of several sizes, with symbolic sizes and without; a convolution; a matrix product with what follows."""

import torch


def normed(x, w):
    mean = x.mean(-1, keepdim=True)
    var = x.var(-1, keepdim=True, unbiased=False)
    return (x - mean) / (var + 1e-5).sqrt() * w


def picked(x, at):
    scores = torch.log_softmax(x, -1)
    return -scores.gather(-1, at.unsqueeze(-1)).squeeze(-1).mean(), scores.argmax(-1)


def convolved(x, w):
    return torch.nn.functional.conv2d(x, w, padding=1).relu().amax((2, 3)) @ torch.ones(8, 4, device=x.device)


def main(backend):
    torch.manual_seed(0)

    def rand(*size):
        return torch.rand(*size, device="cuda", requires_grad=True)

    first = torch.compile(normed, backend=backend, dynamic=True)
    for n in (8, 5000):
        first(rand(4, n), rand(n)).sum().backward()
    second = torch.compile(picked, backend=backend)
    for n in (4, 6):
        second(rand(n, 300), torch.arange(n, device="cuda"))[0].backward()
    third = torch.compile(convolved, backend=backend)
    third(rand(2, 3, 16, 16), rand(8, 3, 3, 3)).sum().backward()
