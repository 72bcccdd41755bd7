# __compiled_fn_7: the operations that Dynamo recorded from your code.
# compile id: 2/0, from torch_dynamo_resume_in_toy_example_at_7 (/project/toy_example.py:7)
# A backend that runs this graph as it is, as eager does, runs it from this file.

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[10][1]cpu", L_b_: "f32[10][1]cpu"):
        l_x_ = L_x_
        l_b_ = L_b_

        # File: /project/toy_example.py:9 in torch_dynamo_resume_in_toy_example_at_7, code: return x * b
        mul: "f32[10][1]cpu" = l_x_ * l_b_;  l_x_ = l_b_ = None
        return (mul,)
