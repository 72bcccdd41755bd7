# What torch.compile made of changes (graphs.py:10).
# Written by depyf from a run with torch 2.11.0+cu130 on Python 3.12.3.
#
# This file is for reading; nothing runs from it. How a call goes:
#   1. transformed_changes, at the end, asks the guard of each version in turn;
#   2. the first whose guard holds runs: it calls compiled graphs;
#   3. where Dynamo could not compile a line (a graph break), the version runs that
#      line as ordinary Python and goes on in a resume function, in the same way.
#
# Contents
#     20  changes: when version 0 is valid
#     46  __compiled_fn_3: a compiled graph
#     51  changes: what version 0 runs
#     64  changes: the original function
#     72  transformed_changes: picks the version

from __future__ import annotations


# ---- changes: when version 0 is valid
def __guard_0_for_changes(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for_changes may run. L holds the local variables, G the globals."""
    return (
        type(L['w']) is torch.Tensor  # graphs.py:12: return (x @ w).relu()
        and L['w'].shape == (64, 64)
        and L['w'].dtype == torch.float32
        and L['w'].device == torch.device('cuda:0')
        and not L['w'].requires_grad
        and L['w'].stride() == (64, 1)
        and L['w'] is not L['x']
        and type(L['x']) is torch.Tensor  # graphs.py:11: x.add_(1)
        and L['x'].shape == (32, 64)
        and L['x'].dtype == torch.float32
        and L['x'].device == torch.device('cuda:0')
        and not L['x'].requires_grad
        and L['x'].stride() == (64, 1)
        # and 6 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   2 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
    )


# ---- __compiled_fn_3: a compiled graph
def __compiled_fn_3(*args, **kwargs):
    """See __compiled_fn_3.Captured_Graph.0.py, __compiled_fn_3.BEFORE_PRE_GRAD.0.py, __compiled_fn_3.Forward_graph.0.py, __compiled_fn_3.AFTER_POST_GRAD.0.py, __compiled_fn_3.kernel_0.py, __compiled_fn_3.runnable.0.py."""


# ---- changes: what version 0 runs
# __transformed_code_0_for_changes.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_0_for_changes(x, w):
    # torch's own bookkeeping, for its profiler
    record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # graphs.py:11-12
    graph_out_0 = __compiled_fn_3(x, w)
    return graph_out_0[0]


# ---- changes: the original function
# The function as it was before torch.compile, from graphs.py:10.
# The compiled way in is transformed_changes.
def changes(x, w):
    x.add_(1)
    return (x @ w).relu()


# ---- transformed_changes: picks the version
def transformed_changes(x, w):
    L = {"x": x, "w": w}
    G = globals()
    if __guard_0_for_changes(L, G):
        return __transformed_code_0_for_changes(x, w)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return changes(x, w)
