# What runs in place of torch_dynamo_resume_in_toy_example_at_7 after torch.compile (compile id 2/0).
# Decompiled from the bytecode that Dynamo made.
#
# original: /project/toy_example.py:7
# verdict:  proved: it has the same effects as the bytecode

def __transformed_code_1_for_torch_dynamo_resume_in_toy_example_at_7(b, x):
    (_temp_1,) = __compiled_fn_7(x, b)
    return _temp_1
