# What runs in place of named after torch.compile (compile id 0/4).
# Decompiled from the bytecode that Dynamo made.
#
# original: /project/limit.py:4
# verdict:  proved: it has the same effects as the bytecode

def __transformed_code_4_for_named(x, name):
    # torch's own bookkeeping, for its profiler
    record = None
    if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
        record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    if record is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # limit.py:5: return x * len(name)
    graph_out_0 = __compiled_fn_9(x)
    return graph_out_0[0]
