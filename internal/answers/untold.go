package answers

import (
	"slices"

	"github.com/thuml/depyf/internal/explain"
)

// Untold counts the recompilations that have been, and of which nothing says why. A function of which version 7 is known has
// been compiled again seven times, and one that has met a limit of 8 has eight versions, if a log has no word of the others.
func Untold(p *explain.Program) int {
	at := owners(p)
	told := map[*explain.Function]int{}
	for _, c := range p.Model.Compiles {
		if len(c.Recompile) > 0 && !refused(c) {
			told[at[c].function]++
		}
	}
	n := 0
	for _, f := range slices.Concat(p.Functions, p.Resumes) {
		n += max(0, Again(p, f)-told[f])
	}
	return n
}

// Again is how often a function has been compiled again: of a log, at least.
func Again(p *explain.Program, f *explain.Function) int {
	resets := map[int]bool{}
	for _, v := range f.Versions {
		_, after := explain.SplitCompileID(v.CompileID)
		resets[after] = true
	}
	return VersionsOf(p, f) - len(resets) // the first version after a reset takes no other's place
}

// VersionsOf is how many versions a function has had: of a log, at least.
func VersionsOf(p *explain.Program, f *explain.Function) int {
	n := len(f.Versions)
	if p.Model.Start.Log == "" || n == 0 {
		return n
	}
	n = f.Versions[n-1].Number + 1 // versions that a log has no word of are counted in it
	if f.Limit != nil {
		n = max(n, f.Limit.Outcome.Value)
	}
	return n
}

// refused reports whether a limit prevented a compilation.
func refused(c *explain.Compile) bool { return c.Outcome != nil && c.Outcome.Limit != "" }
