# What runs in place of torch_dynamo_resume_in_step_at_10 after torch.compile (compile id 1/0).
# Decompiled from the bytecode that Dynamo made.
#
# original: /project/closure.py:10
# verdict:  proved: it has the same effects as the bytecode

def __depyf_outer__(scale):
    def __transformed_code_0_for_torch_dynamo_resume_in_step_at_10(___stack0, rest, y):
        (_temp_1,) = __compiled_fn_5(y)
        return _temp_1

    return __transformed_code_0_for_torch_dynamo_resume_in_step_at_10
