# __compiled_fn_3: the operations that Dynamo recorded from your code.
# compile id: 1/0, from resume_in_toy_example (/project/toy_example.py:7)
# A backend that runs this graph as it is, as eager does, runs it from this file.

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, L_b_ : torch.Tensor, L_x_ : torch.Tensor):
        l_b_ = L_b_
        l_x_ = L_x_
        
        # File: /project/toy_example.py:8, code: b = b * -1
        b = l_b_ * -1;  l_b_ = None
        
        # File: /project/toy_example.py:9, code: return x * b
        mul_1 = l_x_ * b;  l_x_ = b = None
        return (mul_1,)
        
