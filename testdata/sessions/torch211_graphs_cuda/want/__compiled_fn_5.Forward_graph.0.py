# __compiled_fn_5: the forward graph in basic (ATen) operations.
# compile id: 2/0, from mixed (/project/graphs.py:15)
# A backend that runs this graph as it is, as aot_eager does, runs it from this file.

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f32[32, 64][64, 1]cuda:0", arg1_1: "f32[64, 64][64, 1]cuda:0", arg2_1: "f32[][]cpu"):
        # File: /project/graphs.py:16 in mixed, code: return (x @ w).relu() * scale
        mm: "f32[32, 64][64, 1]cuda:0" = torch.ops.aten.mm.default(arg0_1, arg1_1);  arg0_1 = arg1_1 = None
        relu: "f32[32, 64][64, 1]cuda:0" = torch.ops.aten.relu.default(mm);  mm = None
        mul: "f32[32, 64][64, 1]cuda:0" = torch.ops.aten.mul.Tensor(relu, arg2_1);  relu = arg2_1 = None
        return (mul,)
