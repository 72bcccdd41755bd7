# exported_Net_0: the program that torch.export made.

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, p_linear_weight: "f32[4, 4][4, 1]cpu", p_linear_bias: "f32[4][1]cpu", x: "f32[s6, 4][4, 1]cpu"):
        # File: /project/export.py:10 in forward, code: return self.linear(x).relu().sum(0)
        linear: "f32[s6, 4][4, 1]cpu" = torch.ops.aten.linear.default(x, p_linear_weight, p_linear_bias);  x = p_linear_weight = p_linear_bias = None
        relu: "f32[s6, 4][4, 1]cpu" = torch.ops.aten.relu.default(linear);  linear = None
        sum_1: "f32[4][1]cpu" = torch.ops.aten.sum.dim_IntList(relu, [0]);  relu = None
        return (sum_1,)
