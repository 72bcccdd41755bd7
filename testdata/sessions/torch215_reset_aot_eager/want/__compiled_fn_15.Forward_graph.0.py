# __compiled_fn_15: the forward graph in basic (ATen) operations.
# compile id: 2/0 after reset 1, from torch_dynamo_resume_in_toy_example_at_7 (/project/toy_example.py:7)
# A backend that runs this graph as it is, as aot_eager does, runs it from this file.

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, args_list):
        args_iter = iter(args_list)
        primals_1 = next(args_iter)
        primals_2 = next(args_iter)
        args_list.clear()
        # File: /project/toy_example.py:9 in torch_dynamo_resume_in_toy_example_at_7, code: return x * b
        mul: "f32[10][1]cpu" = torch.ops.aten.mul.Tensor(primals_1, primals_2)
        return (mul, primals_1, primals_2)
