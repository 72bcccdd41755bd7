"""Training steps in mixed precision: a bfloat16 region, AdamW, a loss that is read for logging, a second batch size."""

import torch


class Block(torch.nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.norm = torch.nn.LayerNorm(width)
        self.qkv = torch.nn.Linear(width, 3 * width)
        self.up = torch.nn.Linear(width, 4 * width)
        self.down = torch.nn.Linear(4 * width, width)
        self.drop = torch.nn.Dropout(0.1)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.norm(x)).view(b, t, 3, 4, d // 4).permute(2, 0, 3, 1, 4)
        heads = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + heads.transpose(1, 2).reshape(b, t, d)
        return x + self.drop(self.down(torch.nn.functional.gelu(self.up(x))))


def main(backend):
    torch.manual_seed(0)
    model = torch.nn.Sequential(Block(), Block()).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), 1e-3)
    losses = []

    def step(x, y):
        with torch.autocast("cuda", torch.bfloat16):
            loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
        return x.mean() + loss

    compiled = torch.compile(step, backend=backend)
    for batch in (2, 2, 3):
        x = torch.randn(batch, 16, 64, device="cuda")
        compiled(x, x.sin())
