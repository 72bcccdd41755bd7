# __compiled_fn_7: the backward graph in basic (ATen) operations.
# compile id: 2/0, from torch_dynamo_resume_in_toy_example_at_7 (/project/toy_example.py:7)
# A backend that runs this graph as it is, as aot_eager does, runs it from this file.

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, primals_1: "f32[10][1]cpu", primals_2: "f32[10][1]cpu", tangents_1: "f32[10][1]cpu"):
        # Backward of forward node: File: /project/toy_example.py:9 in torch_dynamo_resume_in_toy_example_at_7, code: return x * b
        mul_1: "f32[10][1]cpu" = torch.ops.aten.mul.Tensor(tangents_1, primals_1);  primals_1 = None
        mul_2: "f32[10][1]cpu" = torch.ops.aten.mul.Tensor(tangents_1, primals_2);  tangents_1 = primals_2 = None
        return (mul_2, mul_1)
