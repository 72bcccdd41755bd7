package report

import (
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

// unwritten is a submodule that torch writes by the name of its class, which is that
// of what it was made from: `self.body_graph_0 = <lambda>()`.
var unwritten = lazyregexp.New(`^(\s*)(self\.\w+ = <\w+>\(.*)$`)

// runnable makes valid Python of a script that repeats a compilation. torch leaves a
// function without a body when a graph has no inputs, and cannot write submodules
// (torch/_dynamo/repro/after_aot.py; torch/_dynamo/debug_utils.py, NNModuleToString).
func runnable(text string) string {
	lines := strings.Split(text, "\n")
	out := make([]string, 0, len(lines)+1)
	for i, line := range lines {
		if m := unwritten.FindStringSubmatch(line); m != nil {
			line = m[1] + "# torch could not write this part of the graph: " + m[2]
		}
		out = append(out, line)
		if strings.HasPrefix(line, "def ") && strings.HasSuffix(line, ":") &&
			(i+1 == len(lines) || !strings.HasPrefix(lines[i+1], " ")) {
			out = append(out, "    pass")
		}
	}
	return strings.Join(out, "\n")
}
