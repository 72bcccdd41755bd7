package answers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// title says in words what differed.
func title(c *Cause) string {
	var subjects []string
	for _, s := range c.Subjects {
		if strings.HasPrefix(s, "___stack") {
			s = "what the line that broke the graph computed"
		}
		subjects = with(subjects, s)
	}
	subject := strings.Join(subjects, ", ")
	if len(subjects) > 4 {
		subject = fmt.Sprintf("%s and %d more", strings.Join(subjects[:3], ", "), len(subjects)-3)
	}
	switch c.Kind {
	case KindState:
		return states(c.Subjects) + " changed"
	case KindSize:
		return "a size varies: " + subject
	case KindStride:
		return "the layout in memory varies: " + subject
	case KindRank:
		return "the number of dimensions varies: " + subject
	case KindDtype:
		return "the type of the elements varies: " + subject
	case KindDevice:
		return "the device, or a mode such as inference mode, varies: " + subject
	case KindGradient:
		return "called with and without gradients: " + subject
	case KindTraining:
		return "train() or eval() was called: " + subject
	case KindKeys:
		return "the keys of a dict vary: " + subject
	case KindLength:
		return "the length of a container varies: " + subject
	case KindType:
		return "the type of an object varies: " + subject
	case KindObject:
		return "another object stands there: " + subject
	case KindValue:
		return "a Python value varies: " + subject
	}
	if subject == "" {
		return "torch does not tell why"
	}
	return "a condition on a value no longer holds: " + subject
}

// stateWords are the names of torch's GlobalStateGuard, torch/csrc/dynamo/guards.cpp.
var stateWords = map[string]string{
	"grad_mode": "the gradient mode", "autocast": "the autocast setting", "torch_function": "a mode of __torch_function__",
	"deterministic_algorithms": "the setting for deterministic algorithms", "deterministic_algorithms_warn_only": "the setting for deterministic algorithms",
	"allow_tf32": "the setting for TF32", "allow_fp16_reduce": "the setting for reductions in half precision", "allow_bf16_reduce": "the setting for reductions in bfloat16",
	"num_threads": "the number of threads", "default_dtype": "the default dtype",
}

func states(subjects []string) string {
	var out []string
	for _, s := range strings.Fields(strings.Join(subjects, " ")) {
		word, ok := stateWords[s]
		if !ok {
			word = "torch's " + s
		}
		out = with(out, word)
	}
	if len(out) == 0 {
		return "a global setting of torch"
	}
	return strings.Join(out, " and ")
}

// Remedy says what can be done against recompilations for which a check, in torch's words, failed; "" if nothing general is known.
func Remedy(check string) string {
	c := readChange(check)
	return remedy(&Cause{Kind: c.kind, Subjects: []string{c.subject}, Values: with(nil, c.was)})
}

// remedy says what can be done, "" if nothing general is known. The source is torch.compiler's
// documentation on recompilation.
func remedy(c *Cause) string {
	attribute := len(c.Subjects) > 0 && strings.Contains(c.Subjects[0], "self.")
	switch c.Kind {
	case KindState:
		if strings.Contains(strings.Join(c.Subjects, " "), "grad_mode") {
			return "Call the function always with gradients or always without: wrap every call in torch.no_grad(), or none. Two versions are the right number where both are wanted."
		}
		return "Call the function under the same settings each time."
	case KindSize, KindStride:
		return "Mark the dimension before the first call, torch._dynamo.mark_dynamic(x, dim), or compile with dynamic=True; or pad to few sizes."
	case KindRank:
		return "Each number of dimensions needs its own code: reshape before the call, or use one compiled function for each."
	case KindDtype:
		return "Convert before the call, if one type will do."
	case KindDevice:
		return "Call the function on one device and in one mode. Where two are wanted, two versions are the right number."
	case KindGradient:
		return "Two versions are the right number where both are wanted; else detach() the argument."
	case KindTraining:
		return "Both versions stay compiled: this happens once for each mode."
	case KindKeys, KindLength:
		return "Dynamo unrolls containers. Pass a tensor, or always the same keys and length."
	case KindType:
		return "Pass arguments of one type."
	case KindObject:
		return "Make the object once and use it again: functions, classes and modules that are made anew for each call are never the same."
	case KindValue:
		if attribute {
			return "The value is an attribute, which is burnt into the code. Make it a tensor, pass it as an argument, or set torch._dynamo.config.allow_unspec_int_on_nn_module = True (integers of modules)."
		}
		if slices.ContainsFunc(c.Values, func(v string) bool { _, err := strconv.Atoi(v); return err != nil }) {
			return "The value is burnt into the code. Use it outside of the compiled function; a number can be passed as a tensor."
		}
		return "The value is burnt into the code until it changes; then an int is made symbolic. Pass it as a tensor, or use it outside of the compiled function."
	}
	return ""
}
