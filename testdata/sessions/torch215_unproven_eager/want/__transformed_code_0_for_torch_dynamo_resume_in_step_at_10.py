# What runs in place of torch_dynamo_resume_in_step_at_10 after torch.compile (compile id 1/0).
# Decompiled from the bytecode that Dynamo made.
#
# original: /project/closure.py:10
# verdict:  proved: it has the same effects as the bytecode

def __depyf_outer__(scale):
    def __transformed_code_0_for_torch_dynamo_resume_in_step_at_10(
        __nested_resume_fns, __nested_frame_values, ___stack0, rest, y
    ):
        _temp_1 = __import_torch_dot_autograd_dot_profiler._is_profiler_enabled
        tmp_1 = None
        if _temp_1:
            tmp_1 = (
                __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
            )
        if tmp_1 is not None:
            __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(tmp_1)
        graph_out_0 = __compiled_fn_5(y)
        _temp_2 = graph_out_0[0]
        del graph_out_0
        return _temp_2

    return __transformed_code_0_for_torch_dynamo_resume_in_step_at_10
