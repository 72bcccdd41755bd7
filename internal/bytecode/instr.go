package bytecode

import (
	"sort"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// Instr is one decoded, version-free instruction. EXTENDED_ARG is folded,
// CACHE and PRECALL are gone, super-instructions are split (their parts share
// Offset and Pos).
type Instr struct {
	Op     opcode.Op
	Flag   bool      // see the Op's comment
	Raw    byte      // opcode number in the original
	RawArg int32     // operand in the original
	Arg    int       // meaning as the Op's comment says
	Name   string    // variable, attribute or module name
	Const  pyc.Const // LoadConst, KwNames
	Target int       // index of the instruction jumped to; -1 when Op does not jump
	Offset int       // byte offset of the instruction itself, after its EXTENDED_ARGs
	Pos    Pos
}

// Pos is a source range, as CPython's location table gives it. Lines count
// from 1; columns are UTF-8 byte offsets from 0. -1 means unknown: before 3.11
// only Line is known.
type Pos struct{ Line, EndLine, Col, EndCol int32 }

// Within reports whether p lies within q and is not the same; both are known to the column.
func (p Pos) Within(q Pos) bool {
	if p == q || p.Line <= 0 || p.Col < 0 || q.Line <= 0 || q.Col < 0 {
		return false
	}
	begins := q.Line < p.Line || q.Line == p.Line && q.Col <= p.Col
	return begins && (q.EndLine > p.EndLine || q.EndLine == p.EndLine && q.EndCol >= p.EndCol)
}

// NoPos is the position of an instruction that belongs to no source line.
var NoPos = Pos{-1, -1, -1, -1}

// Handler is one row of the exception table (3.11+): instructions
// [Start, End) jump to Target on an exception, with the stack cut to Depth and
// the instruction's offset pushed if Lasti, then the exception.
//
// In 3.15 the handler around a generator expression's body has a Depth that
// counts the iterator, and covers the return behind the loop too, where the
// iterator is gone: that edge is never taken.
type Handler struct {
	Start, End, Target int // instruction indices
	Depth              int
	Lasti              bool
}

// Func is a decoded code object.
type Func struct {
	Code     *pyc.Code
	Instrs   []Instr
	Handlers []Handler
}

// Index returns the number of the first instruction at offset or behind it.
func (f *Func) Index(offset int) int {
	return sort.Search(len(f.Instrs), func(i int) bool { return f.Instrs[i].Offset >= offset })
}

// EndsAt reports whether the instruction at an offset is the last one.
func (f *Func) EndsAt(offset int) bool { return f.Instrs[len(f.Instrs)-1].Offset == offset }

// Captures reports whether a LOAD_CLOSURE takes a cell for a function, rest being what is
// behind it: a tuple of cells stands in front of the function's code. From 3.12 on the
// instruction may as well read the variable that an inlined comprehension has in the slot
// of a cell: both are LOAD_FAST.
func Captures(rest []Instr) bool {
	cells := 1
	for i := range rest {
		switch in := &rest[i]; in.Op {
		case opcode.Nop:
		case opcode.LoadClosure:
			cells++
		case opcode.BuildTuple:
			return cells <= in.Arg && takesCode(rest[i+1:])
		default:
			return false
		}
	}
	return false
}

// takesCode reports whether the instructions begin by loading a code object.
func takesCode(instrs []Instr) bool {
	for i := range instrs {
		if instrs[i].Op == opcode.Nop {
			continue
		}
		_, ok := instrs[i].Const.(*pyc.Code)
		return ok && instrs[i].Op == opcode.LoadConst
	}
	return false
}
