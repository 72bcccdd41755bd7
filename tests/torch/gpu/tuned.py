"""Matrix products for which Inductor measures several kernels and takes the fastest."""

import torch


def layer(x, w, b):
    return torch.nn.functional.gelu(x @ w + b)


def main(backend):
    options = {"mode": "max-autotune-no-cudagraphs"} if backend == "inductor" else {"backend": backend}
    torch.manual_seed(0)

    def rand(*size):
        return torch.rand(*size, device="cuda", dtype=torch.bfloat16)

    compiled = torch.compile(layer, **options)
    compiled(rand(256, 512), rand(512, 256), rand(256))
    compiled(rand(256, 512), rand(512, 256), rand(256))
