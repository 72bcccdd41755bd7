# __compiled_fn_0: the operations that Dynamo recorded from your code.
# compile id: 0/0, from toy_example (/project/toy_example.py:4)
# A backend that runs this graph as it is, as eager does, runs it from this file.

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, L_a_ : torch.Tensor, L_b_ : torch.Tensor):
        l_a_ = L_a_
        l_b_ = L_b_
        
        # File: /project/toy_example.py:6, code: x = a / (torch.abs(a) + 1)
        abs_1 = torch.abs(l_a_)
        add = abs_1 + 1;  abs_1 = None
        x = l_a_ / add;  l_a_ = add = None
        
        # File: /project/toy_example.py:7, code: if b.sum() < 0:
        sum_1 = l_b_.sum();  l_b_ = None
        lt = sum_1 < 0;  sum_1 = None
        return (x, lt)
        
