# exported_Net_1: the program that torch.export made.

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, p_linear_weight: "f32[4, 4][4, 1]cpu", p_linear_bias: "f32[4][1]cpu", x: "f32[10, 4][4, 1]cpu"):
        # File: /venv/lib/python3.13/site-packages/torch/nn/modules/linear.py:134 in forward, code: return F.linear(input, self.weight, self.bias)
        linear: "f32[10, 4][4, 1]cpu" = torch.ops.aten.linear.default(x, p_linear_weight, p_linear_bias);  x = p_linear_weight = p_linear_bias = None

        # File: /project/export.py:10 in forward, code: return self.linear(x).relu().sum(0)
        relu: "f32[10, 4][4, 1]cpu" = torch.ops.aten.relu.default(linear);  linear = None
        sum_1: "f32[4][1]cpu" = torch.ops.aten.sum.dim_IntList(relu, [0]);  relu = None
        return (sum_1,)
