# __compiled_fn_1: the operations that Dynamo recorded from your code.
# compile id: 0/0 after reset 1, from torch.export of Net (/project/export.py:9)
# A backend that runs this graph as it is, as eager does, runs it from this file.

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, L_flat_args_0_: "f32[s6, 4][4, 1]cpu"):
        l_flat_args_0_ = L_flat_args_0_

        # File: /project/export.py:10 in forward, code: return self.linear(x).relu().sum(0)
        l__self____export_root_linear_weight: "f32[4, 4][4, 1]cpu" = self.L__self____export_root_linear_weight
        l__self____export_root_linear_bias: "f32[4][1]cpu" = self.L__self____export_root_linear_bias
        linear: "f32[s6, 4][4, 1]cpu" = torch._C._nn.linear(l_flat_args_0_, l__self____export_root_linear_weight, l__self____export_root_linear_bias);  l_flat_args_0_ = l__self____export_root_linear_weight = l__self____export_root_linear_bias = None
        relu: "f32[s6, 4][4, 1]cpu" = linear.relu();  linear = None
        res: "f32[4][1]cpu" = relu.sum(0);  relu = None
        return (res,)
