# What runs in place of changes after torch.compile (compile id 1/0).
# Decompiled from the bytecode that Dynamo made.
#
# original: /project/graphs.py:10
# verdict:  proved: it has the same effects as the bytecode

def __transformed_code_0_for_changes(x, w):
    # torch's own bookkeeping, for its profiler
    record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # graphs.py:11-12
    graph_out_0 = __compiled_fn_3(x, w)
    return graph_out_0[0]
