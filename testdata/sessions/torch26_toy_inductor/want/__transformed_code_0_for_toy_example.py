# What runs in place of toy_example after torch.compile (compile id 0/0).
# Decompiled from the bytecode that Dynamo made.
#
# original: /project/toy_example.py:4
# verdict:  proved: it has the same effects as the bytecode

def __transformed_code_0_for_toy_example(a, b):
    x, _temp_1 = __compiled_fn_1(a, b)
    if _temp_1:
        return __resume_at_94_2(b, x)
    return __resume_at_104_3(b, x)
