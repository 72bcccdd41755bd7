"""Training steps: a closure over model and optimizer, a second batch size, and a reset in between."""

import torch


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(8)
        self.up = torch.nn.Linear(8, 16)
        self.down = torch.nn.Linear(16, 8)

    def forward(self, x):
        b, t, d = x.shape
        h = self.norm(x).view(b * t, d)
        return x + self.down(torch.nn.functional.gelu(self.up(h))).view(b, t, d)


def main(backend):
    torch.manual_seed(0)
    model = torch.nn.Sequential(Block(), Block())
    optimizer = torch.optim.SGD(model.parameters(), 0.1)

    def step(x):
        loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return loss

    compiled = torch.compile(model, backend=backend)
    for batch in (2, 2, 3):
        compiled(torch.randn(batch, 4, 8)).sum().backward()
    torch._dynamo.reset()
    compiled = torch.compile(step, backend=backend)
    for batch in (2, 3):
        compiled(torch.randn(batch, 4, 8))
