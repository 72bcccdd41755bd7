# What torch.compile made of toy_example (toy_example.py:4).
# Written by depyf from a run with torch 2.15.0+cu132 on Python 3.13.0.
#
# This file is for reading; nothing runs from it. How a call goes:
#   1. transformed_toy_example, at the end, asks the guard of each version in turn;
#   2. the first whose guard holds runs: it calls compiled graphs;
#   3. where Dynamo could not compile a line (a graph break), the version runs that
#      line as ordinary Python and goes on in a resume function, in the same way.
#
# Contents
#     30  toy_example: when version 0 is valid
#     59  __compiled_fn_1: a compiled graph
#     64  toy_example: what version 0 runs
#     86  __resume_at_100_2: when version 0 is valid
#    112  __compiled_fn_5: a compiled graph
#    117  __resume_at_100_2: what version 0 runs
#    135  __resume_at_100_2: the rest of the function, from the graph break on
#    147  transformed___resume_at_100_2: picks the version
#    158  __resume_at_110_3: when version 0 is valid
#    184  __compiled_fn_7: a compiled graph
#    189  __resume_at_110_3: what version 0 runs
#    207  __resume_at_110_3: the rest of the function, from the graph break on
#    218  transformed___resume_at_110_3: picks the version
#    229  toy_example: the original function
#    240  transformed_toy_example: picks the version

from __future__ import annotations


# ---- toy_example: when version 0 is valid
def __guard_0_for_toy_example(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for_toy_example may run. L holds the local variables, G the globals."""
    return (
        type(L['a']) is torch.Tensor  # toy_example.py:6: x = a / (torch.abs(a) + 1)
        and L['a'].shape == (10,)
        and L['a'].dtype == torch.float32
        and L['a'].device.type == 'cpu'
        and L['a'].requires_grad
        and L['a'].stride() == (1,)
        and L['a'] is not L['b']
        and type(L['b']) is torch.Tensor  # toy_example.py:7: if b.sum() < 0:
        and L['b'].shape == (10,)
        and L['b'].dtype == torch.float32
        and L['b'].device.type == 'cpu'
        and L['b'].requires_grad
        and L['b'].stride() == (1,)
        # The functions, modules and classes that the code uses are still the same:
        and G['torch'] is torch  # toy_example.py:6: x = a / (torch.abs(a) + 1)
        and G['torch'].abs is torch.abs  # toy_example.py:6: x = a / (torch.abs(a) + 1)
        # and 14 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   10 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
    )


# ---- __compiled_fn_1: a compiled graph
def __compiled_fn_1(*args, **kwargs):
    """See __compiled_fn_1.Captured_Graph.0.py, __compiled_fn_1.BEFORE_PRE_GRAD.0.py, __compiled_fn_1.Joint_graph.0.py, __compiled_fn_1.Forward_graph.0.py, __compiled_fn_1.Backward_graph.0.py, __compiled_fn_1.AFTER_POST_GRAD.0.py, __compiled_fn_1.AFTER_POST_GRAD.1.py, __compiled_fn_1.kernel_0.py, __compiled_fn_1.kernel_1.py, __compiled_fn_1.runnable.0.py, __compiled_fn_1.runnable.1.py."""


# ---- toy_example: what version 0 runs
# __transformed_code_0_for_toy_example.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_0_for_toy_example(a, b):
    # torch's own bookkeeping, for its profiler
    record = None
    if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
        record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    if record is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # toy_example.py:6-7
    graph_out_0 = __compiled_fn_1(a, b)
    lt = graph_out_0[0]
    x = graph_out_0[1]
    del graph_out_0
    # toy_example.py:7: if b.sum() < 0:
    if lt:
        return __resume_at_100_2([], [], b, x)
    return __resume_at_110_3([], [], b, x)


# ---- __resume_at_100_2: when version 0 is valid
def __guard_0_for___resume_at_100_2(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for_torch_dynamo_resume_in_toy_example_at_7 may run. L holds the local variables, G the globals."""
    return (
        type(L['b']) is torch.Tensor  # toy_example.py:8: b = b * -1
        and L['b'].shape == (10,)
        and L['b'].dtype == torch.float32
        and L['b'].device.type == 'cpu'
        and L['b'].requires_grad
        and L['b'].stride() == (1,)
        and L['b'] is not L['x']
        and type(L['x']) is torch.Tensor  # toy_example.py:9: return x * b
        and L['x'].shape == (10,)
        and L['x'].dtype == torch.float32
        and L['x'].device.type == 'cpu'
        and L['x'].requires_grad
        and L['x'].stride() == (1,)
        # and 14 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   10 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
    )


# ---- __compiled_fn_5: a compiled graph
def __compiled_fn_5(*args, **kwargs):
    """See __compiled_fn_5.Captured_Graph.0.py, __compiled_fn_5.BEFORE_PRE_GRAD.0.py, __compiled_fn_5.Joint_graph.0.py, __compiled_fn_5.Forward_graph.0.py, __compiled_fn_5.Backward_graph.0.py, __compiled_fn_5.AFTER_POST_GRAD.0.py, __compiled_fn_5.AFTER_POST_GRAD.1.py, __compiled_fn_5.kernel_0.py, __compiled_fn_5.kernel_1.py, __compiled_fn_5.runnable.0.py, __compiled_fn_5.runnable.1.py."""


# ---- __resume_at_100_2: what version 0 runs
# __transformed_code_0_for_torch_dynamo_resume_in_toy_example_at_7.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_0_for_torch_dynamo_resume_in_toy_example_at_7(
    __nested_resume_fns, __nested_frame_values, b, x
):
    # torch's own bookkeeping, for its profiler
    record = None
    if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
        record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    if record is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # toy_example.py:8-9
    graph_out_0 = __compiled_fn_5(b, x)
    return graph_out_0[0]


# ---- __resume_at_100_2: the rest of the function, from the graph break on
# __resume_at_100_2 continues toy_example at line 7 after the graph break.
# torch made it by editing bytecode; this is that bytecode, decompiled.
# The compiled way in is transformed___resume_at_100_2.
# verdict: proved: it has the same effects as the bytecode
def __resume_at_100_2(__nested_resume_fns, __nested_frame_values, b, x):
    __is_tracing_resume_prologue = True
    __is_tracing_resume_prologue = False
    b = b * -1
    return x * b


# ---- transformed___resume_at_100_2: picks the version
def transformed___resume_at_100_2(__nested_resume_fns, __nested_frame_values, b, x):
    L = {"__nested_resume_fns": __nested_resume_fns, "__nested_frame_values": __nested_frame_values, "b": b, "x": x}
    G = globals()
    if __guard_0_for___resume_at_100_2(L, G):
        return __transformed_code_0_for_torch_dynamo_resume_in_toy_example_at_7(__nested_resume_fns, __nested_frame_values, b, x)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return __resume_at_100_2(__nested_resume_fns, __nested_frame_values, b, x)


# ---- __resume_at_110_3: when version 0 is valid
def __guard_0_for___resume_at_110_3(L, G, **___kwargs_ignored):
    """Whether __transformed_code_1_for_torch_dynamo_resume_in_toy_example_at_7 may run. L holds the local variables, G the globals."""
    return (
        type(L['b']) is torch.Tensor  # toy_example.py:9: return x * b
        and L['b'].shape == (10,)
        and L['b'].dtype == torch.float32
        and L['b'].device.type == 'cpu'
        and L['b'].requires_grad
        and L['b'].stride() == (1,)
        and L['b'] is not L['x']
        and type(L['x']) is torch.Tensor  # toy_example.py:9: return x * b
        and L['x'].shape == (10,)
        and L['x'].dtype == torch.float32
        and L['x'].device.type == 'cpu'
        and L['x'].requires_grad
        and L['x'].stride() == (1,)
        # and 14 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   10 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
    )


# ---- __compiled_fn_7: a compiled graph
def __compiled_fn_7(*args, **kwargs):
    """See __compiled_fn_7.Captured_Graph.0.py, __compiled_fn_7.BEFORE_PRE_GRAD.0.py, __compiled_fn_7.Joint_graph.0.py, __compiled_fn_7.Forward_graph.0.py, __compiled_fn_7.Backward_graph.0.py, __compiled_fn_7.AFTER_POST_GRAD.0.py, __compiled_fn_7.AFTER_POST_GRAD.1.py, __compiled_fn_7.kernel_0.py, __compiled_fn_7.kernel_1.py, __compiled_fn_7.runnable.0.py, __compiled_fn_7.runnable.1.py."""


# ---- __resume_at_110_3: what version 0 runs
# __transformed_code_1_for_torch_dynamo_resume_in_toy_example_at_7.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_1_for_torch_dynamo_resume_in_toy_example_at_7(
    __nested_resume_fns, __nested_frame_values, b, x
):
    # torch's own bookkeeping, for its profiler
    record = None
    if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
        record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    if record is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # toy_example.py:9: return x * b
    graph_out_0 = __compiled_fn_7(x, b)
    return graph_out_0[0]


# ---- __resume_at_110_3: the rest of the function, from the graph break on
# __resume_at_110_3 continues toy_example at line 7 after the graph break.
# torch made it by editing bytecode; this is that bytecode, decompiled.
# The compiled way in is transformed___resume_at_110_3.
# verdict: proved: it has the same effects as the bytecode
def __resume_at_110_3(__nested_resume_fns, __nested_frame_values, b, x):
    __is_tracing_resume_prologue = True
    __is_tracing_resume_prologue = False
    return x * b


# ---- transformed___resume_at_110_3: picks the version
def transformed___resume_at_110_3(__nested_resume_fns, __nested_frame_values, b, x):
    L = {"__nested_resume_fns": __nested_resume_fns, "__nested_frame_values": __nested_frame_values, "b": b, "x": x}
    G = globals()
    if __guard_0_for___resume_at_110_3(L, G):
        return __transformed_code_1_for_torch_dynamo_resume_in_toy_example_at_7(__nested_resume_fns, __nested_frame_values, b, x)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return __resume_at_110_3(__nested_resume_fns, __nested_frame_values, b, x)


# ---- toy_example: the original function
# The function as it was before torch.compile, from toy_example.py:4.
# The compiled way in is transformed_toy_example.
# @torch.compile
def toy_example(a, b):
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b


# ---- transformed_toy_example: picks the version
def transformed_toy_example(a, b):
    L = {"a": a, "b": b}
    G = globals()
    if __guard_0_for_toy_example(L, G):
        return __transformed_code_0_for_toy_example(a, b)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return toy_example(a, b)
