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
#     41  toy_example: when version 0 is valid
#     70  __compiled_fn_1: a compiled graph
#     75  toy_example: what version 0 runs
#     94  toy_example: when version 1 is valid
#    125  __compiled_fn_9: a compiled graph
#    130  toy_example: what version 1 runs
#    155  __resume_at_100_2: when version 0 is valid
#    181  __compiled_fn_5: a compiled graph
#    186  __resume_at_100_2: what version 0 runs
#    204  __resume_at_100_2: when version 1 is valid
#    232  __compiled_fn_15: a compiled graph
#    237  __resume_at_100_2: what version 1 runs
#    258  __resume_at_100_2: the rest of the function, from the graph break on
#    272  transformed___resume_at_100_2: picks the version
#    286  __resume_at_110_3: when version 0 is valid
#    312  __compiled_fn_7: a compiled graph
#    317  __resume_at_110_3: what version 0 runs
#    335  __resume_at_110_3: when version 1 is valid
#    363  __compiled_fn_13: a compiled graph
#    368  __resume_at_110_3: what version 1 runs
#    389  __resume_at_110_3: the rest of the function, from the graph break on
#    402  transformed___resume_at_110_3: picks the version
#    416  __resume_at_100_10: another name of __resume_at_100_2
#    420  __resume_at_110_11: another name of __resume_at_110_3
#    424  toy_example: the original function
#    435  transformed_toy_example: picks the version

from __future__ import annotations


# ---- toy_example: when version 0 is valid
def __guard_0_for_toy_example(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for_toy_example may run. L holds the local variables, G the globals."""
    return (
        type(L['a']) is torch.Tensor  # toy_example.py:6: x = a / (torch.abs(a) + 1)
        and L['a'].shape == (10,)  # FAILED, hence recompiled: tensor 'a' size mismatch at index 0. expected 10, actual 12
        and L['a'].dtype == torch.float32
        and L['a'].device.type == 'cpu'
        and not L['a'].requires_grad
        and L['a'].stride() == (1,)
        and L['a'] is not L['b']
        and type(L['b']) is torch.Tensor  # toy_example.py:7: if b.sum() < 0:
        and L['b'].shape == (10,)
        and L['b'].dtype == torch.float32
        and L['b'].device.type == 'cpu'
        and not L['b'].requires_grad
        and L['b'].stride() == (1,)
        # The functions, modules and classes that the code uses are still the same:
        and ___check_obj_id(G['torch'], 'the module seen when compiling')  # toy_example.py:6: x = a / (torch.abs(a) + 1)
        and ___check_obj_id(G['torch'].abs, 'the builtin_function_or_method seen when compiling')  # toy_example.py:6: x = a / (torch.abs(a) + 1)
        # and 14 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   10 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
    )


# ---- __compiled_fn_1: a compiled graph
def __compiled_fn_1(*args, **kwargs):
    """See __compiled_fn_1.Captured_Graph.0.py."""


# ---- toy_example: what version 0 runs
# __transformed_code_0_for_toy_example.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_0_for_toy_example(a, b):
    _temp_1 = __import_torch_dot_autograd_dot_profiler._is_profiler_enabled
    tmp_1 = None
    if _temp_1:
        tmp_1 = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    if tmp_1 is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(tmp_1)
    graph_out_0 = __compiled_fn_1(a, b)
    _temp_2 = graph_out_0[0]
    _temp_3 = graph_out_0[1]
    del graph_out_0
    if _temp_2:
        return __resume_at_100_2([], [], b, _temp_3)
    return __resume_at_110_3([], [], b, _temp_3)


# ---- toy_example: when version 1 is valid
def __guard_1_for_toy_example(L, G, **___kwargs_ignored):
    """Whether __transformed_code_1_for_toy_example may run. L holds the local variables, G the globals."""
    return (
        type(L['a']) is torch.Tensor  # toy_example.py:6: x = a / (torch.abs(a) + 1)
        and L['a'].ndim == 1
        and L['a'].dtype == torch.float32
        and L['a'].device.type == 'cpu'
        and not L['a'].requires_grad
        and L['a'].stride() == (1,)
        and L['a'] is not L['b']
        and type(L['b']) is torch.Tensor  # toy_example.py:7: if b.sum() < 0:
        and L['b'].ndim == 1
        and L['b'].dtype == torch.float32
        and L['b'].device.type == 'cpu'
        and not L['b'].requires_grad
        and L['b'].stride() == (1,)
        and 2 <= L['a'].shape[0]  # toy_example.py:6: x = a / (torch.abs(a) + 1); Dynamo always treats the sizes 0 and 1 apart
        and 2 <= L['b'].shape[0]  # toy_example.py:7: if b.sum() < 0:; Dynamo always treats the sizes 0 and 1 apart
        # The functions, modules and classes that the code uses are still the same:
        and ___check_obj_id(G['torch'], 'the module seen when compiling')  # toy_example.py:6: x = a / (torch.abs(a) + 1)
        and ___check_obj_id(G['torch'].abs, 'the builtin_function_or_method seen when compiling')  # toy_example.py:6: x = a / (torch.abs(a) + 1)
        # and 14 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   10 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
    )


# ---- __compiled_fn_9: a compiled graph
def __compiled_fn_9(*args, **kwargs):
    """See __compiled_fn_9.Captured_Graph.0.py."""


# ---- toy_example: what version 1 runs
# __transformed_code_1_for_toy_example.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_1_for_toy_example(a, b):
    _temp_1 = __import_torch_dot_autograd_dot_profiler._is_profiler_enabled
    tmp_1 = None
    if _temp_1:
        tmp_1 = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    _temp_2 = __import_torch_dot__dynamo_dot_utils.call_size
    _temp_3 = _temp_2
    _temp_4 = a
    _temp_5 = _temp_2(a, 0)
    _temp_6 = b
    _temp_7 = _temp_3(b, 0)
    if tmp_1 is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(tmp_1)
    graph_out_0 = __compiled_fn_9(_temp_5, _temp_4, _temp_7, _temp_6)
    _temp_8 = graph_out_0[0]
    _temp_9 = graph_out_0[1]
    del graph_out_0
    if _temp_8:
        return __resume_at_100_10([], [], b, _temp_9)
    return __resume_at_110_11([], [], b, _temp_9)


# ---- __resume_at_100_2: when version 0 is valid
def __guard_0_for___resume_at_100_2(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for_torch_dynamo_resume_in_toy_example_at_7 may run. L holds the local variables, G the globals."""
    return (
        type(L['b']) is torch.Tensor  # toy_example.py:8: b = b * -1
        and L['b'].shape == (10,)  # FAILED, hence recompiled: tensor 'b' size mismatch at index 0. expected 10, actual 12
        and L['b'].dtype == torch.float32
        and L['b'].device.type == 'cpu'
        and not L['b'].requires_grad
        and L['b'].stride() == (1,)
        and L['b'] is not L['x']
        and type(L['x']) is torch.Tensor  # toy_example.py:9: return x * b
        and L['x'].shape == (10,)
        and L['x'].dtype == torch.float32
        and L['x'].device.type == 'cpu'
        and not L['x'].requires_grad
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
    """See __compiled_fn_5.Captured_Graph.0.py."""


# ---- __resume_at_100_2: what version 0 runs
# __transformed_code_0_for_torch_dynamo_resume_in_toy_example_at_7.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_0_for_torch_dynamo_resume_in_toy_example_at_7(
    __nested_resume_fns, __nested_frame_values, b, x
):
    _temp_1 = __import_torch_dot_autograd_dot_profiler._is_profiler_enabled
    tmp_1 = None
    if _temp_1:
        tmp_1 = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    if tmp_1 is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(tmp_1)
    graph_out_0 = __compiled_fn_5(b, x)
    _temp_2 = graph_out_0[0]
    del graph_out_0
    return _temp_2


# ---- __resume_at_100_2: when version 1 is valid
def __guard_1_for___resume_at_100_2(L, G, **___kwargs_ignored):
    """Whether __transformed_code_3_for_torch_dynamo_resume_in_toy_example_at_7 may run. L holds the local variables, G the globals."""
    return (
        type(L['b']) is torch.Tensor  # toy_example.py:8: b = b * -1
        and L['b'].ndim == 1
        and L['b'].dtype == torch.float32
        and L['b'].device.type == 'cpu'
        and not L['b'].requires_grad
        and L['b'].stride() == (1,)
        and L['b'] is not L['x']
        and type(L['x']) is torch.Tensor  # toy_example.py:9: return x * b
        and L['x'].ndim == 1
        and L['x'].dtype == torch.float32
        and L['x'].device.type == 'cpu'
        and not L['x'].requires_grad
        and L['x'].stride() == (1,)
        and L['x'].shape[0] == L['b'].shape[0]  # toy_example.py:9: return x * b
        and 2 <= L['b'].shape[0]  # toy_example.py:8: b = b * -1; Dynamo always treats the sizes 0 and 1 apart
        # and 14 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   10 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
    )


# ---- __compiled_fn_15: a compiled graph
def __compiled_fn_15(*args, **kwargs):
    """See __compiled_fn_15.Captured_Graph.0.py."""


# ---- __resume_at_100_2: what version 1 runs
# __transformed_code_3_for_torch_dynamo_resume_in_toy_example_at_7.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_3_for_torch_dynamo_resume_in_toy_example_at_7(
    __nested_resume_fns, __nested_frame_values, b, x
):
    _temp_1 = __import_torch_dot_autograd_dot_profiler._is_profiler_enabled
    tmp_1 = None
    if _temp_1:
        tmp_1 = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    _temp_2 = __import_torch_dot__dynamo_dot_utils.call_size
    _temp_3 = b
    _temp_4 = _temp_2(b, 0)
    if tmp_1 is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(tmp_1)
    graph_out_0 = __compiled_fn_15(_temp_4, _temp_3, x)
    _temp_5 = graph_out_0[0]
    del graph_out_0
    return _temp_5


# ---- __resume_at_100_2: the rest of the function, from the graph break on
# __resume_at_100_2 continues toy_example at line 7 after the graph break.
# torch made it by editing bytecode; this is that bytecode, decompiled.
# The compiled way in is transformed___resume_at_100_2.
# verdict: proved: it has the same effects as the bytecode
def __resume_at_100_2(
    __nested_resume_fns, __nested_frame_values, b, x
):
    __is_tracing_resume_prologue = True
    __is_tracing_resume_prologue = False
    b = b * -1
    return x * b


# ---- transformed___resume_at_100_2: picks the version
def transformed___resume_at_100_2(__nested_resume_fns, __nested_frame_values, b, x):
    L = {"__nested_resume_fns": __nested_resume_fns, "__nested_frame_values": __nested_frame_values, "b": b, "x": x}
    G = globals()
    # In the order in which Dynamo tried them last: the version used last comes first.
    if __guard_1_for___resume_at_100_2(L, G):
        return __transformed_code_3_for_torch_dynamo_resume_in_toy_example_at_7(__nested_resume_fns, __nested_frame_values, b, x)
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
        and L['b'].shape == (10,)  # FAILED, hence recompiled: tensor 'b' size mismatch at index 0. expected 10, actual 12
        and L['b'].dtype == torch.float32
        and L['b'].device.type == 'cpu'
        and not L['b'].requires_grad
        and L['b'].stride() == (1,)
        and L['b'] is not L['x']
        and type(L['x']) is torch.Tensor  # toy_example.py:9: return x * b
        and L['x'].shape == (10,)
        and L['x'].dtype == torch.float32
        and L['x'].device.type == 'cpu'
        and not L['x'].requires_grad
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
    """See __compiled_fn_7.Captured_Graph.0.py."""


# ---- __resume_at_110_3: what version 0 runs
# __transformed_code_1_for_torch_dynamo_resume_in_toy_example_at_7.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_1_for_torch_dynamo_resume_in_toy_example_at_7(
    __nested_resume_fns, __nested_frame_values, b, x
):
    _temp_1 = __import_torch_dot_autograd_dot_profiler._is_profiler_enabled
    tmp_1 = None
    if _temp_1:
        tmp_1 = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    if tmp_1 is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(tmp_1)
    graph_out_0 = __compiled_fn_7(x, b)
    _temp_2 = graph_out_0[0]
    del graph_out_0
    return _temp_2


# ---- __resume_at_110_3: when version 1 is valid
def __guard_1_for___resume_at_110_3(L, G, **___kwargs_ignored):
    """Whether __transformed_code_2_for_torch_dynamo_resume_in_toy_example_at_7 may run. L holds the local variables, G the globals."""
    return (
        type(L['b']) is torch.Tensor  # toy_example.py:9: return x * b
        and L['b'].ndim == 1
        and L['b'].dtype == torch.float32
        and L['b'].device.type == 'cpu'
        and not L['b'].requires_grad
        and L['b'].stride() == (1,)
        and L['b'] is not L['x']
        and type(L['x']) is torch.Tensor  # toy_example.py:9: return x * b
        and L['x'].ndim == 1
        and L['x'].dtype == torch.float32
        and L['x'].device.type == 'cpu'
        and not L['x'].requires_grad
        and L['x'].stride() == (1,)
        and L['b'].shape[0] == L['x'].shape[0]
        and 2 <= L['x'].shape[0]  # toy_example.py:9: return x * b; Dynamo always treats the sizes 0 and 1 apart
        # and 14 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   10 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
    )


# ---- __compiled_fn_13: a compiled graph
def __compiled_fn_13(*args, **kwargs):
    """See __compiled_fn_13.Captured_Graph.0.py."""


# ---- __resume_at_110_3: what version 1 runs
# __transformed_code_2_for_torch_dynamo_resume_in_toy_example_at_7.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_2_for_torch_dynamo_resume_in_toy_example_at_7(
    __nested_resume_fns, __nested_frame_values, b, x
):
    _temp_1 = __import_torch_dot_autograd_dot_profiler._is_profiler_enabled
    tmp_1 = None
    if _temp_1:
        tmp_1 = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    _temp_2 = __import_torch_dot__dynamo_dot_utils.call_size
    _temp_3 = x
    _temp_4 = _temp_2(x, 0)
    if tmp_1 is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(tmp_1)
    graph_out_0 = __compiled_fn_13(_temp_4, _temp_3, b)
    _temp_5 = graph_out_0[0]
    del graph_out_0
    return _temp_5


# ---- __resume_at_110_3: the rest of the function, from the graph break on
# __resume_at_110_3 continues toy_example at line 7 after the graph break.
# torch made it by editing bytecode; this is that bytecode, decompiled.
# The compiled way in is transformed___resume_at_110_3.
# verdict: proved: it has the same effects as the bytecode
def __resume_at_110_3(
    __nested_resume_fns, __nested_frame_values, b, x
):
    __is_tracing_resume_prologue = True
    __is_tracing_resume_prologue = False
    return x * b


# ---- transformed___resume_at_110_3: picks the version
def transformed___resume_at_110_3(__nested_resume_fns, __nested_frame_values, b, x):
    L = {"__nested_resume_fns": __nested_resume_fns, "__nested_frame_values": __nested_frame_values, "b": b, "x": x}
    G = globals()
    # In the order in which Dynamo tried them last: the version used last comes first.
    if __guard_1_for___resume_at_110_3(L, G):
        return __transformed_code_2_for_torch_dynamo_resume_in_toy_example_at_7(__nested_resume_fns, __nested_frame_values, b, x)
    if __guard_0_for___resume_at_110_3(L, G):
        return __transformed_code_1_for_torch_dynamo_resume_in_toy_example_at_7(__nested_resume_fns, __nested_frame_values, b, x)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return __resume_at_110_3(__nested_resume_fns, __nested_frame_values, b, x)


# ---- __resume_at_100_10: another name of __resume_at_100_2
__resume_at_100_10 = __resume_at_100_2


# ---- __resume_at_110_11: another name of __resume_at_110_3
__resume_at_110_11 = __resume_at_110_3


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
    # In the order in which Dynamo tried them last: the version used last comes first.
    if __guard_1_for_toy_example(L, G):
        return __transformed_code_1_for_toy_example(a, b)
    if __guard_0_for_toy_example(L, G):
        return __transformed_code_0_for_toy_example(a, b)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return toy_example(a, b)
