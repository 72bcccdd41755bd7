package decompile

import (
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// spacing is what the lines of all functions of a file tell of how it is spaced. Only where
// there are no columns (≤3.10) does anyone ask.
func spacing(code *pyc.Code) (s pyast.Spacing) {
	if code.Version.HasColumns() {
		return s
	}
	read := 0
	eachCode(code, func(c *pyc.Code, _ int) bool {
		if !c.IsFunction() || strings.HasPrefix(c.Name, "<") {
			return true
		}
		if f, err := bytecode.Decode(c); err == nil {
			read += len(f.Instrs)
			countGaps(f, &s)
		}
		return read < enoughInstrs
	})
	return s
}

// countGaps counts the gaps between the line of each `return` and `raise` and the next line. The last line of a function is
// left out: it is what an `else:` most often stands in front of.
func countGaps(f *bytecode.Func, s *pyast.Spacing) {
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

// deadEnd reports whether a function ends with a `return None` that is never reached. The compiler adds one where the last
// statement is no `return`, and an `if` with an else clause is none, though both arms leave (≤3.9; later it is taken out).
func deadEnd(f *bytecode.Func) bool {
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
