# __compiled_fn_5: forward and backward as one graph of basic operations, before it is split.
# compile id: 1/0, from torch_dynamo_resume_in_toy_example_at_7 (/project/toy_example.py:7)

from __future__ import annotations
import torch
from torch import device

class inner_f(torch.nn.Module):
    def forward(self, primals, tangents):
        primals_1: "f32[10][1]cpu"; primals_2: "f32[10][1]cpu"; tangents_1: "f32[10][1]cpu";

        primals_1, primals_2, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)
        # File: /project/toy_example.py:8 in torch_dynamo_resume_in_toy_example_at_7, code: b = b * -1
        mul: "f32[10][1]cpu" = torch.ops.aten.mul.Tensor(primals_1, -1);  primals_1 = None

        # File: /project/toy_example.py:9 in torch_dynamo_resume_in_toy_example_at_7, code: return x * b
        mul_1: "f32[10][1]cpu" = torch.ops.aten.mul.Tensor(primals_2, mul)

        # Backward of forward node: File: /project/toy_example.py:9 in torch_dynamo_resume_in_toy_example_at_7, code: return x * b
        mul_2: "f32[10][1]cpu" = torch.ops.aten.mul.Tensor(tangents_1, primals_2);  primals_2 = None
        mul_3: "f32[10][1]cpu" = torch.ops.aten.mul.Tensor(tangents_1, mul);  tangents_1 = mul = None

        # Backward of forward node: File: /project/toy_example.py:8 in torch_dynamo_resume_in_toy_example_at_7, code: b = b * -1
        mul_4: "f32[10][1]cpu" = torch.ops.aten.mul.Tensor(mul_2, -1);  mul_2 = None
        return pytree.tree_unflatten([mul_1, mul_4, mul_3], self._out_spec)
