# What torch.compile made of named (limit.py:4).
# Written by depyf from a run with torch 2.15.0+cu132 on Python 3.13.0.
#
# This file is for reading; nothing runs from it. How a call goes:
#   1. transformed_named, at the end, asks the guard of each version in turn;
#   2. the first whose guard holds runs: it calls compiled graphs;
#   3. where Dynamo could not compile a line (a graph break), the version runs that
#      line as ordinary Python and goes on in a resume function, in the same way.
#
# Contents
#     41  named: when version 0 is valid
#     62  __compiled_fn_1: a compiled graph
#     67  named: what version 0 runs
#     83  named: when version 1 is valid
#    104  __compiled_fn_3: a compiled graph
#    109  named: what version 1 runs
#    125  named: when version 2 is valid
#    146  __compiled_fn_5: a compiled graph
#    151  named: what version 2 runs
#    167  named: when version 3 is valid
#    188  __compiled_fn_7: a compiled graph
#    193  named: what version 3 runs
#    209  named: when version 4 is valid
#    230  __compiled_fn_9: a compiled graph
#    235  named: what version 4 runs
#    251  named: when version 5 is valid
#    272  __compiled_fn_11: a compiled graph
#    277  named: what version 5 runs
#    293  named: when version 6 is valid
#    314  __compiled_fn_13: a compiled graph
#    319  named: what version 6 runs
#    335  named: when version 7 is valid
#    356  __compiled_fn_15: a compiled graph
#    361  named: what version 7 runs
#    377  named: the original function
#    384  transformed_named: picks the version

from __future__ import annotations


# ---- named: when version 0 is valid
def __guard_0_for_named(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for_named may run. L holds the local variables, G the globals."""
    return (
        L['name'] == ''  # limit.py:5: return x * len(name); FAILED, hence recompiled: name == ''
        and type(L['x']) is torch.Tensor  # limit.py:5: return x * len(name)
        and L['x'].shape == (10,)
        and L['x'].dtype == torch.float32
        and L['x'].device.type == 'cpu'
        and not L['x'].requires_grad
        and L['x'].stride() == (1,)
        # and 10 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   5 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
        #   modules that Dynamo imports are still the same
    )


# ---- __compiled_fn_1: a compiled graph
def __compiled_fn_1(*args, **kwargs):
    """See __compiled_fn_1.Captured_Graph.0.py."""


# ---- named: what version 0 runs
# __transformed_code_0_for_named.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_0_for_named(x, name):
    # torch's own bookkeeping, for its profiler
    record = None
    if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
        record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    if record is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # limit.py:5: return x * len(name)
    graph_out_0 = __compiled_fn_1(x)
    return graph_out_0[0]


# ---- named: when version 1 is valid
def __guard_1_for_named(L, G, **___kwargs_ignored):
    """Whether __transformed_code_1_for_named may run. L holds the local variables, G the globals."""
    return (
        L['name'] == 'x'  # limit.py:5: return x * len(name); FAILED, hence recompiled: name == 'x'
        and type(L['x']) is torch.Tensor  # limit.py:5: return x * len(name)
        and L['x'].shape == (10,)
        and L['x'].dtype == torch.float32
        and L['x'].device.type == 'cpu'
        and not L['x'].requires_grad
        and L['x'].stride() == (1,)
        # and 10 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   5 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
        #   modules that Dynamo imports are still the same
    )


# ---- __compiled_fn_3: a compiled graph
def __compiled_fn_3(*args, **kwargs):
    """See __compiled_fn_3.Captured_Graph.0.py."""


# ---- named: what version 1 runs
# __transformed_code_1_for_named.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_1_for_named(x, name):
    # torch's own bookkeeping, for its profiler
    record = None
    if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
        record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    if record is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # limit.py:5: return x * len(name)
    graph_out_0 = __compiled_fn_3(x)
    return graph_out_0[0]


# ---- named: when version 2 is valid
def __guard_2_for_named(L, G, **___kwargs_ignored):
    """Whether __transformed_code_2_for_named may run. L holds the local variables, G the globals."""
    return (
        L['name'] == 'xx'  # limit.py:5: return x * len(name); FAILED, hence recompiled: name == 'xx'
        and type(L['x']) is torch.Tensor  # limit.py:5: return x * len(name)
        and L['x'].shape == (10,)
        and L['x'].dtype == torch.float32
        and L['x'].device.type == 'cpu'
        and not L['x'].requires_grad
        and L['x'].stride() == (1,)
        # and 10 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   5 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
        #   modules that Dynamo imports are still the same
    )


# ---- __compiled_fn_5: a compiled graph
def __compiled_fn_5(*args, **kwargs):
    """See __compiled_fn_5.Captured_Graph.0.py."""


# ---- named: what version 2 runs
# __transformed_code_2_for_named.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_2_for_named(x, name):
    # torch's own bookkeeping, for its profiler
    record = None
    if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
        record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    if record is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # limit.py:5: return x * len(name)
    graph_out_0 = __compiled_fn_5(x)
    return graph_out_0[0]


# ---- named: when version 3 is valid
def __guard_3_for_named(L, G, **___kwargs_ignored):
    """Whether __transformed_code_3_for_named may run. L holds the local variables, G the globals."""
    return (
        L['name'] == 'xxx'  # limit.py:5: return x * len(name); FAILED, hence recompiled: name == 'xxx'
        and type(L['x']) is torch.Tensor  # limit.py:5: return x * len(name)
        and L['x'].shape == (10,)
        and L['x'].dtype == torch.float32
        and L['x'].device.type == 'cpu'
        and not L['x'].requires_grad
        and L['x'].stride() == (1,)
        # and 10 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   5 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
        #   modules that Dynamo imports are still the same
    )


# ---- __compiled_fn_7: a compiled graph
def __compiled_fn_7(*args, **kwargs):
    """See __compiled_fn_7.Captured_Graph.0.py."""


# ---- named: what version 3 runs
# __transformed_code_3_for_named.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_3_for_named(x, name):
    # torch's own bookkeeping, for its profiler
    record = None
    if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
        record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    if record is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # limit.py:5: return x * len(name)
    graph_out_0 = __compiled_fn_7(x)
    return graph_out_0[0]


# ---- named: when version 4 is valid
def __guard_4_for_named(L, G, **___kwargs_ignored):
    """Whether __transformed_code_4_for_named may run. L holds the local variables, G the globals."""
    return (
        L['name'] == 'xxxx'  # limit.py:5: return x * len(name); FAILED, hence recompiled: name == 'xxxx'
        and type(L['x']) is torch.Tensor  # limit.py:5: return x * len(name)
        and L['x'].shape == (10,)
        and L['x'].dtype == torch.float32
        and L['x'].device.type == 'cpu'
        and not L['x'].requires_grad
        and L['x'].stride() == (1,)
        # and 10 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   5 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
        #   modules that Dynamo imports are still the same
    )


# ---- __compiled_fn_9: a compiled graph
def __compiled_fn_9(*args, **kwargs):
    """See __compiled_fn_9.Captured_Graph.0.py."""


# ---- named: what version 4 runs
# __transformed_code_4_for_named.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_4_for_named(x, name):
    # torch's own bookkeeping, for its profiler
    record = None
    if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
        record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    if record is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # limit.py:5: return x * len(name)
    graph_out_0 = __compiled_fn_9(x)
    return graph_out_0[0]


# ---- named: when version 5 is valid
def __guard_5_for_named(L, G, **___kwargs_ignored):
    """Whether __transformed_code_5_for_named may run. L holds the local variables, G the globals."""
    return (
        L['name'] == 'xxxxx'  # limit.py:5: return x * len(name); FAILED, hence recompiled: name == 'xxxxx'
        and type(L['x']) is torch.Tensor  # limit.py:5: return x * len(name)
        and L['x'].shape == (10,)
        and L['x'].dtype == torch.float32
        and L['x'].device.type == 'cpu'
        and not L['x'].requires_grad
        and L['x'].stride() == (1,)
        # and 10 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   5 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
        #   modules that Dynamo imports are still the same
    )


# ---- __compiled_fn_11: a compiled graph
def __compiled_fn_11(*args, **kwargs):
    """See __compiled_fn_11.Captured_Graph.0.py."""


# ---- named: what version 5 runs
# __transformed_code_5_for_named.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_5_for_named(x, name):
    # torch's own bookkeeping, for its profiler
    record = None
    if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
        record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    if record is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # limit.py:5: return x * len(name)
    graph_out_0 = __compiled_fn_11(x)
    return graph_out_0[0]


# ---- named: when version 6 is valid
def __guard_6_for_named(L, G, **___kwargs_ignored):
    """Whether __transformed_code_6_for_named may run. L holds the local variables, G the globals."""
    return (
        L['name'] == 'xxxxxx'  # limit.py:5: return x * len(name); FAILED, hence recompiled: name == 'xxxxxx'
        and type(L['x']) is torch.Tensor  # limit.py:5: return x * len(name)
        and L['x'].shape == (10,)
        and L['x'].dtype == torch.float32
        and L['x'].device.type == 'cpu'
        and not L['x'].requires_grad
        and L['x'].stride() == (1,)
        # and 10 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   5 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
        #   modules that Dynamo imports are still the same
    )


# ---- __compiled_fn_13: a compiled graph
def __compiled_fn_13(*args, **kwargs):
    """See __compiled_fn_13.Captured_Graph.0.py."""


# ---- named: what version 6 runs
# __transformed_code_6_for_named.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_6_for_named(x, name):
    # torch's own bookkeeping, for its profiler
    record = None
    if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
        record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    if record is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # limit.py:5: return x * len(name)
    graph_out_0 = __compiled_fn_13(x)
    return graph_out_0[0]


# ---- named: when version 7 is valid
def __guard_7_for_named(L, G, **___kwargs_ignored):
    """Whether __transformed_code_7_for_named may run. L holds the local variables, G the globals."""
    return (
        L['name'] == 'xxxxxxx'  # limit.py:5: return x * len(name); 2 failures
        and type(L['x']) is torch.Tensor  # limit.py:5: return x * len(name)
        and L['x'].shape == (10,)
        and L['x'].dtype == torch.float32
        and L['x'].device.type == 'cpu'
        and not L['x'].requires_grad
        and L['x'].stride() == (1,)
        # and 10 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   5 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
        #   modules that Dynamo imports are still the same
    )


# ---- __compiled_fn_15: a compiled graph
def __compiled_fn_15(*args, **kwargs):
    """See __compiled_fn_15.Captured_Graph.0.py."""


# ---- named: what version 7 runs
# __transformed_code_7_for_named.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_7_for_named(x, name):
    # torch's own bookkeeping, for its profiler
    record = None
    if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
        record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    if record is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # limit.py:5: return x * len(name)
    graph_out_0 = __compiled_fn_15(x)
    return graph_out_0[0]


# ---- named: the original function
# The function as it was before torch.compile, from limit.py:4.
# The compiled way in is transformed_named.
def named(x, name):
    return x * len(name)


# ---- transformed_named: picks the version
def transformed_named(x, name):
    L = {"x": x, "name": name}
    G = globals()
    # In the order in which Dynamo tried them last: the version used last comes first.
    if __guard_7_for_named(L, G):
        return __transformed_code_7_for_named(x, name)
    if __guard_6_for_named(L, G):
        return __transformed_code_6_for_named(x, name)
    if __guard_5_for_named(L, G):
        return __transformed_code_5_for_named(x, name)
    if __guard_4_for_named(L, G):
        return __transformed_code_4_for_named(x, name)
    if __guard_3_for_named(L, G):
        return __transformed_code_3_for_named(x, name)
    if __guard_2_for_named(L, G):
        return __transformed_code_2_for_named(x, name)
    if __guard_1_for_named(L, G):
        return __transformed_code_1_for_named(x, name)
    if __guard_0_for_named(L, G):
        return __transformed_code_0_for_named(x, name)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return named(x, name)
