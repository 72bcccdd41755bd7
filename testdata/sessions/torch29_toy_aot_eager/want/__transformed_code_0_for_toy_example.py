# What runs in place of toy_example after torch.compile (compile id 0/0).
# Decompiled from the bytecode that Dynamo made.
#
# original: /project/toy_example.py:4
# verdict:  proved: it has the same effects as the bytecode

def __transformed_code_0_for_toy_example(a, b):
    _temp_1 = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(_temp_1)
    graph_out_0 = __compiled_fn_1(a, b)
    _temp_2 = graph_out_0[0]
    _temp_3 = graph_out_0[1]
    del graph_out_0
    if _temp_2:
        return __resume_at_102_2([], [], b, _temp_3)
    return __resume_at_112_3([], [], b, _temp_3)
