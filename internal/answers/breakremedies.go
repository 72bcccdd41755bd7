package answers

import (
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

var asksForBreak = lazyregexp.New(`torch(?:\._dynamo)?\.graph_break\b|call_function graph_break in skip_files |skip function graph_break in file `)

// breakRemedies say what to write instead of what ends a graph: torch before 2.7 gives few hints, and later ones say
// for some causes no more than that one may report an issue. What torch says is looked at as a whole: cause, explanation and reason.
// The first that fits is taken.
var breakRemedies = []struct {
	told *lazyregexp.Regexp
	text string
}{
	{
		lazyregexp.New(`(?i)graph break in (?:a |the )?(?:for/while )?loop`),
		"When a loop breaks the graph, Dynamo compiles nothing of the function: move the body of the loop into a function of its own, and compile that one.",
	},
	{
		asksForBreak,
		"The line asks for a graph break: remove the call.",
	},
	{
		lazyregexp.New("(?i)torch\\.compiler\\.disable\\(\\)`d|torch\\._dynamo\\.disable\\(\\) wrapped"),
		"The function is excluded by torch.compiler.disable(): remove that, or call it outside the compiled function.",
	},
	{
		lazyregexp.New("builtin operator `print`|builtin: print\\b"),
		"Remove the call; or torch._dynamo.config.reorderable_logging_functions.add(print): tensors and constants are then printed after the graph has run.",
	},
	{
		lazyregexp.New(`Tensor\.item\b|Tensor\.tolist\b`),
		"Keep the value in a tensor; or set torch._dynamo.config.capture_scalar_outputs = True.",
	},
	{
		lazyregexp.New(`Tensor\.backward\(\)|call_method backward`),
		"Compile the forward pass only, and call backward() outside the compiled function: its backward pass is compiled, too.",
	},
	{
		lazyregexp.New(`(?i)data-dependent (?:branching|jump|control flow)|generic_jump TensorVariable`),
		"Write it without a branch: torch.where(condition, a, b). Where the two sides are expensive, torch.cond.",
	},
	{
		lazyregexp.New(`(?i)marked as skipped|unsupported builtin |'skip function|call to a time function|Dynamo does not know how to trace the builtin|Graph break for an optree C/C\+\+ function|torch\.\* op returned non-Tensor`),
		"Move the call outside the compiled function. If the graph needs its result, make it a custom operator: torch.library.custom_op.",
	},
}

// BreakRemedy is what to write instead of a line, by all that torch says of it; "" if nothing general is known.
func BreakRemedy(said ...string) string {
	told := strings.Join(said, "\n")
	for _, r := range breakRemedies {
		if r.told.MatchString(told) {
			return r.text
		}
	}
	return ""
}

// A hint of torch's that does not say what to write.
var idle = lazyregexp.New(`(?i)^please (?:report|file) an issue|^it may be possible to write dynamo tracing rules|^this graph break is fundamental|^if it is a python builtin, please file an issue`)

// UsefulFirst puts the hints that say what to write before those that do not: brief answers show the first.
func UsefulFirst(hints []string) []string {
	out := append([]string{}, hints...)
	slices.SortStableFunc(out, func(a, b string) int {
		x, y := idle.MatchString(a), idle.MatchString(b)
		switch {
		case x == y:
			return 0
		case y:
			return -1
		}
		return 1
	})
	return out
}
