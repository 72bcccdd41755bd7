package equiv

import (
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// A test is a conditional branch with all that only serves it: the comparison
// in front, if that may be spelt in two ways, TO_BOOL and NOT in between, and,
// behind it, further tests of the same object whose outcome is thereby known.
//
//	a not in b; POP_JUMP_IF_FALSE L     is   a in b; POP_JUMP_IF_TRUE L
//	JUMP_IF_FALSE_OR_POP L … L: POP_JUMP_IF_FALSE M    is   POP_JUMP_IF_FALSE M
//	COPY 1; TO_BOOL; POP_JUMP_IF_FALSE L; POP_TOP      is   JUMP_IF_FALSE_OR_POP L
//
// Compilers choose among these by version, by line breaks (a jump is threaded
// only within one line) and by what happens to be adjacent.
type test struct {
	lead   opcode.Op // IsOp, ContainsOp, Compare, or Invalid: the top of the stack itself is tested
	cmp    int       // operator of Compare
	isNone bool      // the right operand of IsOp is None
	leadAt int       // the instruction that is lead, -1 for none
	// truthAt is the instruction that asks the object for its truth and may
	// raise; -1 if the object is a bool made by lead, or is taken for one.
	truthAt int
	// raw says that the object is taken for a bool without having been made one
	// here (3.13+, after a pattern match or exception match).
	raw bool
	out [2]outcome // by truth: false, true
}

// outcome is where a test leads, with or without the tested object on the stack.
type outcome struct {
	at   int
	kept bool
}

// leadsTest is the quick look at instruction i: might parseTest need to see it
// although the other side has an equal instruction?
func (s *side) leadsTest(i int) bool {
	switch s.in[i].Op {
	case opcode.JumpIfFalseOrPop, opcode.JumpIfTrueOrPop:
		return true
	case opcode.Copy:
		return s.in[i].Arg == 1 && s.testTail(i+1)
	case opcode.IsOp, opcode.ContainsOp, opcode.Compare:
		return s.testTail(i + 1)
	}
	return false
}

// testTail reports whether a branch on truth begins at i.
func (s *side) testTail(i int) bool {
	for ; i < len(s.in); i++ {
		x := &s.in[i]
		switch {
		case x.Op == opcode.Nop, x.Op == opcode.ToBool:
		case x.Op == opcode.UnaryOp && x.Arg == opcode.UnaryNot:
		case x.Op == opcode.PopJumpIfFalse, x.Op == opcode.PopJumpIfTrue:
			return true
		case x.Op == opcode.JumpIfFalseOrPop, x.Op == opcode.JumpIfTrueOrPop:
			return true
		default:
			return false
		}
	}
	return false
}

// parseTest reads the test that begins at instruction i.
func (s *side) parseTest(i int) (t test, ok bool) {
	t.leadAt, t.truthAt = -1, -1
	neg := false
	x := &s.in[i]
	isBool := false // the tested object is an exact bool by now
	switch x.Op {
	case opcode.PopJumpIfNone, opcode.PopJumpIfNotNone:
		t.lead, t.isNone, t.leadAt = opcode.IsOp, true, i
		t.branch(x.Op == opcode.PopJumpIfNone, x.Target, false, i+1, false)
		return t, true
	case opcode.LoadConst:
		if _, none := x.Const.(pyc.None); !none {
			return t, false
		}
		k := s.skip(i + 1)
		if k < 0 || k >= len(s.in) || s.in[k].Op != opcode.IsOp || s.in[k].Arg&^1 != 0 {
			return t, false
		}
		t.lead, t.isNone, t.leadAt, neg, isBool = opcode.IsOp, true, k, s.in[k].Arg == 1, true
		i = k + 1
	case opcode.IsOp, opcode.ContainsOp:
		if x.Arg != 0 && x.Arg != 1 {
			return t, false
		}
		t.lead, t.leadAt, neg, isBool = x.Op, i, x.Arg == 1, true
		i++
	case opcode.Compare:
		// Whether COMPARE_OP makes a bool or TO_BOOL behind it does is the same.
		t.lead, t.cmp, t.leadAt, isBool = x.Op, x.Arg, i, x.Flag
		if x.Flag {
			t.truthAt = i
		}
		i++
	}
	kept := false
	for steps := 0; ; steps++ {
		if steps > len(s.in) {
			return t, false
		}
		if i = s.skip(i); i < 0 || i >= len(s.in) {
			return t, false
		}
		x := &s.in[i]
		switch x.Op {
		case opcode.Copy:
			// The copy is tested, the object stays. A copy is taken once, and
			// before anything has been made of the object.
			if kept || x.Arg != 1 || isBool || t.lead != opcode.Invalid {
				return t, false
			}
			kept = true
			i++
		case opcode.ToBool:
			if !isBool {
				t.truthAt, isBool = i, true
			}
			i++
		case opcode.UnaryOp:
			if x.Arg != opcode.UnaryNot {
				return t, false
			}
			if !isBool {
				if s.testsTruthInJump() {
					t.truthAt = i
				} else {
					t.raw = true
				}
				isBool = true
			}
			neg = !neg
			i++
		case opcode.PopJumpIfFalse, opcode.PopJumpIfTrue, opcode.JumpIfFalseOrPop, opcode.JumpIfTrueOrPop:
			if !isBool {
				if s.testsTruthInJump() {
					t.truthAt = i
				} else {
					t.raw = true
				}
			}
			orPop := x.Op == opcode.JumpIfFalseOrPop || x.Op == opcode.JumpIfTrueOrPop
			if orPop && (kept || isBool || t.lead != opcode.Invalid) {
				// What stays is then the result of lead or of NOT, not the
				// object below it: two instructions, not one test.
				return t, false
			}
			onTrue := (x.Op == opcode.PopJumpIfTrue || x.Op == opcode.JumpIfTrueOrPop) != neg
			t.branch(onTrue, x.Target, kept || orPop, i+1, kept)
			for truth := range t.out {
				t.out[truth] = s.thread(t.out[truth], truth == 1)
			}
			return t, true
		default:
			return t, false
		}
	}
}

// branch fills in where the test goes.
func (t *test) branch(onTrue bool, taken int, takenKept bool, next int, nextKept bool) {
	k := 0
	if onTrue {
		k = 1
	}
	t.out[k] = outcome{taken, takenKept}
	t.out[1-k] = outcome{next, nextKept}
}

// thread follows an outcome that leaves the tested object on the stack through
// tests of that same object, whose answer is known, and through a pop of it.
func (s *side) thread(o outcome, truth bool) outcome {
	for steps := 0; o.kept && steps <= len(s.in); steps++ {
		i := s.skip(o.at)
		if i < 0 || i >= len(s.in) {
			break
		}
		x := &s.in[i]
		switch x.Op {
		case opcode.Pop:
			return outcome{i + 1, false}
		case opcode.JumpIfFalseOrPop, opcode.JumpIfTrueOrPop:
			if truth == (x.Op == opcode.JumpIfTrueOrPop) {
				o.at = x.Target
				continue
			}
			return outcome{i + 1, false}
		case opcode.Copy, opcode.ToBool, opcode.UnaryOp, opcode.PopJumpIfFalse, opcode.PopJumpIfTrue:
			next, ok := s.known(i, truth)
			if !ok {
				return outcome{i, true}
			}
			if x.Op == opcode.Copy {
				o.at = next
				continue
			}
			return outcome{next, false}
		}
		return outcome{i, true}
	}
	return o
}

// known follows "[COPY 1] [TO_BOOL|NOT]* POP_JUMP_IF_x" for an object of known
// truth on top of the stack.
func (s *side) known(i int, truth bool) (next int, ok bool) {
	for steps := 0; steps <= len(s.in); steps++ {
		if i = s.skip(i); i < 0 || i >= len(s.in) {
			return 0, false
		}
		x := &s.in[i]
		switch {
		case x.Op == opcode.Copy && x.Arg == 1 && steps == 0:
		case x.Op == opcode.ToBool:
		case x.Op == opcode.UnaryOp && x.Arg == opcode.UnaryNot:
			truth = !truth
		case x.Op == opcode.PopJumpIfFalse || x.Op == opcode.PopJumpIfTrue:
			if truth == (x.Op == opcode.PopJumpIfTrue) {
				return x.Target, true
			}
			return i + 1, true
		default:
			return 0, false
		}
		i++
	}
	return 0, false
}
