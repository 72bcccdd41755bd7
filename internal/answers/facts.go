package answers

import (
	"sync"

	"github.com/thuml/depyf/internal/explain"
)

// Facts are the answers for one linked model. Each is found when it is first asked for, and once: the
// page, the index and the commands show the same ones.
type Facts struct {
	Program    *explain.Program
	Causes     func() []Cause     // of recompilations
	BreakLines func() []BreakLine // lines that break the graph
	Spent      func() []Spent     // compile time by function
	Kernels    func() []Kernel
	Sources    func() []Source
	GuardSets  func() []GuardSet
	Guards     func() GuardBudget
	Exports    func() []Exported // calls of torch.export
	Wrong      func() []Compared // comparisons of eager and compiled results
	CUDAGraphs func() []WithoutCUDAGraphs
	Session    func() *Session // all of it
}

// For answers for a linked model.
func For(p *explain.Program) *Facts {
	f := &Facts{
		Program:    p,
		Causes:     sync.OnceValue(func() []Cause { return Causes(p) }),
		BreakLines: sync.OnceValue(func() []BreakLine { return BreakLines(p) }),
		Spent:      sync.OnceValue(func() []Spent { return TimeSpent(p) }),
		GuardSets:  sync.OnceValue(func() []GuardSet { return GuardSets(p) }),
		Kernels:    sync.OnceValue(func() []Kernel { return Kernels(p) }),
		Exports:    sync.OnceValue(func() []Exported { return Exports(p) }),
		CUDAGraphs: sync.OnceValue(func() []WithoutCUDAGraphs { return CUDAGraphs(p) }),
	}
	f.Guards = sync.OnceValue(func() GuardBudget { return BudgetOf(f.GuardSets()) })
	f.Wrong = sync.OnceValue(func() []Compared {
		if len(p.Model.Comparisons) == 0 { // most sessions: finding the kernels takes long
			return Wrong(nil, nil)
		}
		return Wrong(p.Model.Comparisons, f.Kernels())
	})
	f.Sources = sync.OnceValue(func() []Source { return Sources(p, f.Causes(), f.Kernels()) })
	f.Session = sync.OnceValue(func() *Session { return whole(f) })
	return f
}
