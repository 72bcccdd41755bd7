# What torch.compile made of used (own_kernel.py:21).
# Written by depyf from a run with torch 2.11.0+cu130 on Python 3.12.3.
#
# This file is for reading; nothing runs from it. How a call goes:
#   1. transformed_used, at the end, asks the guard of each version in turn;
#   2. the first whose guard holds runs: it calls compiled graphs;
#   3. where Dynamo could not compile a line (a graph break), the version runs that
#      line as ordinary Python and goes on in a resume function, in the same way.
#
# Contents
#     34  used: when version 0 is valid
#     81  __compiled_fn_1: a compiled graph
#     86  used: what version 0 runs
#    105  used: when version 1 is valid
#    154  __compiled_fn_7: a compiled graph
#    159  used: what version 1 runs
#    183  __resume_at_186_2: when version 0 is valid
#    220  __compiled_fn_5: a compiled graph
#    225  __resume_at_186_2: what version 0 runs
#    240  __resume_at_186_2: when version 1 is valid
#    278  __compiled_fn_11: a compiled graph
#    283  __resume_at_186_2: what version 1 runs
#    301  __resume_at_186_2: the rest of the function, from the graph break on
#    313  transformed___resume_at_186_2: picks the version
#    327  __resume_at_210_3: a resume function that was not compiled
#    334  __resume_at_210_9: a resume function that was not compiled
#    341  __resume_at_186_8: another name of __resume_at_186_2
#    345  used: the original function
#    356  transformed_used: picks the version

from __future__ import annotations


# ---- used: when version 0 is valid
def __guard_0_for_used(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for_used may run. L holds the local variables, G the globals."""
    return (
        type(L['x']) is torch.Tensor  # own_kernel.py:22: z = add(x.sin(), y * 2)
        and L['x'].shape == (1000,)  # FAILED, hence recompiled: tensor 'x' size mismatch at index 0. expected 1000, actual 1500
        and L['x'].dtype == torch.float32
        and L['x'].device == torch.device('cuda:0')
        and not L['x'].requires_grad
        and L['x'].stride() == (1,)
        and L['x'] is not L['y']
        and type(L['y']) is torch.Tensor  # own_kernel.py:22: z = add(x.sin(), y * 2)
        and L['y'].shape == (1000,)
        and L['y'].dtype == torch.float32
        and L['y'].device == torch.device('cuda:0')
        and not L['y'].requires_grad
        and L['y'].stride() == (1,)
        and not ___dict_contains('__call__', G['triton'].cdiv.__dict__)  # own_kernel.py:17: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        and dict(type(G['triton'].cdiv).__dict__)['__call__'].__kwdefaults__['_semantic'] is None  # jit.py:1083: if _semantic is None:
        # The functions, modules and classes that the code uses are still the same:
        and ___check_obj_id(G['add'].__code__, 'the code of add seen when compiling')  # own_kernel.py:22: z = add(x.sin(), y * 2)
        and G['torch'] is torch  # own_kernel.py:16: out = torch.empty_like(x)
        and G['torch'].nn is torch.nn  # own_kernel.py:23: z = torch.nn.functional.gelu(z) + 1
        and G['torch'].nn.functional is torch.nn.functional  # own_kernel.py:23: z = torch.nn.functional.gelu(z) + 1
        and G['torch'].nn.functional.gelu is torch._C._nn.gelu  # own_kernel.py:23: z = torch.nn.functional.gelu(z) + 1
        and G['torch'].empty_like is torch.empty_like  # own_kernel.py:16: out = torch.empty_like(x)
        and G['triton'] is triton  # own_kernel.py:17: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        and type(G['triton'].cdiv) is triton.runtime.jit.ConstexprFunction  # own_kernel.py:17: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        and ___check_obj_id(G['triton'].cdiv.fn.__code__, 'the code of cdiv seen when compiling')  # jit.py:1081: res = self.fn(*args, **kwargs)
        and ___check_obj_id(type(G['triton'].cdiv).__call__.__code__, 'the code of __call__ seen when compiling')  # own_kernel.py:17: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        and ___check_obj_id(G['add_kernel'], 'the object of type triton.runtime.jit.JITFunction seen when compiling')  # own_kernel.py:17: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        and G['__import_triton_dot_language_dot_core'] is triton.language.core  # core.py:349: if isinstance(o, builtins.tuple):
        and G['__import_triton_dot_language_dot_core'].tuple is triton.language.core.tuple  # core.py:351: if isinstance(o, tuple):
        and G['__import_triton_dot_language_dot_core'].builtins is builtins  # core.py:349: if isinstance(o, builtins.tuple):
        and G['__import_triton_dot_language_dot_core'].builtins.tuple is tuple  # core.py:349: if isinstance(o, builtins.tuple):
        and G['__import_triton_dot_language_dot_core'].constexpr is triton.language.core.constexpr  # core.py:353: return o.value if isinstance(o, constexpr) else o
        and ___check_obj_id(G['__import_triton_dot_language_dot_core']._unwrap_if_constexpr.__code__, 'the code of _unwrap_if_constexpr seen when compiling')  # jit.py:1077: args = [_unwrap_if_constexpr(x) for x in args]
        # and 8 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   2 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
        #   2 × modules that Dynamo imports are still the same
    )


# ---- __compiled_fn_1: a compiled graph
def __compiled_fn_1(*args, **kwargs):
    """See __compiled_fn_1.Captured_Graph.0.py, __compiled_fn_1.BEFORE_PRE_GRAD.0.py, __compiled_fn_1.Forward_graph.0.py, __compiled_fn_1.AFTER_POST_GRAD.0.py, __compiled_fn_1.kernel_0.py, __compiled_fn_1.runnable.0.py, __compiled_fn_1.BEFORE_POST_GRAD.0.py."""


# ---- used: what version 0 runs
# __transformed_code_0_for_used.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_0_for_used(x, y):
    # torch's own bookkeeping, for its profiler
    record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # own_kernel.py:22-24, with what is called there
    graph_out_0 = __compiled_fn_1(x, y)
    gt = graph_out_0[0]
    z = graph_out_0[1]
    del graph_out_0
    # own_kernel.py:24: if z.sum() > 0:
    if gt:
        return __resume_at_186_2([], [], z)
    return __resume_at_210_3([], [], z)


# ---- used: when version 1 is valid
def __guard_1_for_used(L, G, **___kwargs_ignored):
    """Whether __transformed_code_1_for_used may run. L holds the local variables, G the globals."""
    return (
        type(L['x']) is torch.Tensor  # own_kernel.py:22: z = add(x.sin(), y * 2)
        and L['x'].ndim == 1
        and L['x'].dtype == torch.float32
        and L['x'].device == torch.device('cuda:0')
        and not L['x'].requires_grad
        and L['x'].stride() == (1,)
        and L['x'] is not L['y']
        and type(L['y']) is torch.Tensor  # own_kernel.py:22: z = add(x.sin(), y * 2)
        and L['y'].ndim == 1
        and L['y'].dtype == torch.float32
        and L['y'].device == torch.device('cuda:0')
        and not L['y'].requires_grad
        and L['y'].stride() == (1,)
        and not ___dict_contains('__call__', G['triton'].cdiv.__dict__)  # own_kernel.py:17: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        and dict(type(G['triton'].cdiv).__dict__)['__call__'].__kwdefaults__['_semantic'] is None  # jit.py:1083: if _semantic is None:
        and 2 <= L['x'].shape[0] <= 2147483647  # own_kernel.py:22: z = add(x.sin(), y * 2); Dynamo always treats the sizes 0 and 1 apart
        and 2 <= L['y'].shape[0] <= 2147483647  # own_kernel.py:22: z = add(x.sin(), y * 2); Dynamo always treats the sizes 0 and 1 apart
        # The functions, modules and classes that the code uses are still the same:
        and ___check_obj_id(G['add'].__code__, 'the code of add seen when compiling')  # own_kernel.py:22: z = add(x.sin(), y * 2)
        and G['torch'] is torch  # own_kernel.py:16: out = torch.empty_like(x)
        and G['torch'].nn is torch.nn  # own_kernel.py:23: z = torch.nn.functional.gelu(z) + 1
        and G['torch'].nn.functional is torch.nn.functional  # own_kernel.py:23: z = torch.nn.functional.gelu(z) + 1
        and G['torch'].nn.functional.gelu is torch._C._nn.gelu  # own_kernel.py:23: z = torch.nn.functional.gelu(z) + 1
        and G['torch'].empty_like is torch.empty_like  # own_kernel.py:16: out = torch.empty_like(x)
        and G['triton'] is triton  # own_kernel.py:17: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        and type(G['triton'].cdiv) is triton.runtime.jit.ConstexprFunction  # own_kernel.py:17: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        and ___check_obj_id(G['triton'].cdiv.fn.__code__, 'the code of cdiv seen when compiling')  # jit.py:1081: res = self.fn(*args, **kwargs)
        and ___check_obj_id(type(G['triton'].cdiv).__call__.__code__, 'the code of __call__ seen when compiling')  # own_kernel.py:17: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        and ___check_obj_id(G['add_kernel'], 'the object of type triton.runtime.jit.JITFunction seen when compiling')  # own_kernel.py:17: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        and G['__import_triton_dot_language_dot_core'] is triton.language.core  # core.py:349: if isinstance(o, builtins.tuple):
        and G['__import_triton_dot_language_dot_core'].tuple is triton.language.core.tuple  # core.py:351: if isinstance(o, tuple):
        and G['__import_triton_dot_language_dot_core'].builtins is builtins  # core.py:349: if isinstance(o, builtins.tuple):
        and G['__import_triton_dot_language_dot_core'].builtins.tuple is tuple  # core.py:349: if isinstance(o, builtins.tuple):
        and G['__import_triton_dot_language_dot_core'].constexpr is triton.language.core.constexpr  # core.py:353: return o.value if isinstance(o, constexpr) else o
        and ___check_obj_id(G['__import_triton_dot_language_dot_core']._unwrap_if_constexpr.__code__, 'the code of _unwrap_if_constexpr seen when compiling')  # jit.py:1077: args = [_unwrap_if_constexpr(x) for x in args]
        # and 8 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   2 × hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
        #   2 × modules that Dynamo imports are still the same
    )


# ---- __compiled_fn_7: a compiled graph
def __compiled_fn_7(*args, **kwargs):
    """See __compiled_fn_7.Captured_Graph.0.py, __compiled_fn_7.BEFORE_PRE_GRAD.0.py, __compiled_fn_7.Forward_graph.0.py, __compiled_fn_7.AFTER_POST_GRAD.0.py, __compiled_fn_7.kernel_0.py, __compiled_fn_7.runnable.0.py, __compiled_fn_7.BEFORE_POST_GRAD.0.py."""


# ---- used: what version 1 runs
# __transformed_code_1_for_used.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_1_for_used(x, y):
    # torch's own bookkeeping, for its profiler
    record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()

    call_size = __import_torch_dot__dynamo_dot_utils.call_size
    x_size_0 = call_size(x, 0)
    y_size_0 = call_size(y, 0)
    # torch's own bookkeeping, for its profiler
    __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # own_kernel.py:22-24, with what is called there
    graph_out_0 = __compiled_fn_7(x_size_0, x, y_size_0, y)
    gt = graph_out_0[0]
    z = graph_out_0[1]
    del graph_out_0
    # own_kernel.py:24: if z.sum() > 0:
    if gt:
        return __resume_at_186_8([], [], z)
    return __resume_at_210_9([], [], z)


# ---- __resume_at_186_2: when version 0 is valid
def __guard_0_for___resume_at_186_2(L, G, **___kwargs_ignored):
    """Whether __transformed_code_0_for_torch_dynamo_resume_in_used_at_24 may run. L holds the local variables, G the globals."""
    return (
        type(L['z']) is torch.Tensor  # own_kernel.py:25: z = add(z, z)
        and L['z'].shape == (1000,)  # FAILED, hence recompiled: tensor 'z' size mismatch at index 0. expected 1000, actual 1500
        and L['z'].dtype == torch.float32
        and L['z'].device == torch.device('cuda:0')
        and not L['z'].requires_grad
        and L['z'].stride() == (1,)
        and not ___dict_contains('__call__', G['triton'].cdiv.__dict__)  # own_kernel.py:17: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        and dict(type(G['triton'].cdiv).__dict__)['__call__'].__kwdefaults__['_semantic'] is None  # jit.py:1083: if _semantic is None:
        # The functions, modules and classes that the code uses are still the same:
        and ___check_obj_id(G['add'].__code__, 'the code of add seen when compiling')  # own_kernel.py:25: z = add(z, z)
        and G['torch'] is torch  # own_kernel.py:16: out = torch.empty_like(x)
        and G['torch'].empty_like is torch.empty_like  # own_kernel.py:16: out = torch.empty_like(x)
        and G['triton'] is triton  # own_kernel.py:17: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        and type(G['triton'].cdiv) is triton.runtime.jit.ConstexprFunction  # own_kernel.py:17: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        and ___check_obj_id(G['triton'].cdiv.fn.__code__, 'the code of cdiv seen when compiling')  # jit.py:1081: res = self.fn(*args, **kwargs)
        and ___check_obj_id(type(G['triton'].cdiv).__call__.__code__, 'the code of __call__ seen when compiling')  # own_kernel.py:17: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        and ___check_obj_id(G['add_kernel'], 'the object of type triton.runtime.jit.JITFunction seen when compiling')  # own_kernel.py:17: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        and G['__import_triton_dot_language_dot_core'] is triton.language.core  # core.py:349: if isinstance(o, builtins.tuple):
        and G['__import_triton_dot_language_dot_core'].tuple is triton.language.core.tuple  # core.py:351: if isinstance(o, tuple):
        and G['__import_triton_dot_language_dot_core'].builtins is builtins  # core.py:349: if isinstance(o, builtins.tuple):
        and G['__import_triton_dot_language_dot_core'].builtins.tuple is tuple  # core.py:349: if isinstance(o, builtins.tuple):
        and G['__import_triton_dot_language_dot_core'].constexpr is triton.language.core.constexpr  # core.py:353: return o.value if isinstance(o, constexpr) else o
        and ___check_obj_id(G['__import_triton_dot_language_dot_core']._unwrap_if_constexpr.__code__, 'the code of _unwrap_if_constexpr seen when compiling')  # jit.py:1077: args = [_unwrap_if_constexpr(x) for x in args]
        # and 7 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
        #   2 × modules that Dynamo imports are still the same
    )


# ---- __compiled_fn_5: a compiled graph
def __compiled_fn_5(*args, **kwargs):
    """See __compiled_fn_5.Captured_Graph.0.py, __compiled_fn_5.BEFORE_PRE_GRAD.0.py, __compiled_fn_5.Forward_graph.0.py, __compiled_fn_5.AFTER_POST_GRAD.0.py, __compiled_fn_5.kernel_0.py, __compiled_fn_5.runnable.0.py, __compiled_fn_5.BEFORE_POST_GRAD.0.py."""


# ---- __resume_at_186_2: what version 0 runs
# __transformed_code_0_for_torch_dynamo_resume_in_used_at_24.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_0_for_torch_dynamo_resume_in_used_at_24(
    __nested_resume_fns, __nested_frame_values, z
):
    # torch's own bookkeeping, for its profiler
    record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # own_kernel.py:26, with what is called there
    graph_out_0 = __compiled_fn_5(z)
    return graph_out_0[0]


# ---- __resume_at_186_2: when version 1 is valid
def __guard_1_for___resume_at_186_2(L, G, **___kwargs_ignored):
    """Whether __transformed_code_1_for_torch_dynamo_resume_in_used_at_24 may run. L holds the local variables, G the globals."""
    return (
        type(L['z']) is torch.Tensor  # own_kernel.py:25: z = add(z, z)
        and L['z'].ndim == 1
        and L['z'].dtype == torch.float32
        and L['z'].device == torch.device('cuda:0')
        and not L['z'].requires_grad
        and L['z'].stride() == (1,)
        and not ___dict_contains('__call__', G['triton'].cdiv.__dict__)  # own_kernel.py:17: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        and dict(type(G['triton'].cdiv).__dict__)['__call__'].__kwdefaults__['_semantic'] is None  # jit.py:1083: if _semantic is None:
        and 2 <= L['z'].shape[0] <= 2147483647  # own_kernel.py:25: z = add(z, z); Dynamo always treats the sizes 0 and 1 apart
        # The functions, modules and classes that the code uses are still the same:
        and ___check_obj_id(G['add'].__code__, 'the code of add seen when compiling')  # own_kernel.py:25: z = add(z, z)
        and G['torch'] is torch  # own_kernel.py:16: out = torch.empty_like(x)
        and G['torch'].empty_like is torch.empty_like  # own_kernel.py:16: out = torch.empty_like(x)
        and G['triton'] is triton  # own_kernel.py:17: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        and type(G['triton'].cdiv) is triton.runtime.jit.ConstexprFunction  # own_kernel.py:17: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        and ___check_obj_id(G['triton'].cdiv.fn.__code__, 'the code of cdiv seen when compiling')  # jit.py:1081: res = self.fn(*args, **kwargs)
        and ___check_obj_id(type(G['triton'].cdiv).__call__.__code__, 'the code of __call__ seen when compiling')  # own_kernel.py:17: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        and ___check_obj_id(G['add_kernel'], 'the object of type triton.runtime.jit.JITFunction seen when compiling')  # own_kernel.py:17: add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        and G['__import_triton_dot_language_dot_core'] is triton.language.core  # core.py:349: if isinstance(o, builtins.tuple):
        and G['__import_triton_dot_language_dot_core'].tuple is triton.language.core.tuple  # core.py:351: if isinstance(o, tuple):
        and G['__import_triton_dot_language_dot_core'].builtins is builtins  # core.py:349: if isinstance(o, builtins.tuple):
        and G['__import_triton_dot_language_dot_core'].builtins.tuple is tuple  # core.py:349: if isinstance(o, builtins.tuple):
        and G['__import_triton_dot_language_dot_core'].constexpr is triton.language.core.constexpr  # core.py:353: return o.value if isinstance(o, constexpr) else o
        and ___check_obj_id(G['__import_triton_dot_language_dot_core']._unwrap_if_constexpr.__code__, 'the code of _unwrap_if_constexpr seen when compiling')  # jit.py:1077: args = [_unwrap_if_constexpr(x) for x in args]
        # and 7 checks of the framework's own state, which hardly ever fail:
        #   torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None
        #   ___check_global_state()
        #   ___check_torch_function_mode_stack()
        #   utils_device.CURRENT_DEVICE == None
        #   hasattr(…, '_dynamo_…_indices') == False: no size has been marked dynamic
        #   2 × modules that Dynamo imports are still the same
    )


# ---- __compiled_fn_11: a compiled graph
def __compiled_fn_11(*args, **kwargs):
    """See __compiled_fn_11.Captured_Graph.0.py, __compiled_fn_11.BEFORE_PRE_GRAD.0.py, __compiled_fn_11.Forward_graph.0.py, __compiled_fn_11.AFTER_POST_GRAD.0.py, __compiled_fn_11.kernel_0.py, __compiled_fn_11.runnable.0.py, __compiled_fn_11.BEFORE_POST_GRAD.0.py."""


# ---- __resume_at_186_2: what version 1 runs
# __transformed_code_1_for_torch_dynamo_resume_in_used_at_24.py
# verdict: proved: it has the same effects as the bytecode
def __transformed_code_1_for_torch_dynamo_resume_in_used_at_24(
    __nested_resume_fns, __nested_frame_values, z
):
    # torch's own bookkeeping, for its profiler
    record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()

    z_size_0 = __import_torch_dot__dynamo_dot_utils.call_size(z, 0)
    # torch's own bookkeeping, for its profiler
    __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # own_kernel.py:26, with what is called there
    graph_out_0 = __compiled_fn_11(z_size_0, z)
    return graph_out_0[0]


# ---- __resume_at_186_2: the rest of the function, from the graph break on
# __resume_at_186_2 continues used at line 24 after the graph break.
# torch made it by editing bytecode; this is that bytecode, decompiled.
# The compiled way in is transformed___resume_at_186_2.
# verdict: proved: it has the same effects as the bytecode
def __resume_at_186_2(__nested_resume_fns, __nested_frame_values, z):
    __is_tracing_resume_prologue = True
    __is_tracing_resume_prologue = False
    z = add(z, z)
    return z.cos()


# ---- transformed___resume_at_186_2: picks the version
def transformed___resume_at_186_2(__nested_resume_fns, __nested_frame_values, z):
    L = {"__nested_resume_fns": __nested_resume_fns, "__nested_frame_values": __nested_frame_values, "z": z}
    G = globals()
    # In the order in which Dynamo tried them last: the version used last comes first.
    if __guard_1_for___resume_at_186_2(L, G):
        return __transformed_code_1_for_torch_dynamo_resume_in_used_at_24(__nested_resume_fns, __nested_frame_values, z)
    if __guard_0_for___resume_at_186_2(L, G):
        return __transformed_code_0_for_torch_dynamo_resume_in_used_at_24(__nested_resume_fns, __nested_frame_values, z)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return __resume_at_186_2(__nested_resume_fns, __nested_frame_values, z)


# ---- __resume_at_210_3: a resume function that was not compiled
# __resume_at_210_3 continues used after the graph break. Dynamo made no code of it:
# it was never called, or Dynamo left it alone.
def __resume_at_210_3(*args, **kwargs):
    """See the note above."""


# ---- __resume_at_210_9: a resume function that was not compiled
# __resume_at_210_9 continues used after the graph break. Dynamo made no code of it:
# it was never called, or Dynamo left it alone.
def __resume_at_210_9(*args, **kwargs):
    """See the note above."""


# ---- __resume_at_186_8: another name of __resume_at_186_2
__resume_at_186_8 = __resume_at_186_2


# ---- used: the original function
# The function as it was before torch.compile, from own_kernel.py:21.
# The compiled way in is transformed_used.
def used(x, y):
    z = add(x.sin(), y * 2)
    z = torch.nn.functional.gelu(z) + 1
    if z.sum() > 0:
        z = add(z, z)
    return z.cos()


# ---- transformed_used: picks the version
def transformed_used(x, y):
    L = {"x": x, "y": y}
    G = globals()
    # In the order in which Dynamo tried them last: the version used last comes first.
    if __guard_1_for_used(L, G):
        return __transformed_code_1_for_used(x, y)
    if __guard_0_for_used(L, G):
        return __transformed_code_0_for_used(x, y)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return used(x, y)
