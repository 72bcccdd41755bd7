# What torch.compile made of toy_example (toy_example.py:4).
# Written by depyf from a run with torch 2.6.0+cu124 on Python 3.12.1.
#
# This file is for reading; nothing runs from it. How a call goes:
#   1. transformed_toy_example, at the end, asks the guard of each version in turn;
#   2. the first whose guard holds runs: it calls compiled graphs;
#   3. where Dynamo could not compile a line (a graph break), the version runs that
#      line as ordinary Python and goes on in a resume function, in the same way.
#
# Contents
#     30  toy_example: when version 0 is valid
#     58  __compiled_fn_1: a compiled graph
#     63  toy_example: what version 0 runs
#     73  __resume_at_94_2: when version 0 is valid
#     98  __compiled_fn_5: a compiled graph
#    103  __resume_at_94_2: what version 0 runs
#    111  __resume_at_94_2: the rest of the function, from the graph break on
#    121  transformed___resume_at_94_2: picks the version
#    132  __resume_at_104_3: when version 0 is valid
#    157  __compiled_fn_7: a compiled graph
#    162  __resume_at_104_3: what version 0 runs
#    170  __resume_at_104_3: the rest of the function, from the graph break on
#    179  transformed___resume_at_104_3: picks the version
#    190  toy_example: the original function
#    201  transformed_toy_example: picks the version

from __future__ import annotations


# ---- toy_example: when version 0 is valid
def __guard_0_for_toy_example(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for_toy_example may run. L holds the local variables, G the globals."""
    return (
        type(L['a']) is torch.Tensor
        and L['a'].shape == (10,)
        and L['a'].dtype == torch.float32
        and L['a'].device.type == 'cpu'
        and not L['a'].requires_grad
        and L['a'].stride() == (1,)
        and L['a'] is not L['b']
        and type(L['b']) is torch.Tensor
        and L['b'].shape == (10,)
        and L['b'].dtype == torch.float32
        and L['b'].device.type == 'cpu'
        and not L['b'].requires_grad
        and L['b'].stride() == (1,)
        # The functions, modules and classes that the code uses are still the same:
        and ___check_obj_id(G['torch'], 'the object seen when compiling')
        and ___check_obj_id(G['torch'].abs, 'the object seen when compiling')
        # and 5 checks of the framework's own state, which hardly ever fail:
        #   utils_device.CURRENT_DEVICE == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   2 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
    )


# ---- __compiled_fn_1: a compiled graph
def __compiled_fn_1(*args, **kwargs):
    """See __compiled_fn_1.Captured_Graph.0.py, __compiled_fn_1.Forward_graph.0.py, __compiled_fn_1.AFTER_POST_GRAD.0.py, __compiled_fn_1.kernel_0.py, __compiled_fn_1.runnable.0.py."""


# ---- toy_example: what version 0 runs
# __transformed_code_0_for_toy_example.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_0_for_toy_example(a, b):
    x, _temp_1 = __compiled_fn_1(a, b)
    if _temp_1:
        return __resume_at_94_2(b, x)
    return __resume_at_104_3(b, x)


# ---- __resume_at_94_2: when version 0 is valid
def __guard_0_for___resume_at_94_2(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for_torch_dynamo_resume_in_toy_example_at_7 may run. L holds the local variables, G the globals."""
    return (
        type(L['b']) is torch.Tensor
        and L['b'].shape == (10,)
        and L['b'].dtype == torch.float32
        and L['b'].device.type == 'cpu'
        and not L['b'].requires_grad
        and L['b'].stride() == (1,)
        and L['b'] is not L['x']
        and type(L['x']) is torch.Tensor
        and L['x'].shape == (10,)
        and L['x'].dtype == torch.float32
        and L['x'].device.type == 'cpu'
        and not L['x'].requires_grad
        and L['x'].stride() == (1,)
        # and 5 checks of the framework's own state, which hardly ever fail:
        #   utils_device.CURRENT_DEVICE == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   2 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
    )


# ---- __compiled_fn_5: a compiled graph
def __compiled_fn_5(*args, **kwargs):
    """See __compiled_fn_5.Captured_Graph.0.py, __compiled_fn_5.Forward_graph.0.py, __compiled_fn_5.AFTER_POST_GRAD.0.py, __compiled_fn_5.kernel_0.py, __compiled_fn_5.runnable.0.py."""


# ---- __resume_at_94_2: what version 0 runs
# __transformed_code_0_for_torch_dynamo_resume_in_toy_example_at_7.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_0_for_torch_dynamo_resume_in_toy_example_at_7(b, x):
    (_temp_1,) = __compiled_fn_5(b, x)
    return _temp_1


# ---- __resume_at_94_2: the rest of the function, from the graph break on
# __resume_at_94_2 continues toy_example at line 7 after the graph break.
# torch made it by editing bytecode; this is that bytecode, decompiled.
# The compiled way in is transformed___resume_at_94_2.
# verdict: proved: it has the same effects as the bytecode
def __resume_at_94_2(b, x):
    b = b * -1
    return x * b


# ---- transformed___resume_at_94_2: picks the version
def transformed___resume_at_94_2(b, x):
    L = {"b": b, "x": x}
    G = globals()
    if __guard_0_for___resume_at_94_2(L, G):
        return __transformed_code_0_for_torch_dynamo_resume_in_toy_example_at_7(b, x)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return __resume_at_94_2(b, x)


# ---- __resume_at_104_3: when version 0 is valid
def __guard_0_for___resume_at_104_3(L, G, **___kwargs_ignored):
    """Whether __transformed_code_1_for_torch_dynamo_resume_in_toy_example_at_7 may run. L holds the local variables, G the globals."""
    return (
        type(L['b']) is torch.Tensor
        and L['b'].shape == (10,)
        and L['b'].dtype == torch.float32
        and L['b'].device.type == 'cpu'
        and not L['b'].requires_grad
        and L['b'].stride() == (1,)
        and L['b'] is not L['x']
        and type(L['x']) is torch.Tensor
        and L['x'].shape == (10,)
        and L['x'].dtype == torch.float32
        and L['x'].device.type == 'cpu'
        and not L['x'].requires_grad
        and L['x'].stride() == (1,)
        # and 5 checks of the framework's own state, which hardly ever fail:
        #   utils_device.CURRENT_DEVICE == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   2 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
    )


# ---- __compiled_fn_7: a compiled graph
def __compiled_fn_7(*args, **kwargs):
    """See __compiled_fn_7.Captured_Graph.0.py, __compiled_fn_7.Forward_graph.0.py, __compiled_fn_7.AFTER_POST_GRAD.0.py, __compiled_fn_7.kernel_0.py, __compiled_fn_7.runnable.0.py."""


# ---- __resume_at_104_3: what version 0 runs
# __transformed_code_1_for_torch_dynamo_resume_in_toy_example_at_7.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_1_for_torch_dynamo_resume_in_toy_example_at_7(b, x):
    (_temp_1,) = __compiled_fn_7(x, b)
    return _temp_1


# ---- __resume_at_104_3: the rest of the function, from the graph break on
# __resume_at_104_3 continues toy_example at line 7 after the graph break.
# torch made it by editing bytecode; this is that bytecode, decompiled.
# The compiled way in is transformed___resume_at_104_3.
# verdict: proved: it has the same effects as the bytecode
def __resume_at_104_3(b, x):
    return x * b


# ---- transformed___resume_at_104_3: picks the version
def transformed___resume_at_104_3(b, x):
    L = {"b": b, "x": x}
    G = globals()
    if __guard_0_for___resume_at_104_3(L, G):
        return __transformed_code_1_for_torch_dynamo_resume_in_toy_example_at_7(b, x)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return __resume_at_104_3(b, x)


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
