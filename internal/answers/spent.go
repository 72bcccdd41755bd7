package answers

import (
	"cmp"
	"slices"

	"github.com/thuml/depyf/internal/explain"
)

// Spent is how long a function took to compile, with its resume functions. In seconds.
type Spent struct {
	Function string  `json:"function"`
	File     string  `json:"file"`
	Line     int     `json:"line"`
	Versions int     `json:"versions"` // with those of its resume functions
	Resumed  int     `json:"resumed"`  // so many of them are of these
	Total    float64 `json:"total"`    // without backward passes
	Dynamo   float64 `json:"dynamo"`   // tracing, guards, code: the total without the backend
	Backend  float64 `json:"backend"`  // the backend: for Inductor with AOTAutograd and the kernels
	Backward float64 `json:"backward"` // backward passes, which are compiled when gradients are asked for
	Phases   *Phases `json:"phases"`   // of Backend and Backward together; null where nothing of it is known
}

// TimeSpent adds up compile times by function, the costliest first.
func TimeSpent(p *explain.Program) []Spent {
	at, phases := owners(p), phasesOf(p)
	type key struct {
		name, file string
		line       int
	}
	groups := map[key]*Spent{}
	var list []*Spent
	for _, c := range p.Model.Compiles {
		if !c.Measured && c.Later == 0 {
			continue
		}
		own := at[c]
		f := key{p.Model.TitleOf(c), c.File, c.Line}
		if fn := own.function; fn != nil {
			for fn.IsResume && fn.Parent != nil {
				fn = fn.Parent
			}
			f = key{fn.Title, fn.Where.File, fn.Where.Line}
		}
		g := groups[f]
		if g == nil {
			g = &Spent{Function: f.name, File: f.file, Line: f.line}
			groups[f] = g
			list = append(list, g)
		}
		if own.version != nil {
			g.Versions++
			if own.function.IsResume {
				g.Resumed++
			}
		}
		g.Total += c.Seconds
		g.Backend += c.Backend
		g.Dynamo += max(0, c.Seconds-c.Backend)
		g.Backward += c.Later
		if told := phases[c].both(); told != nil {
			if g.Phases == nil {
				g.Phases = &Phases{}
			}
			*g.Phases = g.Phases.Plus(*told)
		}
	}
	out := []Spent{}
	for _, g := range list {
		out = append(out, *g)
	}
	slices.SortStableFunc(out, func(a, b Spent) int { return cmp.Compare(b.Total+b.Backward, a.Total+a.Backward) })
	return out
}
