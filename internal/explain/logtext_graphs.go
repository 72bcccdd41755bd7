package explain

import (
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
	"github.com/thuml/depyf/internal/torchlog"
)

// Graphs, as torch logs them for people.

// logEnds matches the end of a graph's code.
var logEnds = lazyregexp.New(`(?m)^\s+return\b`)

// laterGraphs are how AOTAutograd and Inductor call their graphs, and the structured log.
var laterGraphs = []struct{ title, key string }{
	{"Forward graph", "aot_forward_graph"},
	{"Backward graph", "aot_backward_graph"},
	{"Joint graph", "aot_joint_graph"},
	{"BEFORE PRE GRAD", "inductor_pre_grad_graph"},
	{"AFTER POST GRAD", "inductor_post_grad_graph"},
}

// graph takes in a graph: a line with its name, one with its class, and its code.
func (t *logText) graph(m torchlog.Message, rest string) {
	title, text, _ := strings.Cut(strings.TrimLeft(rest, "\n"), "\n")
	g := logGraph.FindStringSubmatch(title)
	i := strings.Index(text, "class ")
	if g == nil || i < 0 || strings.Contains(text[:i], "\n") {
		return
	}
	text = strings.TrimRight(text[i:], "\n ") + "\n"
	if !logEnds.MatchString(text) {
		text += "        # The rest of this graph is not in the log.\n"
	}
	if strings.HasPrefix(g[1], "__compiled_fn_") {
		t.told["graphs"] = true
		t.identify(&m)
		t.lastGraph, t.stages = m.ID, map[string]bool{}
		t.entry(m, `"dynamo_output_graph": {}`, text)
		return
	}
	for _, a := range laterGraphs {
		if strings.HasPrefix(g[1], a.title) {
			t.told["aot"] = t.told["aot"] || strings.HasPrefix(a.key, "aot_")
			if m.ID == "" && !t.stages[a.key] {
				m.ID = t.lastGraph // each takes what Dynamo has just traced, once
			}
			t.identify(&m)
			if m.ID != t.lastGraph {
				t.lastGraph, t.stages = m.ID, map[string]bool{}
			}
			t.stages[a.key] = true
			t.entry(m, `"`+a.key+`": {}`, text)
		}
	}
}

// table takes in a graph that is written as a table, unless its code stands before it.
func (t *logText) table(m torchlog.Message, text string) {
	if m.ID != "" && m.ID == t.lastGraph {
		return
	}
	t.told["graphs"] = true
	t.identify(&m)
	t.lastGraph, t.stages = m.ID, map[string]bool{}
	t.entry(m, `"dynamo_output_graph": {}`, graphOfTable(text))
}
