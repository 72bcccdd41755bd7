"""Attention whose scores the user's function changes: Inductor makes one kernel of a template and that function."""

import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention


def near(b, h, q, kv):
    return (q >= kv) & (q - kv < 64)


def slope(score, b, h, q, kv):
    return score - (q - kv) * 0.5 ** (h + 1)


def main(backend):
    torch.manual_seed(0)
    mask = create_block_mask(near, None, None, 256, 256, device="cuda")

    def attend(x):
        q, k, v = x.unbind(0)
        return flex_attention(q, k, v, score_mod=slope, block_mask=mask).relu()

    compiled = torch.compile(attend, backend=backend)
    for _ in range(2):
        x = torch.rand(3, 2, 4, 256, 64, device="cuda", requires_grad=True)
        compiled(x).sum().backward()
