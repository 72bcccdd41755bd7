# __compiled_fn_5: the forward graph in basic (ATen) operations.
# compile id: 1/0, from torch_dynamo_resume_in_toy_example_at_7 (/project/toy_example.py:7)
# A backend that runs this graph as it is, as aot_eager does, runs it from this file.

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, primals_1: "f32[10][1]cpu", primals_2: "f32[10][1]cpu"):
        # File: /project/toy_example.py:8 in torch_dynamo_resume_in_toy_example_at_7, code: b = b * -1
        mul: "f32[10][1]cpu" = torch.ops.aten.mul.Tensor(primals_1, -1)

        # File: /project/toy_example.py:9 in torch_dynamo_resume_in_toy_example_at_7, code: return x * b
        mul_1: "f32[10][1]cpu" = torch.ops.aten.mul.Tensor(primals_2, mul);  mul = None
        return (mul_1, primals_1, primals_2)
