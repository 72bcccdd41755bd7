# What torch.compile made of step (closure.py:7).
# Written by depyf from a run with torch 2.6.0+cu124 on Python 3.12.1.
#
# This file is for reading; nothing runs from it. How a call goes:
#   1. transformed_step, at the end, asks the guard of each version in turn;
#   2. the first whose guard holds runs: it calls compiled graphs;
#   3. where Dynamo could not compile a line (a graph break), the version runs that
#      line as ordinary Python and goes on in a resume function, in the same way.
#
# Contents
#     31  step: when version 0 is valid
#     58  __compiled_fn_2: a compiled graph
#     63  step: what version 0 runs
#     85  step: when version 1 is valid
#    114  __compiled_fn_8: a compiled graph
#    119  step: what version 1 runs
#    143  torch_dynamo_resume_in_step_at_10: when version 0 is valid
#    164  __compiled_fn_5: a compiled graph
#    169  torch_dynamo_resume_in_step_at_10: what version 0 runs
#    182  torch_dynamo_resume_in_step_at_10: when version 1 is valid
#    205  __compiled_fn_11: a compiled graph
#    210  torch_dynamo_resume_in_step_at_10: what version 1 runs
#    225  torch_dynamo_resume_in_step_at_10: the rest of the function, from the graph break on
#    242  transformed_torch_dynamo_resume_in_step_at_10: picks the version
#    257  step: the original function
#    267  transformed_step: picks the version

from __future__ import annotations


# ---- step: when version 0 is valid
def __guard_0_for_step(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for_step may run. L holds the local variables, G the globals."""
    return (
        type(L['x']) is torch.Tensor
        and L['x'].shape == (10, 3)  # FAILED, hence recompiled: tensor 'L['x']' size mismatch at index 0. expected 10, actual 12
        and L['x'].dtype == torch.float32
        and L['x'].device.type == 'cpu'
        and not L['x'].requires_grad
        and L['x'].stride() == (3, 1)
        and L['x'] is not L['scale']
        and L['flag'] is True
        and type(L['scale']) is torch.Tensor
        and L['scale'].shape == (3,)
        and L['scale'].dtype == torch.float32
        and L['scale'].device.type == 'cpu'
        and not L['scale'].requires_grad
        and L['scale'].stride() == (1,)
        # and 6 checks of the framework's own state, which hardly ever fail:
        #   utils_device.CURRENT_DEVICE == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   2 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
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
        # closure.py:8: y = x * scale
        graph_out_0 = __compiled_fn_2(x, scale)
        print = __builtins_dict___1["print"]
        y = graph_out_0[0]
        del graph_out_0
        print_result = print("breaks here")

        def torch_dynamo_resume_in_step_at_10(___stack0, rest, y):
            nonlocal scale
            ___stack0
            return (y + sum(rest)).relu()

        return torch_dynamo_resume_in_step_at_10(print_result, rest, y)

    return __transformed_code_0_for_step


# ---- step: when version 1 is valid
def __guard_1_for_step(L, G, **___kwargs_ignored):
    """Whether __transformed_code_1_for_step may run. L holds the local variables, G the globals."""
    return (
        type(L['x']) is torch.Tensor
        and L['x'].ndim == 2
        and L['x'].shape[1] == 3
        and L['x'].dtype == torch.float32
        and L['x'].device.type == 'cpu'
        and not L['x'].requires_grad
        and L['x'].stride() == (3, 1)
        and L['x'] is not L['scale']
        and L['flag'] is True
        and type(L['scale']) is torch.Tensor
        and L['scale'].shape == (3,)
        and L['scale'].dtype == torch.float32
        and L['scale'].device.type == 'cpu'
        and not L['scale'].requires_grad
        and L['scale'].stride() == (1,)
        and 2 <= L['x'].shape[0]  # closure.py:8: y = x * scale; Dynamo always treats the sizes 0 and 1 apart
        # and 6 checks of the framework's own state, which hardly ever fail:
        #   utils_device.CURRENT_DEVICE == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   2 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
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
        # closure.py:8: y = x * scale
        graph_out_0 = __compiled_fn_8(
            __import_torch_dot__dynamo_dot_utils.call_size(x, 0), x, scale
        )
        print = __builtins_dict___7["print"]
        y = graph_out_0[0]
        del graph_out_0
        print_result = print("breaks here")

        def torch_dynamo_resume_in_step_at_10(___stack0, rest, y):
            nonlocal scale
            ___stack0
            return (y + sum(rest)).relu()

        return torch_dynamo_resume_in_step_at_10(print_result, rest, y)

    return __transformed_code_1_for_step


# ---- torch_dynamo_resume_in_step_at_10: when version 0 is valid
def __guard_0_for_torch_dynamo_resume_in_step_at_10(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for_torch_dynamo_resume_in_step_at_10 may run. L holds the local variables, G the globals."""
    return (
        type(L['y']) is torch.Tensor
        and L['y'].shape == (10, 3)  # FAILED, hence recompiled: tensor 'L['y']' size mismatch at index 0. expected 10, actual 12
        and L['y'].dtype == torch.float32
        and L['y'].device.type == 'cpu'
        and not L['y'].requires_grad
        and L['y'].stride() == (3, 1)
        and type(L['rest']) is tuple
        and not L['rest']
        # and 5 checks of the framework's own state, which hardly ever fail:
        #   utils_device.CURRENT_DEVICE == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
        #   modules that Dynamo imports are still the same
    )


# ---- __compiled_fn_5: a compiled graph
def __compiled_fn_5(*args, **kwargs):
    """See __compiled_fn_5.Captured_Graph.0.py."""


# ---- torch_dynamo_resume_in_step_at_10: what version 0 runs
# __transformed_code_0_for_torch_dynamo_resume_in_step_at_10.py
# verdict: proved: it has the same effects as the bytecode
def __depyf_outer__(scale):
    def __transformed_code_0_for_torch_dynamo_resume_in_step_at_10(___stack0, rest, y):
        nonlocal scale
        # closure.py:11: return (y + sum(rest)).relu()
        (relu,) = __compiled_fn_5(y)
        return relu

    return __transformed_code_0_for_torch_dynamo_resume_in_step_at_10


# ---- torch_dynamo_resume_in_step_at_10: when version 1 is valid
def __guard_1_for_torch_dynamo_resume_in_step_at_10(L, G, **___kwargs_ignored):
    """Whether __transformed_code_1_for_torch_dynamo_resume_in_step_at_10 may run. L holds the local variables, G the globals."""
    return (
        type(L['y']) is torch.Tensor
        and L['y'].ndim == 2
        and L['y'].shape[1] == 3
        and L['y'].dtype == torch.float32
        and L['y'].device.type == 'cpu'
        and not L['y'].requires_grad
        and L['y'].stride() == (3, 1)
        and type(L['rest']) is tuple
        and not L['rest']
        and 2 <= L['y'].shape[0]  # closure.py:11: return (y + sum(rest)).relu(); Dynamo always treats the sizes 0 and 1 apart
        # and 5 checks of the framework's own state, which hardly ever fail:
        #   utils_device.CURRENT_DEVICE == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
        #   modules that Dynamo imports are still the same
    )


# ---- __compiled_fn_11: a compiled graph
def __compiled_fn_11(*args, **kwargs):
    """See __compiled_fn_11.Captured_Graph.0.py."""


# ---- torch_dynamo_resume_in_step_at_10: what version 1 runs
# __transformed_code_1_for_torch_dynamo_resume_in_step_at_10.py
# verdict: proved: it has the same effects as the bytecode
def __depyf_outer__(scale):
    def __transformed_code_1_for_torch_dynamo_resume_in_step_at_10(___stack0, rest, y):
        nonlocal scale
        # closure.py:11: return (y + sum(rest)).relu()
        (relu,) = __compiled_fn_11(
            __import_torch_dot__dynamo_dot_utils.call_size(y, 0), y
        )
        return relu

    return __transformed_code_1_for_torch_dynamo_resume_in_step_at_10


# ---- torch_dynamo_resume_in_step_at_10: the rest of the function, from the graph break on
# torch_dynamo_resume_in_step_at_10 continues step at line 10 after the graph break.
# torch made it by editing bytecode; this is that bytecode, decompiled.
# The compiled way in is transformed_torch_dynamo_resume_in_step_at_10.
# verdict: proved: it has the same effects as the bytecode
def __depyf_outer__(scale):
    def torch_dynamo_resume_in_step_at_10(___stack0, rest, y):
        nonlocal scale
        return (y + sum(rest)).relu()

    return torch_dynamo_resume_in_step_at_10


# The variables of the enclosing function are not known here.
torch_dynamo_resume_in_step_at_10 = __depyf_outer__(...)


# ---- transformed_torch_dynamo_resume_in_step_at_10: picks the version
def transformed_torch_dynamo_resume_in_step_at_10(___stack0, rest, y):
    L = {"___stack0": ___stack0, "rest": rest, "y": y}
    # L also holds the variables of the enclosing function: scale
    G = globals()
    # In the order in which Dynamo tried them last: the version used last comes first.
    if __guard_1_for_torch_dynamo_resume_in_step_at_10(L, G):
        return __transformed_code_1_for_torch_dynamo_resume_in_step_at_10(___stack0, rest, y)
    if __guard_0_for_torch_dynamo_resume_in_step_at_10(L, G):
        return __transformed_code_0_for_torch_dynamo_resume_in_step_at_10(___stack0, rest, y)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return torch_dynamo_resume_in_step_at_10(___stack0, rest, y)


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
