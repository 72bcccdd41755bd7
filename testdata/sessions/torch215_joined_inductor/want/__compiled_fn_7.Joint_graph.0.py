# __compiled_fn_7: forward and backward as one graph of basic operations, before it is split.
# compile id: 2/0, from torch_dynamo_resume_in_toy_example_at_7 (/project/toy_example.py:7)

from __future__ import annotations
import torch
from torch import device

class inner_f(torch.nn.Module):
    def forward(self, primals, tangents):
        primals_1: "f32[10][1]cpu"; primals_2: "f32[10][1]cpu"; tangents_1: "f32[10][1]cpu";

        primals_1, primals_2, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)
        # File: /project/toy_example.py:9 in torch_dynamo_resume_in_toy_example_at_7, code: return x * b
        mul: "f32[10][1]cpu" = torch.ops.aten.mul.Tensor(primals_1, primals_2)

        # Backward of forward node: File: /project/toy_example.py:9 in torch_dynamo_resume_in_toy_example_at_7, code: return x * b
        mul_1: "f32[10][1]cpu" = torch.ops.aten.mul.Tensor(tangents_1, primals_1);  primals_1 = None
        mul_2: "f32[10][1]cpu" = torch.ops.aten.mul.Tensor(tangents_1, primals_2);  tangents_1 = primals_2 = None
        return pytree.tree_unflatten([mul, mul_2, mul_1], self._out_spec)
