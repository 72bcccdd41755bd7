# What torch.compile made of layer (tuned.py:6).
# Written by depyf from a run with torch 2.11.0+cu130 on Python 3.12.3.
#
# This file is for reading; nothing runs from it. How a call goes:
#   1. transformed_layer, at the end, asks the guard of each version in turn;
#   2. the first whose guard holds runs: it calls compiled graphs;
#   3. where Dynamo could not compile a line (a graph break), the version runs that
#      line as ordinary Python and goes on in a resume function, in the same way.
#
# Contents
#     20  layer: when version 0 is valid
#     57  __compiled_fn_1: a compiled graph
#     62  layer: what version 0 runs
#     75  layer: the original function
#     82  transformed_layer: picks the version

from __future__ import annotations


# ---- layer: when version 0 is valid
def __guard_0_for_layer(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for_layer may run. L holds the local variables, G the globals."""
    return (
        type(L['b']) is torch.Tensor  # tuned.py:7: return torch.nn.functional.gelu(x @ w + b)
        and L['b'].shape == (256,)
        and L['b'].dtype == torch.bfloat16
        and L['b'].device == torch.device('cuda:0')
        and not L['b'].requires_grad
        and L['b'].stride() == (1,)
        and check_no_aliasing(L['b'], L['w'], L['x'])
        and type(L['w']) is torch.Tensor  # tuned.py:7: return torch.nn.functional.gelu(x @ w + b)
        and L['w'].shape == (512, 256)
        and L['w'].dtype == torch.bfloat16
        and L['w'].device == torch.device('cuda:0')
        and not L['w'].requires_grad
        and L['w'].stride() == (256, 1)
        and type(L['x']) is torch.Tensor  # tuned.py:7: return torch.nn.functional.gelu(x @ w + b)
        and L['x'].shape == (256, 512)
        and L['x'].dtype == torch.bfloat16
        and L['x'].device == torch.device('cuda:0')
        and not L['x'].requires_grad
        and L['x'].stride() == (512, 1)
        # The functions, modules and classes that the code uses are still the same:
        and G['torch'] is torch  # tuned.py:7: return torch.nn.functional.gelu(x @ w + b)
        and G['torch'].nn is torch.nn  # tuned.py:7: return torch.nn.functional.gelu(x @ w + b)
        and G['torch'].nn.functional is torch.nn.functional  # tuned.py:7: return torch.nn.functional.gelu(x @ w + b)
        and G['torch'].nn.functional.gelu is torch._C._nn.gelu  # tuned.py:7: return torch.nn.functional.gelu(x @ w + b)
        # and 7 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   3 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
    )


# ---- __compiled_fn_1: a compiled graph
def __compiled_fn_1(*args, **kwargs):
    """See __compiled_fn_1.Captured_Graph.0.py, __compiled_fn_1.BEFORE_PRE_GRAD.0.py, __compiled_fn_1.Forward_graph.0.py, __compiled_fn_1.AFTER_POST_GRAD.0.py, __compiled_fn_1.kernel_0.py, __compiled_fn_1.runnable.0.py."""


# ---- layer: what version 0 runs
# __transformed_code_0_for_layer.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_0_for_layer(x, w, b):
    # torch's own bookkeeping, for its profiler
    record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # tuned.py:7: return torch.nn.functional.gelu(x @ w + b)
    graph_out_0 = __compiled_fn_1(x, w, b)
    return graph_out_0[0]


# ---- layer: the original function
# The function as it was before torch.compile, from tuned.py:6.
# The compiled way in is transformed_layer.
def layer(x, w, b):
    return torch.nn.functional.gelu(x @ w + b)


# ---- transformed_layer: picks the version
def transformed_layer(x, w, b):
    L = {"x": x, "w": w, "b": b}
    G = globals()
    if __guard_0_for_layer(L, G):
        return __transformed_code_0_for_layer(x, w, b)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return layer(x, w, b)
