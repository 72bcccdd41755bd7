# __compiled_fn_1: forward and backward as one graph of basic operations, before it is split.
# compile id: 0/0, from toy_example (/project/toy_example.py:4)

from __future__ import annotations
import torch
from torch import device

class inner_f(torch.nn.Module):
    def forward(self, primals, tangents):
        primals_1: "f32[10][1]cpu"; primals_2: "f32[10][1]cpu"; tangents_1: "f32[10][1]cpu";

        primals_1, primals_2, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)
        # File: /project/toy_example.py:6 in toy_example, code: x = a / (torch.abs(a) + 1)
        abs_1: "f32[10][1]cpu" = torch.ops.aten.abs.default(primals_1)
        add: "f32[10][1]cpu" = torch.ops.aten.add.Tensor(abs_1, 1);  abs_1 = None
        div: "f32[10][1]cpu" = torch.ops.aten.div.Tensor(primals_1, add)

        # File: /project/toy_example.py:7 in toy_example, code: if b.sum() < 0:
        sum_1: "f32[][]cpu" = torch.ops.aten.sum.default(primals_2);  primals_2 = None
        lt: "b8[][]cpu" = torch.ops.aten.lt.Scalar(sum_1, 0);  sum_1 = None

        # Backward of forward node: File: /project/toy_example.py:6 in toy_example, code: x = a / (torch.abs(a) + 1)
        div_1: "f32[10][1]cpu" = torch.ops.aten.div.Tensor(primals_1, add)
        div_2: "f32[10][1]cpu" = torch.ops.aten.div.Tensor(div_1, add);  div_1 = None
        neg: "f32[10][1]cpu" = torch.ops.aten.neg.default(tangents_1)
        mul: "f32[10][1]cpu" = torch.ops.aten.mul.Tensor(neg, div_2);  neg = div_2 = None
        div_3: "f32[10][1]cpu" = torch.ops.aten.div.Tensor(tangents_1, add);  tangents_1 = add = None
        sign: "f32[10][1]cpu" = torch.ops.aten.sign.default(primals_1);  primals_1 = None
        mul_1: "f32[10][1]cpu" = torch.ops.aten.mul.Tensor(mul, sign);  mul = sign = None
        add_1: "f32[10][1]cpu" = torch.ops.aten.add.Tensor(div_3, mul_1);  div_3 = mul_1 = None
        return pytree.tree_unflatten([lt, div, add_1, None], self._out_spec)
