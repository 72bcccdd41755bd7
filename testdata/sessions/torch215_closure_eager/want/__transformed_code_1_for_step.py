# What runs in place of step after torch.compile (compile id 0/1).
# Decompiled from the bytecode that Dynamo made.
#
# original: /project/closure.py:7
# verdict:  proved: it has the same effects as the bytecode

def __depyf_outer__(scale):
    def __transformed_code_1_for_step(x, *rest, flag, **more):
        # torch's own bookkeeping, for its profiler
        record = None
        if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
            record = (
                __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
            )

        x_size_0 = __import_torch_dot__dynamo_dot_utils.call_size(x, 0)
        scale_2 = scale
        # torch's own bookkeeping, for its profiler
        if record is not None:
            __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

        # closure.py:8: y = x * scale
        graph_out_0 = __compiled_fn_8(x_size_0, x, scale_2)
        print = __builtins_dict___7["print"]
        y = graph_out_0[0]
        del graph_out_0
        # closure.py:10: print("breaks here")
        print_result = print("breaks here")
        return __resume_at_48_9(((lambda: scale).__closure__[0],))(
            [], [], print_result, rest, y
        )

    return __transformed_code_1_for_step
