package report

import "strings"

// advice says what can be done against a recompilation whose reason torch words
// so, "" if nothing general is known. The sources: torch/_dynamo/guards.py for
// the wording, torch.compiler's documentation on recompilation for the remedy.
func advice(reason string) string {
	for _, a := range advices {
		for _, s := range a.when {
			if strings.Contains(reason, s) {
				return a.say
			}
		}
	}
	return ""
}

var advices = []struct {
	when []string
	say  string
}{
	{
		[]string{"size mismatch", ".size()[", "stride mismatch"},
		"The size varies between calls. Mark it with torch._dynamo.mark_dynamic(x, dim) before the first call, or compile with dynamic=True; or pad to few sizes.",
	},
	{
		[]string{"rank mismatch"},
		"The number of dimensions varies: each needs its own code. Reshape before the call, or use one compiled function for each.",
	},
	{
		[]string{"requires_grad mismatch", "requires_grad"},
		"The same function is called with and without gradients. Two versions are the right number then; detach the argument if the gradient is not wanted.",
	},
	{
		[]string{"dtype mismatch"},
		"The type of the elements varies. Convert once before the call if one type would do.",
	},
	{
		[]string{"dispatch key set mismatch", "device"},
		"The device, or a mode such as inference_mode, varies between calls.",
	},
	{
		[]string{"___check_global_state", "GLOBAL_STATE", "grad_mode", "GRAD_MODE"},
		"A global setting differs: gradient mode, autocast, the default dtype or deterministic algorithms. Call the function under the same settings, for instance always inside torch.no_grad().",
	},
	{
		[]string{"___check_obj_id", "ID_MATCH", "___check_type_id"},
		"Another object stands where the first one was. Make it once and reuse it: functions, classes and modules made anew on each call are never the same.",
	},
	{
		[]string{"len("},
		"The length of a container varies: Dynamo unrolls it. Use a tensor, or a fixed length.",
	},
	{
		[]string{".training"},
		"train() or eval() was called in between. Both versions stay compiled, so this happens once for each.",
	},
	{
		[]string{"tensor '", "Tensor"},
		"A tensor differs from the one seen when compiling.",
	},
	{
		[]string{" == "},
		"A Python value is burnt into the code. If it changes often, pass it as a tensor, or keep it out of the compiled function. Integers become symbolic after their first change unless they are attributes of a module.",
	},
}
