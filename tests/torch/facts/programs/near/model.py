import torch


def forward(x, inner):
    y = torch.sin(x)
    y = inner(y)
    z = y + 1
    return torch.cos(z)  # An innocent line, where the other file has its break.
