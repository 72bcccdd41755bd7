# What runs in place of torch_dynamo_resume_in_toy_example_at_7 after torch.compile (compile id 2/0).
# Decompiled from the bytecode that Dynamo made.
#
# original: /project/toy_example.py:7
# verdict:  proved: it has the same effects as the bytecode

def __transformed_code_1_for_torch_dynamo_resume_in_toy_example_at_7(
    __nested_resume_fns, __nested_frame_values, b, x
):
    # torch's own bookkeeping, for its profiler
    record = None
    if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
        record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    if record is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # toy_example.py:9: return x * b
    graph_out_0 = __compiled_fn_7(x, b)
    return graph_out_0[0]
