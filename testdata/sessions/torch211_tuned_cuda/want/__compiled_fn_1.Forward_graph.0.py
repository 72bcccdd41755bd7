# __compiled_fn_1: the forward graph in basic (ATen) operations.
# compile id: 0/0, from layer (/project/tuned.py:6)
# A backend that runs this graph as it is, as aot_eager does, runs it from this file.

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "bf16[256, 512][512, 1]cuda:0", arg1_1: "bf16[512, 256][256, 1]cuda:0", arg2_1: "bf16[256][1]cuda:0"):
        # File: /project/tuned.py:7 in layer, code: return torch.nn.functional.gelu(x @ w + b)
        mm: "bf16[256, 256][256, 1]cuda:0" = torch.ops.aten.mm.default(arg0_1, arg1_1);  arg0_1 = arg1_1 = None
        add: "bf16[256, 256][256, 1]cuda:0" = torch.ops.aten.add.Tensor(mm, arg2_1);  mm = arg2_1 = None
        convert_element_type_2: "f32[256, 256][256, 1]cuda:0" = torch.ops.prims.convert_element_type.default(add, torch.float32);  add = None
        mul: "f32[256, 256][256, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type_2, 0.5)
        mul_1: "f32[256, 256][256, 1]cuda:0" = torch.ops.aten.mul.Tensor(convert_element_type_2, 0.7071067811865476);  convert_element_type_2 = None
        erf: "f32[256, 256][256, 1]cuda:0" = torch.ops.aten.erf.default(mul_1);  mul_1 = None
        add_1: "f32[256, 256][256, 1]cuda:0" = torch.ops.aten.add.Tensor(erf, 1);  erf = None
        mul_2: "f32[256, 256][256, 1]cuda:0" = torch.ops.aten.mul.Tensor(mul, add_1);  mul = add_1 = None
        convert_element_type_3: "bf16[256, 256][256, 1]cuda:0" = torch.ops.prims.convert_element_type.default(mul_2, torch.bfloat16);  mul_2 = None
        return (convert_element_type_3,)
