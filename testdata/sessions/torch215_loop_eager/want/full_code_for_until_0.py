# What torch.compile made of until (loop.py:4).
# Written by depyf from a run with torch 2.15.0+cu132 on Python 3.13.0.
#
# This file is for reading; nothing runs from it. How a call goes:
#   1. transformed_until, at the end, asks the guard of each version in turn;
#   2. the first whose guard holds runs: it calls compiled graphs;
#   3. where Dynamo could not compile a line (a graph break), the version runs that
#      line as ordinary Python and goes on in a resume function, in the same way.
#
# Contents
#     22  until: when version 0 is valid
#     41  __compiled_fn_1: a compiled graph
#     46  until: what version 0 runs
#     64  __resume_at_44_2: a resume function that was not compiled
#     71  __resume_at_100_3: a resume function that was not compiled
#     78  until: the original function
#     87  transformed_until: picks the version

from __future__ import annotations


# ---- until: when version 0 is valid
def __guard_0_for_until(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for_until may run. L holds the local variables, G the globals."""
    return (
        type(L['x']) is torch.Tensor  # loop.py:5: while x.sum() < 10:
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


# ---- __compiled_fn_1: a compiled graph
def __compiled_fn_1(*args, **kwargs):
    """See __compiled_fn_1.Captured_Graph.0.py."""


# ---- until: what version 0 runs
# __transformed_code_0_for_until.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_0_for_until(x):
    _temp_1 = __import_torch_dot_autograd_dot_profiler._is_profiler_enabled
    tmp_1 = None
    if _temp_1:
        tmp_1 = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    if tmp_1 is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(tmp_1)
    graph_out_0 = __compiled_fn_1(x)
    _temp_2 = graph_out_0[0]
    del graph_out_0
    if _temp_2:
        return __resume_at_44_2([], [], x)
    return __resume_at_100_3([], [], x)


# ---- __resume_at_44_2: a resume function that was not compiled
# __resume_at_44_2 continues until after the graph break. Dynamo made no code of it:
# torch_dynamo_resume_in_until_at_5 (line 5): Data-dependent branching, hence: graph break in loop (loop.py:5 `while x.sum() < 10:`)
def __resume_at_44_2(*args, **kwargs):
    """See the note above."""


# ---- __resume_at_100_3: a resume function that was not compiled
# __resume_at_100_3 continues until after the graph break. Dynamo made no code of it:
# torch_dynamo_resume_in_until_at_5 (line 5): Data-dependent branching, hence: graph break in loop (loop.py:5 `while x.sum() < 10:`)
def __resume_at_100_3(*args, **kwargs):
    """See the note above."""


# ---- until: the original function
# The function as it was before torch.compile, from loop.py:4.
# The compiled way in is transformed_until.
def until(x):
    while x.sum() < 10:
        x = x + 1
    return x


# ---- transformed_until: picks the version
def transformed_until(x):
    L = {"x": x}
    G = globals()
    if __guard_0_for_until(L, G):
        return __transformed_code_0_for_until(x)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return until(x)
