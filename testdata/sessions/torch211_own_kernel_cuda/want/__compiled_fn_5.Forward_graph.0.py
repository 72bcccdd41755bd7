# __compiled_fn_5: the forward graph in basic (ATen) operations.
# compile id: 1/0, from torch_dynamo_resume_in_used_at_24 (/project/own_kernel.py:24)
# A backend that runs this graph as it is, as aot_eager does, runs it from this file.

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f32[1000][1]cuda:0"):
        # File: /project/own_kernel.py:16 in add, code: out = torch.empty_like(x)
        empty: "f32[1000][1]cuda:0" = torch.ops.aten.empty.memory_format([1000], dtype = torch.float32, layout = torch.strided, device = device(type='cuda', index=0), pin_memory = False)

        # File: /project/own_kernel.py:17 in add, code: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        triton_kernel_wrapper_functional_proxy = torch.ops.higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, constant_args_idx = 1, grid = [(4, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'x_ptr': arg0_1, 'y_ptr': arg0_1, 'out_ptr': empty}, tensors_to_clone = ['out_ptr']);  arg0_1 = empty = None
        getitem: "f32[1000][1]cuda:0" = triton_kernel_wrapper_functional_proxy['out_ptr'];  triton_kernel_wrapper_functional_proxy = None

        # File: /project/own_kernel.py:26 in torch_dynamo_resume_in_used_at_24, code: return z.cos()
        cos: "f32[1000][1]cuda:0" = torch.ops.aten.cos.default(getitem);  getitem = None
        return (cos,)
