# What runs in place of step after torch.compile (compile id 0/1).
# Decompiled from the bytecode that Dynamo made.
#
# original: /project/closure.py:7
# verdict:  partial: make.<locals>.step: offset 518 (Call): a stack item of kind 17 is used as a value
#           Not proved, so the bytecode runs and not this text.

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
