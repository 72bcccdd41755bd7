# __compiled_fn_1: the operations that Dynamo recorded from your code.
# compile id: 0/0, from until (/project/loop.py:4)
# A backend that runs this graph as it is, as eager does, runs it from this file.

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[10][1]cpu"):
        l_x_ = L_x_

        # File: /project/loop.py:5 in until, code: while x.sum() < 10:
        sum_1: "f32[][]cpu" = l_x_.sum();  l_x_ = None
        lt: "b8[][]cpu" = sum_1 < 10;  sum_1 = None
        return (lt,)
