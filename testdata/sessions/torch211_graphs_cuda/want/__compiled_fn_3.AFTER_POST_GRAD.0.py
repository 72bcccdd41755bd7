# __compiled_fn_3: the graph after Inductor's last passes, just before kernels are made of it.
# compile id: 1/0, from changes (/project/graphs.py:10)

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f32[32, 64][64, 1]cuda:0", arg1_1: "f32[64, 64][64, 1]cuda:0"):
        # File: /project/graphs.py:11 in changes, code: x.add_(1)
        add: "f32[32, 64][64, 1]cuda:0" = torch.ops.aten.add.Tensor(arg0_1, 1)

        # File: /project/graphs.py:12 in changes, code: return (x @ w).relu()
        mm: "f32[32, 64][64, 1]cuda:0" = torch.ops.aten.mm.default(add, arg1_1);  arg1_1 = None
        relu: "f32[32, 64][64, 1]cuda:0" = torch.ops.aten.relu.default(mm);  mm = None

        # File: /project/graphs.py:11 in changes, code: x.add_(1)
        copy_: "f32[32, 64][64, 1]cuda:0" = torch.ops.aten.copy_.default(arg0_1, add);  arg0_1 = add = copy_ = None
        return (relu,)
