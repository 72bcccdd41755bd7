package answers

import (
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

// Phases is what compiling spent its time on after Dynamo, in seconds.
type Phases struct {
	AOTAutograd float64 `json:"aot_autograd"`
	Inductor    float64 `json:"inductor"` // without the kernels
	Kernels     float64 `json:"kernels"`  // waiting until a compiler had made them, and loading them
}

// Sum is the time of all of them.
func (p Phases) Sum() float64 { return p.AOTAutograd + p.Inductor + p.Kernels }

// Plus adds up.
func (p Phases) Plus(q Phases) Phases {
	return Phases{p.AOTAutograd + q.AOTAutograd, p.Inductor + q.Inductor, p.Kernels + q.Kernels}
}

// passes are the phases of a compilation and of its backward pass; nil where nothing is known.
type passes struct{ forward, backward *Phases }

// both adds them up.
func (s passes) both() *Phases {
	switch {
	case s.forward == nil:
		return s.backward
	case s.backward == nil:
		return s.forward
	}
	sum := s.forward.Plus(*s.backward)
	return &sum
}

// phasesOf says what each compilation spent its time on after Dynamo.
func phasesOf(p *explain.Program) map[*explain.Compile]passes {
	alone := autogradAlone(p)
	out := map[*explain.Compile]passes{}
	for _, c := range p.Model.Compiles {
		out[c] = passes{phases(c.Phases, c.Backend, alone[c]), phases(c.LaterPhases, c.Later, alone[c])}
	}
	return out
}

// phases splits a time by what torch has measured. Where Inductor did not run, torch has measured nothing: the time is
// then AOTAutograd's, if that ran.
func phases(told explain.Phases, seconds float64, autograd bool) *Phases {
	switch {
	case told.Told:
		return &Phases{told.AOTAutograd, told.Inductor, told.Kernels}
	case autograd && seconds > 0:
		return &Phases{AOTAutograd: seconds}
	}
	return nil
}

// autogradAlone finds the compilations in which AOTAutograd ran and Inductor did not.
func autogradAlone(p *explain.Program) map[*explain.Compile]bool {
	ran, kernels := map[string]bool{}, map[string]bool{}
	for _, a := range p.Files {
		switch id := explain.CleanCompileID(a.CompileID); a.Stage {
		case explain.StageKernel:
			kernels[id] = true
		case "Joint_graph", "Forward_graph", "Backward_graph":
			ran[id] = true
		}
	}
	out := map[*explain.Compile]bool{}
	for _, c := range p.Model.Compiles {
		cached := slices.ContainsFunc(c.Cache, func(event string) bool { return strings.HasPrefix(event, "aotautograd_cache_") })
		out[c] = (ran[c.ID] || cached) && !kernels[c.ID]
	}
	return out
}
