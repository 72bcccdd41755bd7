# What runs in place of toy_example after torch.compile (compile id 0/0).
# Decompiled from the bytecode that Dynamo made.
#
# original: /project/toy_example.py:4
# verdict:  proved: it has the same effects as the bytecode

def __transformed_code_0_for_toy_example(a, b):
    # torch's own bookkeeping, for its profiler
    record = None
    if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
        record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    if record is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # toy_example.py:6-7
    graph_out_0 = __compiled_fn_1(a, b)
    lt = graph_out_0[0]
    x = graph_out_0[1]
    del graph_out_0
    # toy_example.py:7: if b.sum() < 0:
    if lt:
        return __resume_at_100_2([], [], b, x)
    return __resume_at_110_3([], [], b, x)
