# What runs in place of step after torch.compile (compile id 0/0).
# Decompiled from the bytecode that Dynamo made.
#
# original: /project/closure.py:7
# verdict:  differs: step: operands of call 4 differ: [new25 v24 v4 v20] | [new26 v24 v4 v20]
#           Not proved, so the bytecode runs and not this text.

def __depyf_outer__(scale):
    def __transformed_code_0_for_step(x, *rest, flag, **more):
        graph_out_0 = __compiled_fn_2(x, scale)
        _temp_1 = __builtins_dict___1["print"]
        y = graph_out_0[0]
        del graph_out_0
        _temp_2 = _temp_1("breaks here")

        def torch_dynamo_resume_in_step_at_10(___stack0, rest, y):
            return (y + sum(rest)).relu()

        return torch_dynamo_resume_in_step_at_10(_temp_2, rest, y)

    return __transformed_code_0_for_step
