# What runs in place of torch_dynamo_resume_in_step_at_10 after torch.compile (compile id 1/1).
# Decompiled from the bytecode that Dynamo made.
#
# original: /project/closure.py:10
# verdict:  proved: it has the same effects as the bytecode

def __depyf_outer__(scale):
    def __transformed_code_1_for_torch_dynamo_resume_in_step_at_10(___stack0, rest, y):
        nonlocal scale
        # closure.py:11: return (y + sum(rest)).relu()
        (relu,) = __compiled_fn_11(
            __import_torch_dot__dynamo_dot_utils.call_size(y, 0), y
        )
        return relu

    return __transformed_code_1_for_torch_dynamo_resume_in_step_at_10
