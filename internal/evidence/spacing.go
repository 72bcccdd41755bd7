package evidence

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// Spacing says how many statements of a file stand right below a `return` or `raise`, and how
// many leave one line between: a blank one, a comment or an `else:`.
type Spacing struct{ Tight, Loose int }

// countGaps counts the gaps between the line of each `return` and `raise` and the next line. The last line of a function is
// left out: it is what an `else:` most often stands in front of.
func countGaps(f *bytecode.Func, s *Spacing) {
	leaves := map[int32]bool{}
	var lines []int32
	for i := range f.Instrs {
		in := &f.Instrs[i]
		if in.Pos.Line <= 0 {
			continue
		}
		lines = append(lines, in.Pos.Line)
		if in.Op == opcode.Return || in.Op == opcode.Raise {
			leaves[in.Pos.Line] = true
		}
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	for i := 1; i < len(lines)-1; i++ {
		if !leaves[lines[i-1]] {
			continue
		}
		switch lines[i] - lines[i-1] {
		case 1:
			s.Tight++
		case 2:
			s.Loose++
		}
	}
}

// DeadEnd reports whether a function ends with a `return None` that is never reached. The compiler adds one where the last
// statement is no `return`, and an `if` with an else clause is none, though both arms leave (≤3.9; later it is taken out).
func DeadEnd(f *bytecode.Func) bool {
	n := len(f.Instrs)
	if n < 3 || f.Code.Version.DeadCodeRemoved() || f.Instrs[n-1].Op != opcode.Return || f.Instrs[n-2].Op != opcode.LoadConst || f.Instrs[n-3].Op.FallsThrough() {
		return false
	}
	if _, none := f.Instrs[n-2].Const.(pyc.None); !none {
		return false
	}
	for i := range f.Instrs {
		if f.Instrs[i].Target >= n-2 {
			return false
		}
	}
	return true
}
