# What runs in place of until after torch.compile (compile id 0/0).
# Decompiled from the bytecode that Dynamo made.
#
# original: /project/loop.py:4
# verdict:  proved: it has the same effects as the bytecode

def __transformed_code_0_for_until(x):
    _temp_1 = __import_torch_dot_autograd_dot_profiler._is_profiler_enabled
    tmp_1 = None
    if _temp_1:
        tmp_1 = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    if tmp_1 is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(tmp_1)
    graph_out_0 = __compiled_fn_1(x)
    _temp_2 = graph_out_0[0]
    del graph_out_0
    if _temp_2:
        return __resume_at_44_2([], [], x)
    return __resume_at_100_3([], [], x)
