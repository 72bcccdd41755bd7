# __compiled_fn_11: the graph after Inductor's last passes, just before kernels are made of it.
# compile id: 1/1, from torch_dynamo_resume_in_used_at_24 (/project/own_kernel.py:24)

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "Sym(s68)", arg1_1: "f32[s68][1]cuda:0"):
        # File: /venv/lib/python3.12/site-packages/triton/__init__.py:68 in cdiv, code: return (x + y - 1) // y
        add_2: "Sym(s68 + 256)" = arg0_1 + 256
        sub_1: "Sym(s68 + 255)" = add_2 - 1;  add_2 = None
        floordiv: "Sym(((s68 + 255)//256))" = sub_1 // 256;  sub_1 = None

        # File: /project/own_kernel.py:16 in add, code: out = torch.empty_like(x)
        empty: "f32[s68][1]cuda:0" = torch.ops.aten.empty.memory_format([arg0_1], dtype = torch.float32, layout = torch.strided, device = device(type='cuda', index=0), pin_memory = False)

        # File: /project/own_kernel.py:17 in add, code: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        triton_kernel_wrapper_mutation = torch.ops.higher_order.triton_kernel_wrapper_mutation(kernel_idx = 0, constant_args_idx = 3, grid = [(floordiv, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'x_ptr': arg1_1, 'y_ptr': arg1_1, 'out_ptr': empty, 'n': arg0_1});  floordiv = arg1_1 = arg0_1 = triton_kernel_wrapper_mutation = None

        # File: /project/own_kernel.py:26 in torch_dynamo_resume_in_used_at_24, code: return z.cos()
        cos: "f32[s68][1]cuda:0" = torch.ops.aten.cos.default(empty);  empty = None
        return (cos,)
