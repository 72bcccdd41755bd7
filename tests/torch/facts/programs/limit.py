"""The limit of recompilations, reached by an attribute that counts and by sizes that differ."""

import torch


class Counting(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 0

    def forward(self, x):
        self.step += 1
        return x * self.step


def double(x):
    return x * 2


def main(backend):
    with torch._dynamo.config.patch(cache_size_limit=3):
        counting = torch.compile(Counting(), backend=backend)
        for _ in range(7):
            counting(torch.ones(3))
        fixed = torch.compile(double, backend=backend, dynamic=False)
        for n in range(2, 8):
            fixed(torch.ones(n))
