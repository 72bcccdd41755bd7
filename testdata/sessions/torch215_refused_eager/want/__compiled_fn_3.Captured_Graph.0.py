# __compiled_fn_3: the operations that Dynamo recorded from your code.
# compile id: 1/0, from __works__ (/project/refused.py:13)
# A backend that runs this graph as it is, as eager does, runs it from this file.

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[10][1]cpu"):
        l_x_ = L_x_

        # File: /project/refused.py:15 in __works__, code: y = x.cos()
        y: "f32[10][1]cpu" = l_x_.cos();  l_x_ = None

        # File: /project/refused.py:16 in __works__, code: return y * 2
        mul: "f32[10][1]cpu" = y * 2;  y = None
        return (mul,)
