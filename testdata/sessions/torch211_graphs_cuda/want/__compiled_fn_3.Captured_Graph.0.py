# __compiled_fn_3: the operations that Dynamo recorded from your code.
# compile id: 1/0, from changes (/project/graphs.py:10)
# A backend that runs this graph as it is, as eager does, runs it from this file.

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[32, 64][64, 1]cuda:0", L_w_: "f32[64, 64][64, 1]cuda:0"):
        l_x_ = L_x_
        l_w_ = L_w_

        # File: /project/graphs.py:11 in changes, code: x.add_(1)
        add_: "f32[32, 64][64, 1]cuda:0" = l_x_.add_(1);  add_ = None

        # File: /project/graphs.py:12 in changes, code: return (x @ w).relu()
        matmul: "f32[32, 64][64, 1]cuda:0" = l_x_ @ l_w_;  l_x_ = l_w_ = None
        relu: "f32[32, 64][64, 1]cuda:0" = matmul.relu();  matmul = None
        return (relu,)
