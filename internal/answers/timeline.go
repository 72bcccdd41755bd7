package answers

import (
	"cmp"
	"slices"

	"github.com/thuml/depyf/internal/explain"
)

// Span is one compilation on the clock.
type Span struct {
	Function    string   // that the user wrote
	File        string   // and the line where it begins
	Line        int      //
	Compilation string   // its compile id
	Backward    bool     // of the backward pass, which is compiled when gradients are asked for
	Start       float64  // in seconds since 1970
	Seconds     float64  // how long it took
	Backend     float64  // seconds of these in the backend; of a backward pass all
	Phases      *Phases  // of these; nil where nothing is known
	Operations  int      // of the graph
	Reasons     []string // why there was one more version, as torch says it
	Breaks      []string // lines at which the graph ended
}

// Timeline lists the compilations whose begin torch has told, the earliest first.
func Timeline(p *explain.Program) []Span {
	at, phases := owners(p), phasesOf(p)
	var out []Span
	for _, c := range p.Model.Compiles {
		s := Span{Function: at[c].name(p, c), File: c.File, Line: c.Line, Operations: c.Ops, Reasons: c.Recompile}
		s.Compilation = explain.CompileIDText(c.ID)
		for _, b := range c.Breaks {
			s.Breaks = append(s.Breaks, p.Places.Place(b.File, b.Line))
		}
		if c.Start > 0 && c.Measured {
			s.Start, s.Seconds, s.Backend, s.Phases = c.Start, c.Seconds, c.Backend, phases[c].forward
			out = append(out, s)
		}
		if c.LaterStart > 0 && c.Later > 0 {
			out = append(out, Span{
				Function: s.Function, File: s.File, Line: s.Line, Compilation: s.Compilation, Backward: true,
				Start: c.LaterStart, Seconds: c.Later, Backend: c.Later, Phases: phases[c].backward,
			})
		}
	}
	slices.SortStableFunc(out, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	return out
}
