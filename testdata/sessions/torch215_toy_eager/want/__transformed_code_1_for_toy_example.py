# What runs in place of toy_example after torch.compile (compile id 0/1).
# Decompiled from the bytecode that Dynamo made.
#
# original: /project/toy_example.py:4
# verdict:  proved: it has the same effects as the bytecode

def __transformed_code_1_for_toy_example(a, b):
    _temp_1 = __import_torch_dot_autograd_dot_profiler._is_profiler_enabled
    tmp_1 = None
    if _temp_1:
        tmp_1 = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    _temp_2 = __import_torch_dot__dynamo_dot_utils.call_size
    _temp_3 = _temp_2
    _temp_4 = a
    _temp_5 = _temp_2(a, 0)
    _temp_6 = b
    _temp_7 = _temp_3(b, 0)
    if tmp_1 is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(tmp_1)
    graph_out_0 = __compiled_fn_9(_temp_5, _temp_4, _temp_7, _temp_6)
    _temp_8 = graph_out_0[0]
    _temp_9 = graph_out_0[1]
    del graph_out_0
    if _temp_8:
        return __resume_at_100_10([], [], b, _temp_9)
    return __resume_at_110_11([], [], b, _temp_9)
