# __compiled_fn_1: the forward graph in basic (ATen) operations.
# compile id: 0/0, from toy_example (/project/toy_example.py:4)
# A backend that runs this graph as it is, as aot_eager does, runs it from this file.

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, primals_1: "f32[10][1]cpu", primals_2: "f32[10][1]cpu"):
        # File: /project/toy_example.py:6 in toy_example, code: x = a / (torch.abs(a) + 1)
        abs_1: "f32[10][1]cpu" = torch.ops.aten.abs.default(primals_1)
        add: "f32[10][1]cpu" = torch.ops.aten.add.Tensor(abs_1, 1);  abs_1 = None
        div: "f32[10][1]cpu" = torch.ops.aten.div.Tensor(primals_1, add);  add = None

        # File: /project/toy_example.py:7 in toy_example, code: if b.sum() < 0:
        sum_1: "f32[][]cpu" = torch.ops.aten.sum.default(primals_2);  primals_2 = None
        lt: "b8[][]cpu" = torch.ops.aten.lt.Scalar(sum_1, 0);  sum_1 = None
        return (lt, div, primals_1)
