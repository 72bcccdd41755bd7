# __compiled_fn_1: a script by torch that repeats this compilation on its own.
# compile id: 0/0, from toy_example (/project/toy_example.py:4)
# source: torch's structured log

import os
os.environ['TORCHINDUCTOR_CACHE_DIR'] = '/tmp/torchinductor_user/tmp441c3_ag'
os.environ['TORCHINDUCTOR_FORCE_DISABLE_CACHES'] = '1'
os.environ['_TORCHINDUCTOR_PYOBJECT_TENSOR_DATA_PTR'] = '139977791984928'
os.environ['TRITON_CACHE_DIR'] = '/tmp/torchinductor_user/tmp441c3_ag/triton'
os.environ.pop('TORCHDYNAMO_REPRO_AFTER', None)
os.environ.pop('TORCHDYNAMO_REPRO_LEVEL', None)

import torch
from torch import tensor, device
import torch.fx as fx
from torch._dynamo.testing import rand_strided
import math
from math import inf
import torch._inductor.inductor_prims



import torch._dynamo.config
import torch._inductor.config
import torch._functorch.config
import torch.fx.experimental._config

torch._inductor.config.deterministic = False
torch._functorch.config.functionalize_rng_ops = False
torch._functorch.config.fake_tensor_allow_unsafe_data_ptr_access = True
torch._functorch.config.unlift_effect_tokens = False
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
# torch version: 2.15.0+cu132
# torch cuda version: 13.2
# torch git version: d0f2af8b66b20da4baa50644c0cd3f887a2eae2e


# torch.cuda.is_available()==False, no GPU info collected
torch._higher_order_ops.triton_kernel_wrap.kernel_side_table.reset_table()

from torch.nn import *
class Repro(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()



    def forward(self, primals_1, tangents_1):
        neg = torch.ops.aten.neg.default(tangents_1)
        abs_1 = torch.ops.aten.abs.default(primals_1)
        add = torch.ops.aten.add.Tensor(abs_1, 1);  abs_1 = None
        div_1 = torch.ops.aten.div.Tensor(primals_1, add)
        div_2 = torch.ops.aten.div.Tensor(div_1, add);  div_1 = None
        mul = torch.ops.aten.mul.Tensor(neg, div_2);  neg = div_2 = None
        div_3 = torch.ops.aten.div.Tensor(tangents_1, add);  tangents_1 = add = None
        sign = torch.ops.aten.sign.default(primals_1);  primals_1 = None
        mul_1 = torch.ops.aten.mul.Tensor(mul, sign);  mul = sign = None
        add_1 = torch.ops.aten.add.Tensor(div_3, mul_1);  div_3 = mul_1 = None
        return (add_1, None)

def load_args(reader):
    buf0 = reader.storage(None, 40)
    reader.tensor(buf0, (10,), is_leaf=True)  # primals_1
    buf1 = reader.storage(None, 40)
    reader.tensor(buf1, (10,), is_leaf=True)  # tangents_1
load_args._version = 0
mod = Repro()
if __name__ == '__main__':
    from torch._dynamo.repro.after_aot import run_repro
    with torch.no_grad():
        run_repro(mod, load_args, accuracy=False, command='run', save_dir=None, tracing_mode='real', check_str=None, is_inference=False)
        # To run it separately, do 
        # mod, args = run_repro(mod, load_args, accuracy=False, command='get_args', save_dir=None, tracing_mode='real', check_str=None, is_inference=False)
        # mod(*args)
