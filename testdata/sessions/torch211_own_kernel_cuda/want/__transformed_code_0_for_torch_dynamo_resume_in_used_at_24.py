# What runs in place of torch_dynamo_resume_in_used_at_24 after torch.compile (compile id 1/0).
# Decompiled from the bytecode that Dynamo made.
#
# original: /project/own_kernel.py:24
# verdict:  proved: it has the same effects as the bytecode

def __transformed_code_0_for_torch_dynamo_resume_in_used_at_24(
    __nested_resume_fns, __nested_frame_values, z
):
    # torch's own bookkeeping, for its profiler
    record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # own_kernel.py:26, with what is called there
    graph_out_0 = __compiled_fn_5(z)
    return graph_out_0[0]
