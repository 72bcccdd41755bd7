# What torch.compile made of mixed (graphs.py:15).
# Written by depyf from a run with torch 2.11.0+cu130 on Python 3.12.3.
#
# This file is for reading; nothing runs from it. How a call goes:
#   1. transformed_mixed, at the end, asks the guard of each version in turn;
#   2. the first whose guard holds runs: it calls compiled graphs;
#   3. where Dynamo could not compile a line (a graph break), the version runs that
#      line as ordinary Python and goes on in a resume function, in the same way.
#
# Contents
#     20  mixed: when version 0 is valid
#     52  __compiled_fn_5: a compiled graph
#     57  mixed: what version 0 runs
#     70  mixed: the original function
#     77  transformed_mixed: picks the version

from __future__ import annotations


# ---- mixed: when version 0 is valid
def __guard_0_for_mixed(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for_mixed may run. L holds the local variables, G the globals."""
    return (
        type(L['w']) is torch.Tensor  # graphs.py:16: return (x @ w).relu() * scale
        and L['w'].shape == (64, 64)
        and L['w'].dtype == torch.float32
        and L['w'].device == torch.device('cuda:0')
        and not L['w'].requires_grad
        and L['w'].stride() == (64, 1)
        and check_no_aliasing(L['w'], L['x'], L['scale'])
        and type(L['x']) is torch.Tensor  # graphs.py:16: return (x @ w).relu() * scale
        and L['x'].shape == (32, 64)
        and L['x'].dtype == torch.float32
        and L['x'].device == torch.device('cuda:0')
        and not L['x'].requires_grad
        and L['x'].stride() == (64, 1)
        and type(L['scale']) is torch.Tensor  # graphs.py:16: return (x @ w).relu() * scale
        and L['scale'].shape == ()
        and L['scale'].dtype == torch.float32
        and L['scale'].device.type == 'cpu'
        and not L['scale'].requires_grad
        and L['scale'].stride() == ()
        # and 7 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   3 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
    )


# ---- __compiled_fn_5: a compiled graph
def __compiled_fn_5(*args, **kwargs):
    """See __compiled_fn_5.Captured_Graph.0.py, __compiled_fn_5.BEFORE_PRE_GRAD.0.py, __compiled_fn_5.Forward_graph.0.py, __compiled_fn_5.AFTER_POST_GRAD.0.py, __compiled_fn_5.kernel_0.py, __compiled_fn_5.runnable.0.py, __compiled_fn_5.BEFORE_POST_GRAD.0.py."""


# ---- mixed: what version 0 runs
# __transformed_code_0_for_mixed.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_0_for_mixed(x, w, scale):
    # torch's own bookkeeping, for its profiler
    record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # graphs.py:16: return (x @ w).relu() * scale
    graph_out_0 = __compiled_fn_5(x, w, scale)
    return graph_out_0[0]


# ---- mixed: the original function
# The function as it was before torch.compile, from graphs.py:15.
# The compiled way in is transformed_mixed.
def mixed(x, w, scale):
    return (x @ w).relu() * scale


# ---- transformed_mixed: picks the version
def transformed_mixed(x, w, scale):
    L = {"x": x, "w": w, "scale": scale}
    G = globals()
    if __guard_0_for_mixed(L, G):
        return __transformed_code_0_for_mixed(x, w, scale)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return mixed(x, w, scale)
