# __compiled_fn_7: the graph after Inductor's last passes, just before kernels are made of it.
# compile id: 2/0, from torch_dynamo_resume_in_toy_example_at_7 (/project/toy_example.py:7)

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, primals_1: "f32[10][1]cpu", primals_2: "f32[10][1]cpu"):
        # File: /project/toy_example.py:9 in torch_dynamo_resume_in_toy_example_at_7, code: return x * b
        mul: "f32[10][1]cpu" = torch.ops.aten.mul.Tensor(primals_1, primals_2)
        return (mul, primals_1, primals_2)
