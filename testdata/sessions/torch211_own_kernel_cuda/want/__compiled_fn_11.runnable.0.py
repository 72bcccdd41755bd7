# __compiled_fn_11: a script by torch that repeats this compilation on its own.
# compile id: 1/1, from torch_dynamo_resume_in_used_at_24 (/project/own_kernel.py:24)
# source: torch's structured log

s68 = 1500


import os
os.environ['TORCH_CUDA_ARCH_LIST'] = '9.0a'
os.environ['TORCHINDUCTOR_CACHE_DIR'] = '/tmp/torchinductor_user/tmp65onkcee'
os.environ['TORCHINDUCTOR_FORCE_DISABLE_CACHES'] = '1'
os.environ['TRITON_CACHE_DIR'] = '/tmp/torchinductor_user/tmp65onkcee/triton'

import torch
from torch import tensor, device
import torch.fx as fx
from torch._dynamo.testing import rand_strided
from math import inf
import torch._inductor.inductor_prims

import triton
import triton.language as tl

import torch._dynamo.config
import torch._inductor.config
import torch._functorch.config
import torch.fx.experimental._config

torch._inductor.config.deterministic = False
torch._inductor.config.triton.store_cubin = False
torch._functorch.config.functionalize_rng_ops = False
torch._functorch.config.fake_tensor_allow_unsafe_data_ptr_access = True
torch._functorch.config.unlift_effect_tokens = True
torch._functorch.config.selective_decompose = False



isolate_fails_code_str = None





if "__compile_source__" in globals():
    import inspect as __after_aot_inspect
    import linecache as __after_aot_linecache
    __after_aot_filename = __after_aot_inspect.currentframe().f_code.co_filename
    __after_aot_linecache.cache[__after_aot_filename] = (
        len(__compile_source__),
        None,
        __compile_source__.splitlines(True),
        __after_aot_filename,
    )
# torch version: 2.11.0+cu130
# torch cuda version: 13.0
# torch git version: 70d99e998b4955e0049d13a98d77ae1b14db1f45


# CUDA Info: 
# nvcc: NVIDIA (R) Cuda compiler driver 
# Copyright (c) 2005-2025 NVIDIA Corporation 
# Built on Wed_Aug_20_01:58:59_PM_PDT_2025 
# Cuda compilation tools, release 13.0, V13.0.88 
# Build cuda_13.0.r13.0/compiler.36424714_0 

# GPU Hardware Info: 
# NVIDIA H100 80GB HBM3 : 1 

torch._higher_order_ops.triton_kernel_wrap.kernel_side_table.reset_table()

@triton.jit
def add_kernel_0(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out_ptr + at, tl.load(x_ptr + at, inside) + tl.load(y_ptr + at, inside), inside)

torch._higher_order_ops.triton_kernel_wrap.kernel_side_table.add_kernel(add_kernel_0)
torch._higher_order_ops.triton_kernel_wrap.kernel_side_table.constant_args={0: {'n': 1000, 'BLOCK': 256}, 1: {'n': 1000, 'BLOCK': 256}, 2: {'BLOCK': 256}, 3: {'BLOCK': 256}}

from torch.nn import *
class Repro(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()



    def forward(self, arg0_1, arg1_1):
        empty = torch.ops.aten.empty.memory_format([arg0_1], dtype = torch.float32, layout = torch.strided, device = device(type='cuda', index=0), pin_memory = False)
        add_2 = arg0_1 + 256
        sub_1 = add_2 - 1;  add_2 = None
        floordiv = sub_1 // 256;  sub_1 = None
        triton_kernel_wrapper_functional_proxy = torch.ops.higher_order.triton_kernel_wrapper_functional(kernel_idx = 0, constant_args_idx = 3, grid = [(floordiv, 1, 1)], tma_descriptor_metadata = {}, kwargs = {'x_ptr': arg1_1, 'y_ptr': arg1_1, 'out_ptr': empty, 'n': arg0_1}, tensors_to_clone = ['out_ptr']);  floordiv = arg1_1 = empty = arg0_1 = None
        getitem = triton_kernel_wrapper_functional_proxy['out_ptr'];  triton_kernel_wrapper_functional_proxy = None
        cos = torch.ops.aten.cos.default(getitem);  getitem = None
        return (cos,)

def load_args(reader):
    reader.symint(1500)  # arg0_1
    buf0 = reader.storage(None, 4*s68, device=device(type='cuda', index=0))
    reader.tensor(buf0, (s68,), is_leaf=True)  # arg1_1
load_args._version = 0
mod = Repro()
if __name__ == '__main__':
    from torch._dynamo.repro.after_aot import run_repro
    with torch.no_grad():
        run_repro(mod, load_args, accuracy=False, command='run', save_dir=None, tracing_mode='symbolic', check_str=None)
        # To run it separately, do 
        # mod, args = run_repro(mod, load_args, accuracy=False, command='get_args', save_dir=None, tracing_mode='symbolic', check_str=None)
        # mod(*args)
