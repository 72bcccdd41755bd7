package answers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/lazyregexp"
)

// title says in words what differed.
func title(c *Cause) string {
	var subjects []string
	for _, s := range c.Subjects {
		if strings.HasPrefix(s, ofStack) {
			s = "the result of a line that breaks the graph"
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
		return "an object was replaced by another: " + subject
	case KindValue:
		return "a Python value varies: " + subject
	}
	switch subject {
	case "":
		return "torch does not say why"
	case explain.CutReason:
		return "the log is cut off before torch says why"
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
			return "Always call the function with gradients, or always without: put every call under torch.no_grad(), or none. If you need both, two versions are the right number."
		}
		return "Call the function under the same settings each time."
	case KindSize:
		if slices.ContainsFunc(c.Hints, func(h string) bool { return strings.Contains(h, "on a parameter") }) {
			return "" // its sizes stay exact whatever is marked; torch's hint names the setting that keeps them so
		}
		return ofSize(c)
	case KindStride:
		return "Give it the same layout in memory each time: call contiguous() on it first, for example."
	case KindRank:
		return "Each number of dimensions needs its own code: reshape before the call, or compile one function for each."
	case KindDtype:
		return "Convert before the call, if one type will do."
	case KindDevice:
		return "Call the function on one device and in one mode. If you need two, two versions are the right number."
	case KindGradient:
		return "Pass it always with requires_grad, or always without (detach() drops it). If you need both, two versions are the right number."
	case KindTraining:
		return "Both versions stay compiled: this happens once for each mode."
	case KindKeys, KindLength:
		return "Dynamo unrolls containers: pass a tensor instead, or keep the keys and the length the same."
	case KindType:
		return "Pass arguments of one type."
	case KindObject:
		if slices.ContainsFunc(c.Subjects, ofResume) {
			return onlyResumed
		}
		return "Create the object once and reuse it: functions, classes and modules that are created anew for each call are never the same object."
	case KindValue:
		if slices.ContainsFunc(c.Subjects, ofResume) {
			return onlyResumed
		}
		if slices.ContainsFunc(c.Subjects, func(s string) bool { return strings.Contains(s, "param_groups[") }) {
			return "It is a setting of the optimizer: give the optimizer a tensor for it, such as lr=torch.tensor(0.01)."
		}
		if attribute {
			return "The value is an attribute and is baked into the compiled code. Make it a tensor, pass it as an argument, or set torch._dynamo.config.allow_unspec_int_on_nn_module = True (for integers of modules)."
		}
		if slices.ContainsFunc(c.Values, func(v string) bool { _, err := strconv.Atoi(v); return err != nil }) {
			return "The value is baked into the compiled code. Use it outside the compiled function, or, if it is a number, pass it as a tensor."
		}
		if len(c.Values) > 2 {
			return "Each value gets a version of its own. Pass it as a tensor, or use it outside the compiled function."
		}
		return "The value is baked into the compiled code until it first changes; from then on, an int is symbolic. Pass it as a tensor, or use it outside the compiled function."
	}
	return ""
}

// ofStack begins Dynamo's names for what a broken line leaves to the resume function behind it.
const ofStack = "___stack"

func ofResume(subject string) bool { return strings.HasPrefix(subject, ofStack) }

const onlyResumed = "Only a resume function gets this value as an argument: without the graph break, nothing is compiled for it."

var (
	dimension = lazyregexp.New(`^(.+)\.size\((\d+)\)$`)
	keyword   = lazyregexp.New(`^kwargs\['(\w+)'\]`) // what the caller of a wrapper knows by its own name
)

// ofSize is the call that marks the dimension, in the program's words.
func ofSize(c *Cause) string {
	mark := "torch._dynamo.mark_dynamic(tensor, dim)"
	if len(c.Subjects) > 0 {
		if m := dimension.FindStringSubmatch(c.Subjects[0]); m != nil && !strings.HasPrefix(m[1], ofStack) {
			mark = fmt.Sprintf("torch._dynamo.mark_dynamic(%s, %s)", keyword.ReplaceAllString(m[1], "$1"), m[2])
		}
	}
	out := "Call " + mark + " before the first call, or compile with dynamic=True; or pad to a few sizes."
	switch {
	case c.Fixed:
		out = "Each size gets a version of its own: the function is compiled with dynamic=False, or a line in it needs the exact number. " +
			"Leave that out, call " + mark + " before the first call, or pad to a few sizes."
	case len(c.Subjects) > 1: // what comes out of a graph break is not marked
		out = "Compile with dynamic=True, which makes all of them symbolic; " + mark + " before the first call does so for one. Or pad to a few sizes."
	}
	if slices.Contains(c.Values, "0") || slices.Contains(c.Values, "1") {
		out += " Sizes 0 and 1 get versions of their own."
	}
	return out
}
