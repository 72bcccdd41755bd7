package answers

import (
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

// TextLine is what a line of a text of the session belongs to: of a graph, of Inductor's code, or of transformed code.
type TextLine struct {
	Places []explain.Place // the lines of the program that it comes from
	Nodes  []string        // the operations that it is or computes, by their names behind AOTAutograd
	Dynamo []string        // the same, by their names in Dynamo's graph
	Call   *Kernel         // the call of a kernel that it is
}

// GraphLines says what the lines of a graph's text belong to.
func GraphLines(a *explain.Artefact, text string) []TextLine {
	places := explain.Places(text)
	out := make([]TextLine, strings.Count(text, "\n")+1)
	for i, at := range places {
		if at.File != "" {
			out[i].Places = []explain.Place{at}
		}
	}
	if !slices.Contains(joinedStages, a.Stage) {
		return out
	}
	for _, n := range nodesAt(strings.TrimRight(text, "\n"), places) {
		if l := &out[n.Row-1]; a.Stage == joinedStages[0] {
			l.Dynamo = []string{n.Name}
		} else {
			l.Nodes = []string{n.Name}
		}
	}
	return out
}

// KernelLines says what the lines of Inductor's code belong to, which stands in the text behind so many others. A kernel's
// definition belongs to what all calls of it compute, and so do the comments above.
func (f *Facts) KernelLines(a *explain.Artefact, text string, head int) []TextLine {
	lines := strings.Split(text, "\n")
	out := make([]TextLine, len(lines))
	row := func(n int) int { return min(n+head, len(lines)) } // a text may be cut
	take := func(first, last int, k *Kernel) {
		for first > 1 && strings.HasPrefix(strings.TrimSpace(lines[first-2]), "#") && out[first-2].Call == nil && first-2 >= head {
			first--
		}
		for i := first - 1; i < last; i++ {
			l := &out[i]
			for _, at := range k.Places {
				l.Places = with(l.Places, at)
			}
			for _, n := range k.Nodes {
				l.Nodes = with(l.Nodes, n)
			}
			for _, n := range k.Sources {
				l.Dynamo = with(l.Dynamo, n)
			}
		}
	}
	all := f.Kernels()
	for i := range all {
		k := &all[i]
		if k.File != a.File || k.File == "" || k.Row+head > len(lines) {
			continue
		}
		out[row(k.Row)-1].Call = k
	}
	for i := range all {
		k := &all[i]
		if k.File != a.File || k.File == "" {
			continue
		}
		if k.Row+head <= len(lines) {
			take(row(k.Row), row(k.Row), k)
		}
		if k.Defined > 0 && k.Defined+head <= len(lines) {
			take(row(k.Defined), row(k.ends), k)
		}
	}
	return out
}

// CodeLines says what the lines of a transformed function belong to.
func CodeLines(c *explain.Transformed, text string) []TextLine {
	var out []TextLine
	for _, from := range transformedFrom(strings.Split(text, "\n")) {
		var l TextLine
		for n := from.first; 0 < n && n <= from.last; n++ {
			l.Places = append(l.Places, explain.Place{File: c.Old.Filename, Line: n})
		}
		out = append(out, l)
	}
	return out
}

// PassOf is "forward" or "backward", which the operations of a graph's text belong to; "" for a text that has both. Of two graphs
// behind Inductor's passes the code that was made of them tells.
func (f *Facts) PassOf(a *explain.Artefact) string {
	switch a.Stage {
	case "Forward_graph":
		return "forward"
	case "Backward_graph":
		return "backward"
	case "AFTER_POST_GRAD", explain.StageKernel:
		for _, k := range f.Kernels() {
			if a.File != "" && (k.behind == a.File || k.File == a.File) && k.Pass != "" {
				if k.Pass == "backward" {
					return k.Pass
				}
				return "forward" // or inference, where there is no other
			}
		}
	}
	return ""
}
