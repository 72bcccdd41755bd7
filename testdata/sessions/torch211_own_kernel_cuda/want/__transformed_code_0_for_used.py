# What runs in place of used after torch.compile (compile id 0/0).
# Decompiled from the bytecode that Dynamo made.
#
# original: /project/own_kernel.py:21
# verdict:  proved: it has the same effects as the bytecode

def __transformed_code_0_for_used(x, y):
    # torch's own bookkeeping, for its profiler
    record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # own_kernel.py:22-24, with what is called there
    graph_out_0 = __compiled_fn_1(x, y)
    gt = graph_out_0[0]
    z = graph_out_0[1]
    del graph_out_0
    # own_kernel.py:24: if z.sum() > 0:
    if gt:
        return __resume_at_186_2([], [], z)
    return __resume_at_210_3([], [], z)
