package answers

import (
	"slices"

	"github.com/thuml/depyf/internal/explain"
)

// Running is a compilation that has begun and not ended.
type Running struct {
	Compile  *explain.Compile
	Function string // as a person calls it
	Stage    string // of the last graph that was told: "" while Dynamo traces
}

// InProgress lists what a program compiles at the moment, the outermost first. It is for sessions that go on: of one that
// has ended, what is left here was cut.
func InProgress(p *explain.Program) []Running {
	m := p.Model
	if m.Ended {
		return nil
	}
	var out []Running
	for _, c := range m.Compiles {
		// Where torch tells of no end, the code that was made is one.
		made := func(t *explain.Transformed) bool { return t.CompileID == c.ID }
		if len(c.Stack) == 0 || c.Over || c.Outcome != nil || c.Failure != "" || slices.ContainsFunc(m.Codes, made) {
			continue
		}
		r := Running{Compile: c, Function: m.TitleOf(c)}
		for _, a := range slices.Concat(m.Graphs, m.Kernels, c.Artefacts) {
			if a.CompileID == c.ID {
				r.Stage = a.Stage
			}
		}
		out = append(out, r)
	}
	return out
}
