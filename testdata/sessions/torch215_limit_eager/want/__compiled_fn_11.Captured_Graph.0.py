# __compiled_fn_11: the operations that Dynamo recorded from your code.
# compile id: 0/5, from named (/project/limit.py:4)
# A backend that runs this graph as it is, as eager does, runs it from this file.

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[10][1]cpu"):
        l_x_ = L_x_

        # File: /project/limit.py:5 in named, code: return x * len(name)
        mul: "f32[10][1]cpu" = l_x_ * 5;  l_x_ = None
        return (mul,)
