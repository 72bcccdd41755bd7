"""A training step that is compiled again and again: what the page of answers is for."""

import torch


class Classifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(16, 32)
        self.outer = torch.nn.Linear(32, 4)

    def forward(self, x, temperature):
        h = torch.relu(self.inner(x))
        print("mean", h.mean().item())
        if h.sum() > 100:
            h = h / h.sum()
        return self.outer(h) / temperature


def main():
    torch.manual_seed(0)
    model = Classifier()
    compiled = torch.compile(model)
    for step in range(3):
        loss = compiled(torch.randn(8 + 4 * step, 16), 1.0 + step).square().mean()
        loss.backward()
    with torch.no_grad():
        compiled(torch.randn(8, 16), 1.0)


if __name__ == "__main__":
    main()
