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
#     25  step: when version 0 is valid
#     53  __compiled_fn_2: a compiled graph
#     58  step: what version 0 runs
#     89  __resume_at_48_3: when version 0 is valid
#    111  __compiled_fn_5: a compiled graph
#    116  __resume_at_48_3: what version 0 runs
#    140  __resume_at_48_3: the rest of the function, from the graph break on
#    161  transformed___resume_at_48_3: picks the version
#    173  step: the original function
#    183  transformed_step: picks the version

from __future__ import annotations


# ---- step: when version 0 is valid
def __guard_0_for_step(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for_step may run. L holds the local variables, G the globals."""
    return (
        type(L['x']) is torch.Tensor  # closure.py:8: y = x * scale
        and L['x'].shape == (10, 3)
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


# ---- __resume_at_48_3: when version 0 is valid
def __guard_0_for___resume_at_48_3(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for_torch_dynamo_resume_in_step_at_10 may run. L holds the local variables, G the globals."""
    return (
        type(L['y']) is torch.Tensor  # closure.py:11: return (y + sum(rest)).relu()
        and L['y'].shape == (10, 3)
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
    if __guard_0_for___resume_at_48_3(L, G):
        return __transformed_code_0_for_torch_dynamo_resume_in_step_at_10(__nested_resume_fns, __nested_frame_values, ___stack0, rest, y)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return __resume_at_48_3(__nested_resume_fns, __nested_frame_values, ___stack0, rest, y)


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
    if __guard_0_for_step(L, G):
        return __transformed_code_0_for_step(x, *rest, flag=flag, **more)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return step(x, *rest, flag=flag, **more)
