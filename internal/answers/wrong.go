package answers

import (
	"cmp"
	"slices"

	"github.com/thuml/depyf/internal/explain"
)

// Compared is what a comparison of eager and compiled results came to.
type Compared struct {
	Function  string        `json:"function"`
	Backend   string        `json:"backend"`
	Agree     bool          `json:"agree"` // no operation is wrong, and what differs is explained
	Wrong     []WrongNumber `json:"wrong"` // the first operations whose numbers are wrong
	Graphs    int           `json:"graphs"`
	LeftOut   int           `json:"left_out"`   // calls of graphs that were not looked at
	NotFinite bool          `json:"not_finite"` // whether eager results have a NaN or an infinity
	Random    []string      `json:"random"`     // operations that draw random numbers, which compiled code draws otherwise
	Notes     []string      `json:"notes"`
	// Differences of graphs that precision explains.
	Explained []explain.Measure `json:"explained"`
	// Results of the whole that are apart though no operation is wrong and none is random.
	Unplaced []explain.Measure `json:"unplaced"`
}

// WrongNumber is a finding and the judgement on it.
type WrongNumber struct {
	Who   Who      `json:"who"`
	Fused []string `json:"fused_into,omitempty"` // in a dump: the kernels of the program that compute it
	Aten  []string `json:"aten,omitempty"`       // and what ATen calls the operation there
	explain.Finding
}

// Who says who is wrong.
type Who string

// Those who can be wrong.
const (
	WhoEager     Who = "eager"
	WhoCompiled  Who = "compiled"
	WhoBoth      Who = "both"
	WhoPrecision Who = "precision" // float64 has a finite result, the program's type has none
	WhoProgram   Who = "program"   // the operation has no finite result there in float64 either
	WhoUnknown   Who = "unknown"   // there is no reference to judge by
)

// Wrong judges comparisons. Kernels are those of the dump, if there is one.
func Wrong(list []explain.Comparison, kernels []Kernel) []Compared {
	out := []Compared{}
	for _, c := range list {
		made := Compared{
			Function: c.Function, Backend: c.Backend, Graphs: c.Graphs, LeftOut: c.LeftOut, NotFinite: c.NotFinite,
			Random: orEmpty(c.Random), Notes: orEmpty(c.Notes), Wrong: []WrongNumber{}, Unplaced: []explain.Measure{}, Explained: orEmpty(c.Explained),
		}
		for _, f := range c.Findings {
			w := WrongNumber{Who: who(f), Finding: f}
			for _, k := range kernels {
				if k.Compilation != f.CompileID || !computes(k, f) {
					continue
				}
				if !slices.Contains(w.Fused, k.Name) {
					w.Fused = append(w.Fused, k.Name)
				}
				for _, a := range k.Aten {
					if !slices.Contains(w.Aten, a) {
						w.Aten = append(w.Aten, a)
					}
				}
			}
			made.Wrong = append(made.Wrong, w)
		}
		// A program may mean an infinity that float64 has, too: what somebody does wrong comes first.
		slices.SortStableFunc(made.Wrong, func(a, b WrongNumber) int { return cmp.Compare(meant(a), meant(b)) })
		if len(made.Wrong) == 0 && len(c.Random) == 0 {
			for _, m := range c.Apart {
				if m.Difference == nil || len(c.Explained) == 0 {
					made.Unplaced = append(made.Unplaced, m)
				}
			}
		}
		made.Agree = len(made.Wrong) == 0 && len(made.Unplaced) == 0
		out = append(out, made)
	}
	return out
}

func meant(w WrongNumber) int {
	if w.Kind == "not finite" && w.Who == WhoProgram {
		return 1
	}
	return 0
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func computes(k Kernel, f explain.Finding) bool {
	if f.Pass != "" && k.Pass != "" && (k.Pass == "backward") != (f.Pass == "backward") {
		return false
	}
	return slices.ContainsFunc(f.Operations, func(o explain.Operation) bool { return slices.Contains(k.Sources, o.Node) })
}

// who judges by the float64 reference.
func who(f explain.Finding) Who {
	switch f.Kind {
	case "raises":
		return WhoCompiled
	case "derivative":
		return WhoProgram
	case "not finite":
		switch {
		case f.ReferenceFinite == nil:
			return WhoUnknown
		case *f.ReferenceFinite:
			return WhoPrecision
		}
		return WhoProgram
	}
	lost := slices.ContainsFunc(f.Operations, func(o explain.Operation) bool { return o.Node == f.Lost })
	for _, m := range f.Measures {
		if w := whoOf(m, lost); w != WhoUnknown {
			return w
		}
	}
	return WhoUnknown
}

func whoOf(m explain.Measure, lost bool) Who {
	if m.Result == "memory" || m.Missing || m.Extra || m.CompiledDType != "" || m.CompiledShape != nil {
		return WhoCompiled // Eager defines types, shapes and what is a view of what.
	}
	if lost {
		return WhoUnknown
	}
	var eager, compiled bool
	explained := 0.0
	if m.Explained != nil {
		explained = *m.Explained
	}
	switch {
	case m.EagerError != nil && m.CompiledError != nil:
		eager, compiled = *m.EagerError > explained, *m.CompiledError > explained
	case m.EagerUnlike != nil && m.CompiledUnlike != nil:
		eager, compiled = float64(*m.EagerUnlike) > explained, float64(*m.CompiledUnlike) > explained
	}
	switch {
	case eager && compiled:
		return WhoBoth
	case eager:
		return WhoEager
	case compiled:
		return WhoCompiled
	}
	return WhoUnknown
}
