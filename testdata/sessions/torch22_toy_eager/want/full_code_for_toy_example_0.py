# What torch.compile made of toy_example (toy_example.py:4).
# Written by depyf from a run with torch 2.2.2+cu121 on Python 3.11.7.
#
# This file is for reading; nothing runs from it. How a call goes:
#   1. transformed_toy_example, at the end, asks the guard of each version in turn;
#   2. the first whose guard holds runs: it calls compiled graphs;
#   3. where Dynamo could not compile a line (a graph break), the version runs that
#      line as ordinary Python and goes on in a resume function, in the same way.
#
# Contents
#     30  toy_example: when version 0 is valid
#     46  __compiled_fn_0: a compiled graph
#     51  toy_example: what version 0 runs
#     61  __resume_at_102_1: when version 0 is valid
#     76  __compiled_fn_3: a compiled graph
#     81  __resume_at_102_1: what version 0 runs
#     89  __resume_at_102_1: the rest of the function, from the graph break on
#     99  transformed___resume_at_102_1: picks the version
#    110  __resume_at_112_2: when version 0 is valid
#    125  __compiled_fn_4: a compiled graph
#    130  __resume_at_112_2: what version 0 runs
#    138  __resume_at_112_2: the rest of the function, from the graph break on
#    147  transformed___resume_at_112_2: picks the version
#    158  toy_example: the original function
#    169  transformed_toy_example: picks the version

from __future__ import annotations


# ---- toy_example: when version 0 is valid
def __guard_0_for_toy_example(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for_toy_example may run. L holds the local variables, G the globals."""
    return (
        ___check_tensors(L['a'], L['b'], tensor_check_names=tensor_check_names)
        # and 8 checks of the framework's own state, which hardly ever fail:
        #   ___guarded_code.valid
        #   ___check_global_state()
        #   2 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
        #   utils_device.CURRENT_DEVICE == None
        #   (___skip_backend_check() or ___current_backend() == ___lookup_backend(...))
        #   ___compile_config_hash() == 'bb70964663a030c159d73917b19c5322'
        #   not ___needs_nopython()
    )


# ---- __compiled_fn_0: a compiled graph
def __compiled_fn_0(*args, **kwargs):
    """See __compiled_fn_0.Captured_Graph.0.py."""


# ---- toy_example: what version 0 runs
# __transformed_code_0_for_toy_example.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_0_for_toy_example(a, b):
    x, _temp_1 = __compiled_fn_0(a, b)
    if _temp_1:
        return __resume_at_102_1(b, x)
    return __resume_at_112_2(b, x)


# ---- __resume_at_102_1: when version 0 is valid
def __guard_0_for___resume_at_102_1(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for_resume_in_toy_example may run. L holds the local variables, G the globals."""
    return (
        ___check_tensors(L['b'], L['x'], tensor_check_names=tensor_check_names)
        # and 7 checks of the framework's own state, which hardly ever fail:
        #   ___guarded_code.valid
        #   ___check_global_state()
        #   2 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
        #   utils_device.CURRENT_DEVICE == None
        #   (___skip_backend_check() or ___current_backend() == ___lookup_backend(...))
        #   ___compile_config_hash() == 'bb70964663a030c159d73917b19c5322'
    )


# ---- __compiled_fn_3: a compiled graph
def __compiled_fn_3(*args, **kwargs):
    """See __compiled_fn_3.Captured_Graph.0.py."""


# ---- __resume_at_102_1: what version 0 runs
# __transformed_code_0_for_resume_in_toy_example.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_0_for_resume_in_toy_example(b, x):
    (_temp_1,) = __compiled_fn_3(b, x)
    return _temp_1


# ---- __resume_at_102_1: the rest of the function, from the graph break on
# __resume_at_102_1 continues toy_example at line 7 after the graph break.
# torch made it by editing bytecode; this is that bytecode, decompiled.
# The compiled way in is transformed___resume_at_102_1.
# verdict: proved: it has the same effects as the bytecode
def __resume_at_102_1(b, x):
    b = b * -1
    return x * b


# ---- transformed___resume_at_102_1: picks the version
def transformed___resume_at_102_1(b, x):
    L = {"b": b, "x": x}
    G = globals()
    if __guard_0_for___resume_at_102_1(L, G):
        return __transformed_code_0_for_resume_in_toy_example(b, x)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return __resume_at_102_1(b, x)


# ---- __resume_at_112_2: when version 0 is valid
def __guard_0_for___resume_at_112_2(L, G, **___kwargs_ignored):
    """Whether __transformed_code_1_for_resume_in_toy_example may run. L holds the local variables, G the globals."""
    return (
        ___check_tensors(L['b'], L['x'], tensor_check_names=tensor_check_names)
        # and 7 checks of the framework's own state, which hardly ever fail:
        #   ___guarded_code.valid
        #   ___check_global_state()
        #   2 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
        #   utils_device.CURRENT_DEVICE == None
        #   (___skip_backend_check() or ___current_backend() == ___lookup_backend(...))
        #   ___compile_config_hash() == 'bb70964663a030c159d73917b19c5322'
    )


# ---- __compiled_fn_4: a compiled graph
def __compiled_fn_4(*args, **kwargs):
    """See __compiled_fn_4.Captured_Graph.0.py."""


# ---- __resume_at_112_2: what version 0 runs
# __transformed_code_1_for_resume_in_toy_example.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_1_for_resume_in_toy_example(b, x):
    (_temp_1,) = __compiled_fn_4(x, b)
    return _temp_1


# ---- __resume_at_112_2: the rest of the function, from the graph break on
# __resume_at_112_2 continues toy_example at line 7 after the graph break.
# torch made it by editing bytecode; this is that bytecode, decompiled.
# The compiled way in is transformed___resume_at_112_2.
# verdict: proved: it has the same effects as the bytecode
def __resume_at_112_2(b, x):
    return x * b


# ---- transformed___resume_at_112_2: picks the version
def transformed___resume_at_112_2(b, x):
    L = {"b": b, "x": x}
    G = globals()
    if __guard_0_for___resume_at_112_2(L, G):
        return __transformed_code_1_for_resume_in_toy_example(b, x)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return __resume_at_112_2(b, x)


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
