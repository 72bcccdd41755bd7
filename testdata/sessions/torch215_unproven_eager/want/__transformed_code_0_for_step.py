# What runs in place of step after torch.compile (compile id 0/0).
# Decompiled from the bytecode that Dynamo made.
#
# original: /project/closure.py:7
# verdict:  partial: make.<locals>.step: offset 466 (Call): a stack item of kind 17 is used as a value
#           Not proved, so the bytecode runs and not this text.

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
