"""Breaks in a function and in what it calls, and a recompilation for each kind of reason."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.one = torch.nn.Linear(4, 8)
        self.two = torch.nn.Linear(8, 2)

    def forward(self, x, scale, extras):
        h = torch.relu(self.one(x))
        print("mean", h.mean().item())
        if h.sum() > 0:
            h = h - h.mean()
        note(h)
        for name in extras:
            h = h + extras[name]
        note(h)
        return self.two(h * scale)


def note(h):
    """Breaks the graph of its callers, at two of their lines."""
    print("shape", h.shape)
    return h


def main(backend):
    net = Net()
    compiled = torch.compile(net, backend=backend)
    one = torch.ones(8)
    for batch in (4, 6, 3):
        compiled(torch.randn(batch, 4), 2, {"a": one})
    for scale in (3, 4):
        compiled(torch.randn(4, 4), scale, {"a": one})
    compiled(torch.randn(4, 4), 2, {"b": one})
    net.eval()
    with torch.no_grad():
        compiled(torch.randn(4, 4), 2, {"a": one})
