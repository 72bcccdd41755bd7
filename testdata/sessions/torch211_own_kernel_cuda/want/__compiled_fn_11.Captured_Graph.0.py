# __compiled_fn_11: the operations that Dynamo recorded from your code.
# compile id: 1/1, from torch_dynamo_resume_in_used_at_24 (/project/own_kernel.py:24)
# A backend that runs this graph as it is, as eager does, runs it from this file.

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, s68: "Sym(s68)", L_z_: "f32[s68][1]cuda:0"):
        l_z_ = L_z_

        # File: /project/own_kernel.py:16 in add, code: out = torch.empty_like(x)
        out: "f32[s68][1]cuda:0" = torch.empty_like(l_z_)

        # File: /venv/lib/python3.12/site-packages/triton/__init__.py:68 in cdiv, code: return (x + y - 1) // y
        add: "Sym(s68 + 256)" = s68 + 256
        sub: "Sym(s68 + 255)" = add - 1;  add = None
        floordiv: "Sym(((s68 + 255)//256))" = sub // 256;  sub = None

        # File: /project/own_kernel.py:17 in add, code: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        triton_kernel_wrapper_mutation = torch.ops.higher_order.triton_kernel_wrapper_mutation(kernel_idx = 0, constant_args_idx = 3, grid = [(floordiv, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'x_ptr': l_z_, 'y_ptr': l_z_, 'out_ptr': out, 'n': s68});  floordiv = l_z_ = s68 = triton_kernel_wrapper_mutation = None

        # File: /project/own_kernel.py:26 in torch_dynamo_resume_in_used_at_24, code: return z.cos()
        cos: "f32[s68][1]cuda:0" = out.cos();  out = None
        return (cos,)
