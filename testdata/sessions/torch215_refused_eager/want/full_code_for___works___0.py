# What torch.compile made of __works__ (refused.py:13).
# Written by depyf from a run with torch 2.15.0+cu132 on Python 3.13.0.
#
# This file is for reading; nothing runs from it. How a call goes:
#   1. transformed___works__, at the end, asks the guard of each version in turn;
#   2. the first whose guard holds runs: it calls compiled graphs;
#   3. where Dynamo could not compile a line (a graph break), the version runs that
#      line as ordinary Python and goes on in a resume function, in the same way.
#
# Contents
#     20  __works__: when version 0 is valid
#     39  __compiled_fn_3: a compiled graph
#     44  __works__: what version 0 runs
#     60  __works__: the original function
#     69  transformed___works__: picks the version

from __future__ import annotations


# ---- __works__: when version 0 is valid
def __guard_0_for___works__(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for___works__ may run. L holds the local variables, G the globals."""
    return (
        type(L['x']) is torch.Tensor  # refused.py:15: y = x.cos()
        and L['x'].shape == (10,)
        and L['x'].dtype == torch.float32
        and L['x'].device.type == 'cpu'
        and not L['x'].requires_grad
        and L['x'].stride() == (1,)
        # and 9 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   5 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
    )


# ---- __compiled_fn_3: a compiled graph
def __compiled_fn_3(*args, **kwargs):
    """See __compiled_fn_3.Captured_Graph.0.py."""


# ---- __works__: what version 0 runs
# __transformed_code_0_for___works__.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_0_for___works__(x):
    # torch's own bookkeeping, for its profiler
    record = None
    if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
        record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    if record is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # refused.py:15-16
    graph_out_0 = __compiled_fn_3(x)
    return graph_out_0[0]


# ---- __works__: the original function
# The function as it was before torch.compile, from refused.py:13.
# The compiled way in is transformed___works__.
# @torch.compile(backend="eager")
def __works__(x):
    y = x.cos()
    return y * 2


# ---- transformed___works__: picks the version
def transformed___works__(x):
    L = {"x": x}
    G = globals()
    if __guard_0_for___works__(L, G):
        return __transformed_code_0_for___works__(x)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return __works__(x)
