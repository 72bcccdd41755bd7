# What runs in place of step after torch.compile (compile id 0/1).
# Decompiled from the bytecode that Dynamo made.
#
# original: /project/closure.py:7
# verdict:  proved: it has the same effects as the bytecode

def __depyf_outer__(scale):
    def __transformed_code_1_for_step(x, *rest, flag, **more):
        # closure.py:8: y = x * scale
        graph_out_0 = __compiled_fn_8(
            __import_torch_dot__dynamo_dot_utils.call_size(x, 0), x, scale
        )
        print = __builtins_dict___7["print"]
        y = graph_out_0[0]
        del graph_out_0
        print_result = print("breaks here")

        def torch_dynamo_resume_in_step_at_10(___stack0, rest, y):
            nonlocal scale
            ___stack0
            return (y + sum(rest)).relu()

        return torch_dynamo_resume_in_step_at_10(print_result, rest, y)

    return __transformed_code_1_for_step
