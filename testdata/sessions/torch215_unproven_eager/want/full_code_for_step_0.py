# What torch.compile made of step (closure.py:7).
# Written by depyf from a run with torch 2.15.0+cu132 on Python 3.14.10.
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
#    216  step: when version 1 is valid
#    246  __compiled_fn_8: a compiled graph
#    251  step: what version 1 runs
#    412  __resume_at_58_3: when version 0 is valid
#    434  __compiled_fn_5: a compiled graph
#    439  __resume_at_58_3: what version 0 runs
#    462  __resume_at_58_3: when version 1 is valid
#    486  __compiled_fn_11: a compiled graph
#    491  __resume_at_58_3: what version 1 runs
#    517  __resume_at_58_3: the rest of the function, from the graph break on
#    537  transformed___resume_at_58_3: picks the version
#    552  __resume_at_58_9: another name of __resume_at_58_3
#    556  step: the original function
#    566  transformed_step: picks the version

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
# verdict: partial: make.<locals>.step: offset 466 (Call): a stack item of kind 17 is used as a value
def __depyf_outer__(scale):
    def __transformed_code_0_for_step(x, *rest, flag, **more):
        # depyf could not express this code: offset 466 (Call): a stack item of kind 17 is used as a value
        # Its bytecode:
        #     0 CopyFreeVars 1
        #     2 Resume
        #     4 LoadGlobal __compiled_fn_2
        #     4 PushNull
        #    14 LoadGlobal __import_torch_dot_autograd_dot_profiler
        #    24 LoadAttr _is_profiler_enabled
        #    44 StoreFast tmp_3
        #    46 LoadGlobal __import_torch_dot__dynamo_dot_utils
        #    56 StoreFast tmp_2
        #    58 LoadConst
        #    60 StoreFast tmp_1
        #    62 LoadFast tmp_3
        #    64 ToBool
        #    72 PopJumpIfFalse -> 116
        #    76 Nop
        #    78 LoadFast tmp_2
        #    80 LoadAttr record_pregraph_bytecode_enter
        #   100 PushNull
        #   102 Call
        #   110 StoreFast tmp_1
        #   112 LoadConst
        #   114 Jump -> 118
        #   116 LoadConst
        #   118 Nop
        #   120 Pop
        #   122 LoadFast x
        #   124 LoadDeref scale
        #   126 LoadFast tmp_1
        #   128 LoadConst
        #   130 IsOp
        #   132 PopJumpIfTrue -> 178
        #   136 Nop
        #   138 LoadFast tmp_2
        #   140 LoadAttr record_pregraph_bytecode_exit
        #   160 PushNull
        #   162 LoadFast tmp_1
        #   164 Call 1
        #   172 Pop
        #   174 LoadConst
        #   176 Jump -> 180
        #   178 LoadConst
        #   180 Nop
        #   182 Pop
        #   184 Call 2
        #   192 StoreFast graph_out_0
        #   194 LoadClosure scale
        #   196 BuildTuple 1
        #   198 BuildList 1
        #   200 LoadGlobal __builtins_dict___1
        #   210 LoadConst
        #   212 Subscr
        #   224 PushNull
        #   226 LoadConst
        #   228 LoadFast graph_out_0
        #   230 LoadConst
        #   232 Subscr
        #   244 BuildList 1
        #   246 Copy 1
        #   248 LoadConst
        #   250 Subscr
        #   262 Swap 2
        #   264 LoadFast rest
        #   266 BuildList 1
        #   268 ListExtend 2
        #   270 Pop
        #   272 BuildList 1
        #   274 Swap 4
        #   276 Swap 3
        #   278 Swap 2
        #   280 DeleteFast graph_out_0
        #   282 Call 1
        #   290 BuildList 1
        #   292 Copy 2
        #   294 LoadConst
        #   296 Subscr
        #   308 LoadConst
        #   310 StoreSubscr
        #   314 Copy 1
        #   316 LoadConst
        #   318 Subscr
        #   330 Swap 2
        #   332 Pop
        #   334 BuildList 1
        #   336 Swap 2
        #   338 Copy 1
        #   340 LoadConst
        #   342 Subscr
        #   354 Swap 2
        #   356 Pop
        #   358 BuildList 1
        #   360 Swap 2
        #   362 Copy 1
        #   364 LoadConst
        #   366 Subscr
        #   378 Copy 1
        #   380 Copy 1
        #   382 LoadConst
        #   384 Subscr
        #   396 Swap 2
        #   398 Copy 1
        #   400 LoadConst
        #   402 Subscr
        #   414 Swap 2
        #   416 Pop
        #   418 BuildList 2
        #   420 Swap 2
        #   422 LoadConst
        #   424 StoreSubscr
        #   428 Copy 2
        #   430 Pop
        #   432 BuildList
        #   434 Swap 3
        #   436 LoadConst
        #   438 Subscr
        #   450 LoadGlobal __resume_at_58_3
        #   460 Swap 2
        #   462 PushNull
        #   464 Swap 2
        #   466 Call 1
        #   474 Swap 3
        #   476 Swap 2
        #   478 Copy 1
        #   480 Copy 1
        #   482 LoadConst
        #   484 Subscr
        #   496 Swap 2
        #   498 LoadConst
        #   500 DeleteSubscr
        #   502 Swap 3
        #   504 Swap 2
        #   506 BuildList 2
        #   508 Swap 2
        #   510 ListExtend 1
        #   512 PushNull
        #   514 PushNull
        #   516 Swap 3
        #   518 Swap 2
        #   520 CallEx 3
        #   522 Return
        raise NotImplementedError("depyf: this code could not be decompiled")

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
# verdict: partial: make.<locals>.step: offset 518 (Call): a stack item of kind 17 is used as a value
def __depyf_outer__(scale):
    def __transformed_code_1_for_step(x, *rest, flag, **more):
        # depyf could not express this code: offset 518 (Call): a stack item of kind 17 is used as a value
        # Its bytecode:
        #     0 CopyFreeVars 1
        #     2 Resume
        #     4 LoadGlobal __compiled_fn_8
        #     4 PushNull
        #    14 LoadGlobal __import_torch_dot_autograd_dot_profiler
        #    24 LoadAttr _is_profiler_enabled
        #    44 StoreFast tmp_3
        #    46 LoadGlobal __import_torch_dot__dynamo_dot_utils
        #    56 StoreFast tmp_2
        #    58 LoadConst
        #    60 StoreFast tmp_1
        #    62 LoadFast tmp_3
        #    64 ToBool
        #    72 PopJumpIfFalse -> 116
        #    76 Nop
        #    78 LoadFast tmp_2
        #    80 LoadAttr record_pregraph_bytecode_enter
        #   100 PushNull
        #   102 Call
        #   110 StoreFast tmp_1
        #   112 LoadConst
        #   114 Jump -> 118
        #   116 LoadConst
        #   118 Nop
        #   120 Pop
        #   122 LoadGlobal __import_torch_dot__dynamo_dot_utils
        #   132 LoadAttr call_size
        #   152 Copy 1
        #   154 StoreFast tmp_4
        #   156 PushNull
        #   158 LoadFast x
        #   160 Copy 1
        #   162 StoreFast tmp_5
        #   164 LoadConst
        #   166 Call 2
        #   174 LoadFast tmp_5
        #   176 LoadDeref scale
        #   178 LoadFast tmp_1
        #   180 LoadConst
        #   182 IsOp
        #   184 PopJumpIfTrue -> 230
        #   188 Nop
        #   190 LoadFast tmp_2
        #   192 LoadAttr record_pregraph_bytecode_exit
        #   212 PushNull
        #   214 LoadFast tmp_1
        #   216 Call 1
        #   224 Pop
        #   226 LoadConst
        #   228 Jump -> 232
        #   230 LoadConst
        #   232 Nop
        #   234 Pop
        #   236 Call 3
        #   244 StoreFast graph_out_0
        #   246 LoadClosure scale
        #   248 BuildTuple 1
        #   250 BuildList 1
        #   252 LoadGlobal __builtins_dict___7
        #   262 LoadConst
        #   264 Subscr
        #   276 PushNull
        #   278 LoadConst
        #   280 LoadFast graph_out_0
        #   282 LoadConst
        #   284 Subscr
        #   296 BuildList 1
        #   298 Copy 1
        #   300 LoadConst
        #   302 Subscr
        #   314 Swap 2
        #   316 LoadFast rest
        #   318 BuildList 1
        #   320 ListExtend 2
        #   322 Pop
        #   324 BuildList 1
        #   326 Swap 4
        #   328 Swap 3
        #   330 Swap 2
        #   332 DeleteFast graph_out_0
        #   334 Call 1
        #   342 BuildList 1
        #   344 Copy 2
        #   346 LoadConst
        #   348 Subscr
        #   360 LoadConst
        #   362 StoreSubscr
        #   366 Copy 1
        #   368 LoadConst
        #   370 Subscr
        #   382 Swap 2
        #   384 Pop
        #   386 BuildList 1
        #   388 Swap 2
        #   390 Copy 1
        #   392 LoadConst
        #   394 Subscr
        #   406 Swap 2
        #   408 Pop
        #   410 BuildList 1
        #   412 Swap 2
        #   414 Copy 1
        #   416 LoadConst
        #   418 Subscr
        #   430 Copy 1
        #   432 Copy 1
        #   434 LoadConst
        #   436 Subscr
        #   448 Swap 2
        #   450 Copy 1
        #   452 LoadConst
        #   454 Subscr
        #   466 Swap 2
        #   468 Pop
        #   470 BuildList 2
        #   472 Swap 2
        #   474 LoadConst
        #   476 StoreSubscr
        #   480 Copy 2
        #   482 Pop
        #   484 BuildList
        #   486 Swap 3
        #   488 LoadConst
        #   490 Subscr
        #   502 LoadGlobal __resume_at_58_9
        #   512 Swap 2
        #   514 PushNull
        #   516 Swap 2
        #   518 Call 1
        #   526 Swap 3
        #   528 Swap 2
        #   530 Copy 1
        #   532 Copy 1
        #   534 LoadConst
        #   536 Subscr
        #   548 Swap 2
        #   550 LoadConst
        #   552 DeleteSubscr
        #   554 Swap 3
        #   556 Swap 2
        #   558 BuildList 2
        #   560 Swap 2
        #   562 ListExtend 1
        #   564 PushNull
        #   566 PushNull
        #   568 Swap 3
        #   570 Swap 2
        #   572 CallEx 3
        #   574 Return
        raise NotImplementedError("depyf: this code could not be decompiled")

    return __transformed_code_1_for_step


# ---- __resume_at_58_3: when version 0 is valid
def __guard_0_for___resume_at_58_3(L, G, **___kwargs_ignored):
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


# ---- __resume_at_58_3: what version 0 runs
# __transformed_code_0_for_torch_dynamo_resume_in_step_at_10.py
# verdict: proved: it has the same effects as the bytecode
def __depyf_outer__(scale):
    def __transformed_code_0_for_torch_dynamo_resume_in_step_at_10(
        __nested_resume_fns, __nested_frame_values, ___stack0, rest, y
    ):
        _temp_1 = __import_torch_dot_autograd_dot_profiler._is_profiler_enabled
        tmp_1 = None
        if _temp_1:
            tmp_1 = (
                __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
            )
        if tmp_1 is not None:
            __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(tmp_1)
        graph_out_0 = __compiled_fn_5(y)
        _temp_2 = graph_out_0[0]
        del graph_out_0
        return _temp_2

    return __transformed_code_0_for_torch_dynamo_resume_in_step_at_10


# ---- __resume_at_58_3: when version 1 is valid
def __guard_1_for___resume_at_58_3(L, G, **___kwargs_ignored):
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


# ---- __resume_at_58_3: what version 1 runs
# __transformed_code_1_for_torch_dynamo_resume_in_step_at_10.py
# verdict: proved: it has the same effects as the bytecode
def __depyf_outer__(scale):
    def __transformed_code_1_for_torch_dynamo_resume_in_step_at_10(
        __nested_resume_fns, __nested_frame_values, ___stack0, rest, y
    ):
        _temp_1 = __import_torch_dot_autograd_dot_profiler._is_profiler_enabled
        tmp_1 = None
        if _temp_1:
            tmp_1 = (
                __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
            )
        _temp_2 = __import_torch_dot__dynamo_dot_utils.call_size
        _temp_3 = y
        _temp_4 = _temp_2(y, 0)
        if tmp_1 is not None:
            __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(tmp_1)
        graph_out_0 = __compiled_fn_11(_temp_4, _temp_3)
        _temp_5 = graph_out_0[0]
        del graph_out_0
        return _temp_5

    return __transformed_code_1_for_torch_dynamo_resume_in_step_at_10


# ---- __resume_at_58_3: the rest of the function, from the graph break on
# __resume_at_58_3 continues step at line 10 after the graph break.
# torch made it by editing bytecode; this is that bytecode, decompiled.
# The compiled way in is transformed___resume_at_58_3.
# verdict: proved: it has the same effects as the bytecode
def __depyf_outer__(scale):
    def __resume_at_58_3(
        __nested_resume_fns, __nested_frame_values, ___stack0, rest, y
    ):
        __is_tracing_resume_prologue = True
        __is_tracing_resume_prologue = False
        return (y + sum(rest)).relu()

    return __resume_at_58_3


# The variables of the enclosing function are not known here.
__resume_at_58_3 = __depyf_outer__(...)


# ---- transformed___resume_at_58_3: picks the version
def transformed___resume_at_58_3(__nested_resume_fns, __nested_frame_values, ___stack0, rest, y):
    L = {"__nested_resume_fns": __nested_resume_fns, "__nested_frame_values": __nested_frame_values, "___stack0": ___stack0, "rest": rest, "y": y}
    # L also holds the variables of the enclosing function: scale
    G = globals()
    # In the order in which Dynamo tried them last: the version used last comes first.
    if __guard_1_for___resume_at_58_3(L, G):
        return __transformed_code_1_for_torch_dynamo_resume_in_step_at_10(__nested_resume_fns, __nested_frame_values, ___stack0, rest, y)
    if __guard_0_for___resume_at_58_3(L, G):
        return __transformed_code_0_for_torch_dynamo_resume_in_step_at_10(__nested_resume_fns, __nested_frame_values, ___stack0, rest, y)
    # No version is valid for these arguments. Dynamo would compile a new one here;
    # this stands for the original function instead.
    return __resume_at_58_3(__nested_resume_fns, __nested_frame_values, ___stack0, rest, y)


# ---- __resume_at_58_9: another name of __resume_at_58_3
__resume_at_58_9 = __resume_at_58_3


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
