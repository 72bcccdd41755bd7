# __compiled_fn_1: the graph before Inductor's first passes.
# compile id: 0/0, from layer (/project/tuned.py:6)

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "bf16[256, 512][512, 1]cuda:0", L_w_: "bf16[512, 256][256, 1]cuda:0", L_b_: "bf16[256][1]cuda:0"):
        l_x_ = L_x_
        l_w_ = L_w_
        l_b_ = L_b_

        # File: /project/tuned.py:7 in layer, code: return torch.nn.functional.gelu(x @ w + b)
        matmul: "bf16[256, 256][256, 1]cuda:0" = l_x_ @ l_w_;  l_x_ = l_w_ = None
        add: "bf16[256, 256][256, 1]cuda:0" = matmul + l_b_;  matmul = l_b_ = None
        gelu: "bf16[256, 256][256, 1]cuda:0" = torch._C._nn.gelu(add);  add = None
        return (gelu,)
