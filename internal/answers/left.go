package answers

import (
	"slices"

	"github.com/thuml/depyf/internal/explain"
)

// Left lists what Dynamo has left as it is, to run as ordinary Python. What is still being compiled is not among it.
func Left(p *explain.Program) ([]*explain.Compile, []Compilation) {
	running := InProgress(p)
	var left []*explain.Compile
	out := []Compilation{}
	for _, c := range p.Lost {
		if slices.ContainsFunc(running, func(r Running) bool { return r.Compile == c }) {
			continue
		}
		left = append(left, c)
		x := told(p, c)
		x.ID, x.Resets = explain.SplitCompileID(x.ID)
		out = append(out, x)
	}
	return left, out
}

// Idle reports whether a function was rightly left alone: nothing went wrong, and there was nothing in it to put into a graph.
func Idle(c *explain.Compile) bool {
	wrong := c.Failure != "" || len(c.Breaks)+len(c.Errors) > 0 || c.Outcome != nil && (c.Outcome.Limit != "" || c.Outcome.Error != "")
	return !wrong && c.Ops == 0
}
