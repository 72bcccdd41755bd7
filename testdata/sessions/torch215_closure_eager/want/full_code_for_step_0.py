# What torch.compile made of step (closure.py:7).
# Written by depyf from a run with torch 2.15.0+cu132 on Python 3.13.0.
#
# This file is for reading; nothing runs from it. How a call goes:
#   1. transformed_step, at the end, asks the guard of each version in turn;
#   2. the first whose guard holds runs: it calls compiled graphs;
#   3. where Dynamo could not compile a line (a graph break), the version runs that
#      line as ordinary Python and goes on in a resume function, in the same way.
#
# Contents
#     32  step: when version 0 is valid
#     60  __compiled_fn_2: a compiled graph
#     65  step: what version 0 runs
#     96  step: when version 1 is valid
#    126  __compiled_fn_8: a compiled graph
#    131  step: what version 1 runs
#    163  __resume_at_48_3: when version 0 is valid
#    185  __compiled_fn_5: a compiled graph
#    190  __resume_at_48_3: what version 0 runs
#    214  __resume_at_48_3: when version 1 is valid
#    238  __compiled_fn_11: a compiled graph
#    243  __resume_at_48_3: what version 1 runs
#    270  __resume_at_48_3: the rest of the function, from the graph break on
#    291  transformed___resume_at_48_3: picks the version
#    306  __resume_at_48_9: another name of __resume_at_48_3
#    310  step: the original function
#    320  transformed_step: picks the version

from __future__ import annotations


# ---- step: when version 0 is valid
def __guard_0_for_step(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for_step may run. L holds the local variables, G the globals."""
    return (
        type(L['x']) is torch.Tensor  # closure.py:8: y = x * scale
        and L['x'].shape == (10, 3)  # FAILED, hence recompiled: tensor 'x' size mismatch at index 0. expected 10, actual 12
        and L['x'].dtype == torch.float32
        and L['x'].device.type == 'cpu'
        and not L['x'].requires_grad
        and L['x'].stride() == (3, 1)
        and L['x'] is not L['scale']
        and L['flag'] == True  # closure.py:9: if flag:
        and type(L['scale']) is torch.Tensor  # closure.py:8: y = x * scale
        and L['scale'].shape == (3,)
        and L['scale'].dtype == torch.float32
        and L['scale'].device.type == 'cpu'
        and not L['scale'].requires_grad
        and L['scale'].stride() == (1,)
        # and 15 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   10 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
        #   modules that Dynamo imports are still the same
    )


# ---- __compiled_fn_2: a compiled graph
def __compiled_fn_2(*args, **kwargs):
    """See __compiled_fn_2.Captured_Graph.0.py."""


# ---- step: what version 0 runs
# __transformed_code_0_for_step.py
# verdict: proved: it has the same effects as the bytecode
def __depyf_outer__(scale):
    def __transformed_code_0_for_step(x, *rest, flag, **more):
        # torch's own bookkeeping, for its profiler
        record = None
        if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
            record = (
                __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
            )

        scale_2 = scale
        # torch's own bookkeeping, for its profiler
        if record is not None:
            __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

        # closure.py:8: y = x * scale
        graph_out_0 = __compiled_fn_2(x, scale_2)
        print = __builtins_dict___1["print"]
        y = graph_out_0[0]
        del graph_out_0
        # closure.py:10: print("breaks here")
        print_result = print("breaks here")
        return __resume_at_48_3(((lambda: scale).__closure__[0],))(
            [], [], print_result, rest, y
        )

    return __transformed_code_0_for_step


# ---- step: when version 1 is valid
def __guard_1_for_step(L, G, **___kwargs_ignored):
    """Whether __transformed_code_1_for_step may run. L holds the local variables, G the globals."""
    return (
        type(L['x']) is torch.Tensor  # closure.py:8: y = x * scale
        and L['x'].ndim == 2
        and L['x'].shape[1] == 3
        and L['x'].dtype == torch.float32
        and L['x'].device.type == 'cpu'
        and not L['x'].requires_grad
        and L['x'].stride() == (3, 1)
        and L['x'] is not L['scale']
        and L['flag'] == True  # closure.py:9: if flag:
        and type(L['scale']) is torch.Tensor  # closure.py:8: y = x * scale
        and L['scale'].shape == (3,)
        and L['scale'].dtype == torch.float32
        and L['scale'].device.type == 'cpu'
        and not L['scale'].requires_grad
        and L['scale'].stride() == (1,)
        and 2 <= L['x'].shape[0]  # closure.py:8: y = x * scale; Dynamo always treats the sizes 0 and 1 apart
        # and 15 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   10 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
        #   modules that Dynamo imports are still the same
    )


# ---- __compiled_fn_8: a compiled graph
def __compiled_fn_8(*args, **kwargs):
    """See __compiled_fn_8.Captured_Graph.0.py."""


# ---- step: what version 1 runs
# __transformed_code_1_for_step.py
# verdict: proved: it has the same effects as the bytecode
def __depyf_outer__(scale):
    def __transformed_code_1_for_step(x, *rest, flag, **more):
        # torch's own bookkeeping, for its profiler
        record = None
        if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
            record = (
                __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
            )

        x_size_0 = __import_torch_dot__dynamo_dot_utils.call_size(x, 0)
        scale_2 = scale
        # torch's own bookkeeping, for its profiler
        if record is not None:
            __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

        # closure.py:8: y = x * scale
        graph_out_0 = __compiled_fn_8(x_size_0, x, scale_2)
        print = __builtins_dict___7["print"]
        y = graph_out_0[0]
        del graph_out_0
        # closure.py:10: print("breaks here")
        print_result = print("breaks here")
        return __resume_at_48_9(((lambda: scale).__closure__[0],))(
            [], [], print_result, rest, y
        )

    return __transformed_code_1_for_step


# ---- __resume_at_48_3: when version 0 is valid
def __guard_0_for___resume_at_48_3(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for_torch_dynamo_resume_in_step_at_10 may run. L holds the local variables, G the globals."""
    return (
        type(L['y']) is torch.Tensor  # closure.py:11: return (y + sum(rest)).relu()
        and L['y'].shape == (10, 3)  # FAILED, hence recompiled: tensor 'y' size mismatch at index 0. expected 10, actual 12
        and L['y'].dtype == torch.float32
        and L['y'].device.type == 'cpu'
        and not L['y'].requires_grad
        and L['y'].stride() == (3, 1)
        and type(L['rest']) is tuple  # closure.py:11: return (y + sum(rest)).relu()
        and not L['rest']  # closure.py:11: return (y + sum(rest)).relu()
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


# ---- __resume_at_48_3: what version 0 runs
# __transformed_code_0_for_torch_dynamo_resume_in_step_at_10.py
# verdict: proved: it has the same effects as the bytecode
def __depyf_outer__(scale):
    def __transformed_code_0_for_torch_dynamo_resume_in_step_at_10(
        __nested_resume_fns, __nested_frame_values, ___stack0, rest, y
    ):
        nonlocal scale
        # torch's own bookkeeping, for its profiler
        record = None
        if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
            record = (
                __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
            )
        if record is not None:
            __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

        # closure.py:11: return (y + sum(rest)).relu()
        graph_out_0 = __compiled_fn_5(y)
        return graph_out_0[0]

    return __transformed_code_0_for_torch_dynamo_resume_in_step_at_10


# ---- __resume_at_48_3: when version 1 is valid
def __guard_1_for___resume_at_48_3(L, G, **___kwargs_ignored):
    """Whether __transformed_code_1_for_torch_dynamo_resume_in_step_at_10 may run. L holds the local variables, G the globals."""
    return (
        type(L['y']) is torch.Tensor  # closure.py:11: return (y + sum(rest)).relu()
        and L['y'].ndim == 2
        and L['y'].shape[1] == 3
        and L['y'].dtype == torch.float32
        and L['y'].device.type == 'cpu'
        and not L['y'].requires_grad
        and L['y'].stride() == (3, 1)
        and type(L['rest']) is tuple  # closure.py:11: return (y + sum(rest)).relu()
        and not L['rest']  # closure.py:11: return (y + sum(rest)).relu()
        and 2 <= L['y'].shape[0]  # closure.py:11: return (y + sum(rest)).relu(); Dynamo always treats the sizes 0 and 1 apart
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


# ---- __resume_at_48_3: what version 1 runs
# __transformed_code_1_for_torch_dynamo_resume_in_step_at_10.py
# verdict: proved: it has the same effects as the bytecode
def __depyf_outer__(scale):
    def __transformed_code_1_for_torch_dynamo_resume_in_step_at_10(
        __nested_resume_fns, __nested_frame_values, ___stack0, rest, y
    ):
        nonlocal scale
        # torch's own bookkeeping, for its profiler
        record = None
        if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
            record = (
                __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
            )

        y_size_0 = __import_torch_dot__dynamo_dot_utils.call_size(y, 0)
        # torch's own bookkeeping, for its profiler
        if record is not None:
            __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

        # closure.py:11: return (y + sum(rest)).relu()
        graph_out_0 = __compiled_fn_11(y_size_0, y)
        return graph_out_0[0]

    return __transformed_code_1_for_torch_dynamo_resume_in_step_at_10


# ---- __resume_at_48_3: the rest of the function, from the graph break on
# __resume_at_48_3 continues step at line 10 after the graph break.
# torch made it by editing bytecode; this is that bytecode, decompiled.
# The compiled way in is transformed___resume_at_48_3.
# verdict: proved: it has the same effects as the bytecode
def __depyf_outer__(scale):
    def __resume_at_48_3(
        __nested_resume_fns, __nested_frame_values, ___stack0, rest, y
    ):
        nonlocal scale
        __is_tracing_resume_prologue = True
        __is_tracing_resume_prologue = False
        return (y + sum(rest)).relu()

    return __resume_at_48_3


# The variables of the enclosing function are not known here.
__resume_at_48_3 = __depyf_outer__(...)


# ---- transformed___resume_at_48_3: picks the version
def transformed___resume_at_48_3(__nested_resume_fns, __nested_frame_values, ___stack0, rest, y):
    L = {"__nested_resume_fns": __nested_resume_fns, "__nested_frame_values": __nested_frame_values, "___stack0": ___stack0, "rest": rest, "y": y}
    # L also holds the variables of the enclosing function: scale
    G = globals()
    # In the order in which Dynamo tried them last: the version used last comes first.
    if __guard_1_for___resume_at_48_3(L, G):
        return __transformed_code_1_for_torch_dynamo_resume_in_step_at_10(__nested_resume_fns, __nested_frame_values, ___stack0, rest, y)
    if __guard_0_for___resume_at_48_3(L, G):
        return __transformed_code_0_for_torch_dynamo_resume_in_step_at_10(__nested_resume_fns, __nested_frame_values, ___stack0, rest, y)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return __resume_at_48_3(__nested_resume_fns, __nested_frame_values, ___stack0, rest, y)


# ---- __resume_at_48_9: another name of __resume_at_48_3
__resume_at_48_9 = __resume_at_48_3


# ---- step: the original function
# The function as it was before torch.compile, from closure.py:7.
# The compiled way in is transformed_step.
def step(x, *rest, flag=True, **more):
    y = x * scale
    if flag:
        print("breaks here")
    return (y + sum(rest)).relu()


# ---- transformed_step: picks the version
def transformed_step(x, *rest, flag, **more):
    L = {"x": x, "flag": flag, "rest": rest, "more": more}
    # L also holds the variables of the enclosing function: scale
    G = globals()
    # In the order in which Dynamo tried them last: the version used last comes first.
    if __guard_1_for_step(L, G):
        return __transformed_code_1_for_step(x, *rest, flag=flag, **more)
    if __guard_0_for_step(L, G):
        return __transformed_code_0_for_step(x, *rest, flag=flag, **more)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return step(x, *rest, flag=flag, **more)
