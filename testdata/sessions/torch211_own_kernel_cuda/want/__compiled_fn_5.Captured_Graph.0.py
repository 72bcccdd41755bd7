# __compiled_fn_5: the operations that Dynamo recorded from your code.
# compile id: 1/0, from torch_dynamo_resume_in_used_at_24 (/project/own_kernel.py:24)
# A backend that runs this graph as it is, as eager does, runs it from this file.

from __future__ import annotations
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, L_z_: "f32[1000][1]cuda:0"):
        l_z_ = L_z_

        # File: /project/own_kernel.py:16 in add, code: out = torch.empty_like(x)
        out: "f32[1000][1]cuda:0" = torch.empty_like(l_z_)

        # File: /project/own_kernel.py:17 in add, code: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        triton_kernel_wrapper_mutation = torch.ops.higher_order.triton_kernel_wrapper_mutation(kernel_idx = 0, constant_args_idx = 1, grid = [(4, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'x_ptr': l_z_, 'y_ptr': l_z_, 'out_ptr': out});  l_z_ = triton_kernel_wrapper_mutation = None

        # File: /project/own_kernel.py:26 in torch_dynamo_resume_in_used_at_24, code: return z.cos()
        cos: "f32[1000][1]cuda:0" = out.cos();  out = None
        return (cos,)
