# What runs in place of torch_dynamo_resume_in_toy_example_at_7 after torch.compile (compile id 2/0).
# Decompiled from the bytecode that Dynamo made.
#
# original: /project/toy_example.py:7
# verdict:  proved: it has the same effects as the bytecode

def __transformed_code_1_for_torch_dynamo_resume_in_toy_example_at_7(
    __nested_resume_fns, __nested_frame_values, b, x
):
    _temp_1 = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(_temp_1)
    graph_out_0 = __compiled_fn_7(x, b)
    _temp_2 = graph_out_0[0]
    del graph_out_0
    return _temp_2
