"""Text, token by token: a cache that each step writes to, CUDA graphs, a stop that is read from the GPU."""

import torch

WIDTH, HEADS, LIMIT, WORDS = 64, 4, 24, 50


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.RMSNorm(WIDTH)
        self.qkv = torch.nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.out = torch.nn.Linear(WIDTH, WIDTH, bias=False)
        self.register_buffer("k", torch.zeros(1, HEADS, LIMIT, WIDTH // HEADS))
        self.register_buffer("v", torch.zeros(1, HEADS, LIMIT, WIDTH // HEADS))

    def forward(self, x, at):
        b, t, _ = x.shape
        q, k, v = (y.view(b, t, HEADS, -1).transpose(1, 2) for y in self.qkv(self.norm(x)).chunk(3, -1))
        self.k.index_copy_(2, at, k)
        self.v.index_copy_(2, at, v)
        seen = torch.arange(LIMIT, device=x.device) <= at[:, None]
        y = torch.nn.functional.scaled_dot_product_attention(q, self.k, self.v, attn_mask=seen)
        return x + self.out(y.transpose(1, 2).reshape(b, t, -1))


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words = torch.nn.Embedding(WORDS, WIDTH)
        self.layers = torch.nn.ModuleList(Layer() for _ in range(2))

    def forward(self, ids, at):
        x = self.words(ids)
        for layer in self.layers:
            x = layer(x, at)
        return x[:, -1] @ self.words.weight.T


def generate(model, ids, steps):
    at = torch.arange(ids.shape[1], device="cuda")
    for _ in range(steps):
        torch.compiler.cudagraph_mark_step_begin()
        word = model(ids, at).argmax(-1)
        if word.item() == 0:
            break
        ids, at = word[None], at[-1:] + 1


def main(backend):
    torch.manual_seed(0)
    options = {"mode": "reduce-overhead"} if backend == "inductor" else {"backend": backend}
    model = torch.compile(Model().cuda().eval(), **options)
    with torch.no_grad():
        for length in (5, 7):
            generate(model, torch.arange(1, 1 + length, device="cuda")[None], 4)
