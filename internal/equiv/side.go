package equiv

import (
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// side is one of the two codes while they are walked.
type side struct {
	fn  *bytecode.Func
	in  []bytecode.Instr
	exc []int32 // row of fn.Handlers for each instruction, -1 for none; nil when the code has no table
	v   pyc.Version

	depth   []int // see depths
	noDepth bool

	untaken map[int]bool // see untakenEdges
}

func newSide(fn *bytecode.Func) *side {
	s := &side{fn: fn, in: fn.Instrs, v: fn.Code.Version}
	if s.v.SharesFinallyBody() {
		s.untaken = untakenEdges(fn)
	}
	if len(fn.Handlers) == 0 {
		return s
	}
	s.exc = make([]int32, len(s.in))
	for i := range s.exc {
		s.exc[i] = -1
	}
	// CPython takes the first row that covers the instruction.
	for row := len(fn.Handlers) - 1; row >= 0; row-- {
		h := &fn.Handlers[row]
		for i := max(h.Start, 0); i < h.End && i < len(s.exc); i++ {
			s.exc[i] = int32(row)
		}
	}
	return s
}

// handler returns the exception table's row for instruction i, or nil.
func (s *side) handler(i int) *bytecode.Handler {
	if s.exc == nil || i >= len(s.exc) || s.exc[i] < 0 {
		return nil
	}
	return &s.fn.Handlers[s.exc[i]]
}

// offset is instruction i's byte offset, for messages; the end of the code has
// none.
func (s *side) offset(i int) int {
	if i < 0 {
		i = ^i
	}
	if i < len(s.in) {
		return s.in[i].Offset
	}
	return -1
}

// testsTruthInJump says that POP_JUMP_IF_* tests the truth of any object. From
// 3.13 it takes an exact bool, which a TO_BOOL in front makes.
func (s *side) testsTruthInJump() bool { return !s.v.JumpsTestBools() }

// checksEveryLoad says that LOAD_FAST raises if the variable is unbound. From
// 3.12 only LOAD_FAST_CHECK does, which the compiler uses where it cannot prove
// that the variable is bound.
func (s *side) checksEveryLoad() bool { return s.v.ChecksEveryLoad() }

// startsWithSent says that a generator begins with the None that the first send
// pushes, for GEN_START to pop (3.10). Before, nothing is pushed then; after,
// RETURN_GENERATOR takes care of it.
func (s *side) startsWithSent() bool {
	return s.v.HasGenStart() && s.fn.Code.Flags&(pyc.FlagGenerator|pyc.FlagCoroutine|pyc.FlagAsyncGenerator) != 0
}

// describe names instruction i for a message.
func (s *side) describe(i int) string {
	switch {
	case i < 0:
		return "an endless loop"
	case i >= len(s.in):
		return "the end of the code"
	}
	x := &s.in[i]
	var b strings.Builder
	b.WriteString(x.Op.String())
	if x.Name != "" {
		b.WriteString(" " + x.Name)
	}
	if x.Const != nil {
		fmt.Fprintf(&b, " %.60s", constText(x.Const))
	}
	if !argIgnored[x.Op] && x.Arg != 0 {
		fmt.Fprintf(&b, "(%d)", x.Arg)
	}
	fmt.Fprintf(&b, " at %d", x.Offset)
	if x.Pos.Line > 0 {
		fmt.Fprintf(&b, " line %d", x.Pos.Line)
	}
	return b.String()
}

// hang is how skip reports an endless empty loop that contains jump i.
func hang(i int) int { return ^i }

// skip goes from instruction i to the first one that does something, through
// NOPs and jumps, over constants that are popped at once, and through branches
// on constants, which some compilers leave in place and others fold. It returns
// len(s.in) when the code ends and a negative number, see hang, when an empty
// loop never does.
func (s *side) skip(i int) int {
	for steps := 0; i >= 0 && i < len(s.in); steps++ {
		if steps > len(s.in) {
			return s.hangAt(i)
		}
		switch s.in[i].Op {
		case opcode.Nop, opcode.Resume:
			i++
		case opcode.Jump:
			i = s.in[i].Target
		case opcode.LoadConst:
			next, ok := s.constBranch(i)
			if !ok {
				return i
			}
			i = next
		default:
			return i
		}
	}
	if i < 0 {
		return len(s.in)
	}
	return i
}

// hangAt picks the loop's first instruction in layout order, so that the same
// loop is the same place however it was entered.
func (s *side) hangAt(i int) int {
	lowest := i
	for range s.in {
		switch s.in[i].Op {
		case opcode.Jump:
			i = s.in[i].Target
		case opcode.LoadConst:
			i, _ = s.constBranch(i)
		default:
			i++
		}
		lowest = min(lowest, i)
	}
	return hang(lowest)
}

// constBranch recognises, at a LoadConst, a constant that is only popped or only
// branched on, and returns where control goes. A branch may leave it for the next one:
// of `a or 1 and b` the jump behind 1 leads to the test of what it has left. Which of these
// jumps are folded depends on the lines that they are on.
func (s *side) constBranch(i int) (next int, ok bool) {
	truth, known := pyc.Truth(s.in[i].Const)
	if !known {
		return 0, false
	}
	_, isBool := s.in[i].Const.(pyc.Bool)
	isBool = isBool || s.testsTruthInJump()
	for k, steps := i+1, 0; k >= 0 && k < len(s.in) && steps <= len(s.in); steps++ {
		x := &s.in[k]
		switch x.Op {
		case opcode.Nop:
			k++
		case opcode.Jump:
			k = x.Target
		case opcode.Pop:
			return k + 1, true
		case opcode.JumpIfFalseOrPop, opcode.JumpIfTrueOrPop:
			if truth != (x.Op == opcode.JumpIfTrueOrPop) {
				return k + 1, true
			}
			k = x.Target
		case opcode.ToBool:
			isBool = true
			k++
		case opcode.PopJumpIfFalse, opcode.PopJumpIfTrue:
			if !isBool {
				return 0, false // not valid code: leave it as it is
			}
			if truth == (x.Op == opcode.PopJumpIfTrue) {
				return x.Target, true
			}
			return k + 1, true
		case opcode.Copy:
			// The copy is tested, and the constant stays.
			j := k + 1
			for j < len(s.in) && (s.in[j].Op == opcode.ToBool || s.in[j].Op == opcode.Nop) {
				j++
			}
			if x.Arg != 1 || j >= len(s.in) || s.in[j].Op != opcode.PopJumpIfFalse && s.in[j].Op != opcode.PopJumpIfTrue {
				return 0, false
			}
			k = j + 1
			if truth == (s.in[j].Op == opcode.PopJumpIfTrue) {
				k = s.in[j].Target
			}
		default:
			return 0, false
		}
	}
	return 0, false
}
