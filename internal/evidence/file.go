package evidence

import (
	"cmp"
	"strings"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// What is looked at of a file: enough of it tells.
const (
	enoughStarts = 400
	enoughInstrs = 40_000
)

// Source is what is the same in all of a file.
type Source struct {
	Indentation Indentation
	Spacing     Spacing
}

// Judge looks at the code objects of a file, which it has decoded as far as it needs them: a small function alone may have
// a single depth, of which nothing follows.
func Judge(code *pyc.Code, decode func(*pyc.Code) (*bytecode.Func, error)) Source {
	if code.Version.HasColumns() {
		return Source{Indentation: indentation(code, decode)}
	}
	return Source{Indented(nil, 4), spacing(code, decode)}
}

func indentation(code *pyc.Code, decode func(*pyc.Code) (*bytecode.Func, error)) Indentation {
	starts := map[int]int{}
	found, read, widest := 0, 0, 8
	eachCode(code, func(c *pyc.Code, depth int) bool {
		if f, err := decode(c); err == nil {
			read += len(f.Instrs)
			if n, first := countStarts(f, starts); n > 0 && depth > 0 {
				found += n
				widest = min(widest, max(first/depth, 1))
			}
		}
		return found < enoughStarts && read < enoughInstrs
	})
	return Indented(starts, widest)
}

// spacing is what the lines of all functions tell.
func spacing(code *pyc.Code, decode func(*pyc.Code) (*bytecode.Func, error)) (s Spacing) {
	read := 0
	eachCode(code, func(c *pyc.Code, _ int) bool {
		if !c.IsFunction() || strings.HasPrefix(c.Name, "<") {
			return true
		}
		if f, err := decode(c); err == nil {
			read += len(f.Instrs)
			countGaps(f, &s)
		}
		return read < enoughInstrs
	})
	return s
}

// eachCode calls f on the code objects of a file, from the outside in, with how many definitions are around its statements,
// until f says that this is enough.
func eachCode(code *pyc.Code, f func(c *pyc.Code, depth int) (more bool)) {
	type inner struct {
		code  *pyc.Code
		depth int
	}
	work, seen := []inner{{code: code}}, map[*pyc.Code]bool{}
	if code.Name != "<module>" {
		work[0].depth = 1
	}
	for len(work) > 0 {
		c, depth := work[0].code, work[0].depth
		work = work[1:]
		if seen[c] {
			continue
		}
		seen[c] = true
		if !f(c, depth) {
			return
		}
		for _, k := range c.Consts {
			if k, ok := k.(*pyc.Code); ok {
				work = append(work, inner{k, depth + 1})
			}
		}
	}
}

// countStarts counts the columns of the instructions that begin, or are, a whole statement and are the first of their line; least is
// the first of these columns that is not 0.
func countStarts(f *bytecode.Func, starts map[int]int) (found, least int) {
	first := map[int32]int32{}
	line, col := int32(-1), int32(0) // of the last one: most of a line's instructions stand together
	for i := range f.Instrs {
		p := &f.Instrs[i].Pos
		if p.Line <= 0 || p.Col < 0 || p.Line == line && p.Col >= col {
			continue
		}
		if c, known := first[p.Line]; !known || p.Col < c {
			first[p.Line] = p.Col
		}
		line, col = p.Line, first[p.Line]
	}
	for i := range f.Instrs {
		in := &f.Instrs[i]
		if i > 1 && in.Pos.Line > 0 && wholeStatement(f.Instrs[i-2:]) && in.Pos.Col == first[in.Pos.Line] {
			starts[int(in.Pos.Col)]++
			first[in.Pos.Line] = -1 // once for each line
			if c := int(in.Pos.Col); c > 0 {
				found++
				least = min(cmp.Or(least, c), c)
			}
		}
	}
	return found, least
}

// wholeStatement reports whether the third of some instructions, the first of its line, stands where a statement begins: it stores to
// the one target of an assignment or returns, and what it takes stands behind; it imports; or it drops the value of a call, which is
// wider than what is called, as a call of a with statement's is not.
func wholeStatement(list []bytecode.Instr) bool {
	before, in := &list[1], &list[2]
	behind := before.Pos.Line == in.Pos.Line && before.Pos.Col > in.Pos.Col || before.Pos.Line > in.Pos.Line
	switch in.Op {
	case opcode.StoreFast, opcode.StoreName, opcode.StoreGlobal, opcode.StoreDeref:
		one := len(list) == 3 || list[3].Pos != in.Pos
		return behind && one && before.Op != opcode.ForIter && before.Op != opcode.UnpackSequence && before.Op != opcode.UnpackEx
	case opcode.Return:
		return behind
	case opcode.Pop:
		return before.Op == opcode.Call && before.Pos == in.Pos && list[0].Pos != in.Pos
	case opcode.ImportName:
		return true
	}
	return false
}
