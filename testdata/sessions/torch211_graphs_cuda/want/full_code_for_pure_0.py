# What torch.compile made of pure (graphs.py:6).
# Written by depyf from a run with torch 2.11.0+cu130 on Python 3.12.3.
#
# This file is for reading; nothing runs from it. How a call goes:
#   1. transformed_pure, at the end, asks the guard of each version in turn;
#   2. the first whose guard holds runs: it calls compiled graphs;
#   3. where Dynamo could not compile a line (a graph break), the version runs that
#      line as ordinary Python and goes on in a resume function, in the same way.
#
# Contents
#     20  pure: when version 0 is valid
#     49  __compiled_fn_1: a compiled graph
#     54  pure: what version 0 runs
#     67  pure: the original function
#     74  transformed_pure: picks the version

from __future__ import annotations


# ---- pure: when version 0 is valid
def __guard_0_for_pure(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for_pure may run. L holds the local variables, G the globals."""
    return (
        type(L['w']) is torch.Tensor  # graphs.py:7: return torch.softmax(x @ w, -1).sum(0)
        and L['w'].shape == (64, 64)
        and L['w'].dtype == torch.float32
        and L['w'].device == torch.device('cuda:0')
        and not L['w'].requires_grad
        and L['w'].stride() == (64, 1)
        and L['w'] is not L['x']
        and type(L['x']) is torch.Tensor  # graphs.py:7: return torch.softmax(x @ w, -1).sum(0)
        and L['x'].shape == (32, 64)
        and L['x'].dtype == torch.float32
        and L['x'].device == torch.device('cuda:0')
        and not L['x'].requires_grad
        and L['x'].stride() == (64, 1)
        # The functions, modules and classes that the code uses are still the same:
        and G['torch'] is torch  # graphs.py:7: return torch.softmax(x @ w, -1).sum(0)
        and G['torch'].softmax is torch.softmax  # graphs.py:7: return torch.softmax(x @ w, -1).sum(0)
        # and 6 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   2 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
    )


# ---- __compiled_fn_1: a compiled graph
def __compiled_fn_1(*args, **kwargs):
    """See __compiled_fn_1.Captured_Graph.0.py, __compiled_fn_1.BEFORE_PRE_GRAD.0.py, __compiled_fn_1.Forward_graph.0.py, __compiled_fn_1.AFTER_POST_GRAD.0.py, __compiled_fn_1.kernel_0.py, __compiled_fn_1.runnable.0.py, __compiled_fn_1.BEFORE_POST_GRAD.0.py."""


# ---- pure: what version 0 runs
# __transformed_code_0_for_pure.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_0_for_pure(x, w):
    # torch's own bookkeeping, for its profiler
    record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # graphs.py:7: return torch.softmax(x @ w, -1).sum(0)
    graph_out_0 = __compiled_fn_1(x, w)
    return graph_out_0[0]


# ---- pure: the original function
# The function as it was before torch.compile, from graphs.py:6.
# The compiled way in is transformed_pure.
def pure(x, w):
    return torch.softmax(x @ w, -1).sum(0)


# ---- transformed_pure: picks the version
def transformed_pure(x, w):
    L = {"x": x, "w": w}
    G = globals()
    if __guard_0_for_pure(L, G):
        return __transformed_code_0_for_pure(x, w)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return pure(x, w)
