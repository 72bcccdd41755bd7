# __compiled_fn_1: the graph after Inductor's last passes, just before kernels are made of it.
# compile id: 0/0, from toy_example (/project/toy_example.py:4)

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, primals_1: "f32[10][1]cpu", tangents_1: "f32[10][1]cpu"):
        # Backward of forward node: File: /project/toy_example.py:6 in toy_example, code: x = a / (torch.abs(a) + 1)
        neg: "f32[10][1]cpu" = torch.ops.aten.neg.default(tangents_1)
        abs_1: "f32[10][1]cpu" = torch.ops.aten.abs.default(primals_1)
        add: "f32[10][1]cpu" = torch.ops.aten.add.Tensor(abs_1, 1);  abs_1 = None
        div_1: "f32[10][1]cpu" = torch.ops.aten.div.Tensor(primals_1, add)
        div_2: "f32[10][1]cpu" = torch.ops.aten.div.Tensor(div_1, add);  div_1 = None
        mul: "f32[10][1]cpu" = torch.ops.aten.mul.Tensor(neg, div_2);  neg = div_2 = None
        div_3: "f32[10][1]cpu" = torch.ops.aten.div.Tensor(tangents_1, add);  tangents_1 = add = None
        sign: "f32[10][1]cpu" = torch.ops.aten.sign.default(primals_1);  primals_1 = None
        mul_1: "f32[10][1]cpu" = torch.ops.aten.mul.Tensor(mul, sign);  mul = sign = None
        add_1: "f32[10][1]cpu" = torch.ops.aten.add.Tensor(div_3, mul_1);  div_3 = mul_1 = None
        return (add_1, None)
