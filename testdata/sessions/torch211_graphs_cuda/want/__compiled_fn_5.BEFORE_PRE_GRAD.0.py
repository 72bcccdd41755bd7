# __compiled_fn_5: the graph before Inductor's first passes.
# compile id: 2/0, from mixed (/project/graphs.py:15)

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[32, 64][64, 1]cuda:0", L_w_: "f32[64, 64][64, 1]cuda:0", L_scale_: "f32[][]cpu"):
        l_x_ = L_x_
        l_w_ = L_w_
        l_scale_ = L_scale_

        # File: /project/graphs.py:16 in mixed, code: return (x @ w).relu() * scale
        matmul: "f32[32, 64][64, 1]cuda:0" = l_x_ @ l_w_;  l_x_ = l_w_ = None
        relu: "f32[32, 64][64, 1]cuda:0" = matmul.relu();  matmul = None
        mul: "f32[32, 64][64, 1]cuda:0" = relu * l_scale_;  relu = l_scale_ = None
        return (mul,)
