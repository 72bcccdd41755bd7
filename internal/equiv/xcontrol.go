package equiv

import (
	"slices"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// control handles tests, branches and iteration.
func (r *stepper) control() bool {
	s, x := r.s, r.x
	next := s.pc + 1
	switch x.Op {
	case opcode.Jump:
		s.goTo(x.Target)
	case opcode.ToBool:
		v := r.c.known(s.peek(1))
		if v.isBool() {
			r.pure(1, v)
		} else if t := r.truth(1); t != nil {
			r.pure(1, t)
		}
	case opcode.UnaryOp:
		if x.Arg != opcode.UnaryNot {
			r.emit(1, r.what(), rSym)
		} else if t := r.boolTop(1); t != nil {
			r.pure(1, t.not())
		}
	case opcode.PopJumpIfFalse, opcode.PopJumpIfTrue:
		if t := r.boolTop(1); t != nil {
			ifTrue, ifFalse := x.Target, next
			if x.Op == opcode.PopJumpIfFalse {
				ifTrue, ifFalse = next, x.Target
			}
			r.jump(t, ifTrue, ifFalse, 1, 1)
		}
	case opcode.PopJumpIfNone, opcode.PopJumpIfNotNone:
		if t := r.is(s.peek(1), noneVal); t != nil {
			ifTrue, ifFalse := x.Target, next
			if x.Op == opcode.PopJumpIfNotNone {
				ifTrue, ifFalse = next, x.Target
			}
			r.jump(t, ifTrue, ifFalse, 1, 1)
		}
	case opcode.JumpIfFalseOrPop, opcode.JumpIfTrueOrPop:
		r.jumpOrPop()
	case opcode.IsOp:
		if x.Arg&^1 != 0 {
			r.failf("IS_OP with operand %d", x.Arg)
		} else if r.isLiteral(s.peek(2), s.peek(1)) {
			r.outs(2, "IsOp", s.top(2), out{[]rkind{rBool}, pushBool(x.Arg == 1)})
			r.quiet()
		} else if t := r.is(s.peek(2), s.peek(1)); t != nil {
			if x.Arg == 1 {
				t = t.not()
			}
			r.pure(2, t)
		}
	case opcode.ContainsOp:
		if x.Arg&^1 != 0 {
			r.failf("CONTAINS_OP with operand %d", x.Arg)
			return true
		}
		r.outs(2, "ContainsOp", s.top(2), out{[]rkind{rBool}, pushBool(x.Arg == 1)})
	case opcode.Compare:
		if t := r.compareInts(); t != nil {
			r.pure(2, t)
		} else if s.phase == 0 {
			forced := x.Flag
			r.outs(2, r.what(), s.top(2), out{[]rkind{rSym}, func(s *xside, w []*val) {
				s.push(w...)
				if forced {
					s.phase = 1 // now for its truth
				} else {
					s.goTo(s.pc + 1)
				}
			}})
		} else if t := r.truth(1); t != nil {
			r.pure(1, t)
		}
	case opcode.MatchMapping, opcode.MatchSequence:
		r.event(0, r.what(), s.top(1), rBool)
	case opcode.MatchClass:
		if x.Flag {
			names, _ := s.sequence(r.c.known(s.peek(1)))
			r.taken(3, x.Arg+len(names))
		} else {
			r.emit(3, r.what(), rSym)
		}
	case opcode.MatchKeys:
		if x.Flag {
			keys, _ := s.sequence(r.c.known(s.peek(1)))
			r.taken(0, len(keys))
		} else {
			r.event(0, r.what(), s.top(2), rSym)
		}
	case opcode.GetIter, opcode.GetYieldFromIter:
		r.emit(1, r.what(), make([]rkind, max(x.Arg, 1))...)
	case opcode.ForIter:
		slots := max(x.Arg, 1)
		target := x.Target
		r.outs(0, "next", s.top(slots),
			out{[]rkind{rSym}, func(s *xside, w []*val) { s.push(w...); s.goTo(s.pc + 1) }},
			out{nil, func(s *xside, w []*val) { s.drop(slots); s.goTo(target) }})
	case opcode.Send:
		target, flag := x.Target, x.Flag
		slots := max(x.Arg, 1)
		r.outs(1, "Send", s.top(slots+1),
			out{[]rkind{rSym}, func(s *xside, w []*val) { s.push(w...); s.goTo(s.pc + 1) }},
			out{[]rkind{rSym}, func(s *xside, w []*val) {
				if flag {
					s.drop(slots)
				}
				s.push(w...)
				s.goTo(target)
			}})
	case opcode.CleanupThrow:
		slots := max(x.Arg, 1)
		r.outs(slots+2, "CleanupThrow", s.top(slots+2), out{[]rkind{rSym}, func(s *xside, w []*val) {
			for range slots {
				s.push(noneVal)
			}
			s.push(w...)
			s.goTo(s.pc + 1)
		}})
	case opcode.Yield:
		r.emit(1, r.what(), rSym)
		if r.ev != nil {
			// throw() sends None first.
			r.ev.thrown = []*val{noneVal}
		}
	case opcode.Return:
		if len(s.stack) == 0 {
			r.failf("the stack is empty")
			return true
		}
		if s.v.HasLoopBlocks() && len(s.blocks) > 0 {
			value := s.peek(1)
			s.drop(1)
			r.unwind(mark(markReturn, 0), value)
			return true
		}
		if !r.leavesOwn() {
			r.outs(1, "return", s.top(1))
			r.quiet()
		}
	case opcode.Raise:
		if x.Arg == 0 && s.cur.kind == vSym && s.cur.name == caughtName {
			// `raise` in a handler is what RERAISE is at its end.
			if why := s.raise(s.cur, s.pc); why != "" {
				r.failf("%s", why)
			}
			return true
		}
		r.emit(x.Arg, r.what())
		if r.ev != nil {
			r.ev.outs = nil // it always raises
		}
	default:
		return false
	}
	return true
}

// jumpOrPop handles JUMP_IF_x_OR_POP: the object itself may stay, so that its
// truth is kept above it until the branch is taken.
func (r *stepper) jumpOrPop() {
	s, x := r.s, r.x
	onTrue := x.Op == opcode.JumpIfTrueOrPop
	if s.phase == 0 {
		v := r.c.known(s.peek(1))
		if !v.isBool() {
			s.push(v) // asked for in the place of the copy
			t := r.truth(1)
			if t == nil {
				// An event, or a failure: as long as nothing was performed the
				// copy must not stay.
				if r.ev != nil {
					r.ev.outs[0].place = func(s *xside, w []*val) {
						s.push(w...)
						s.phase = 1
					}
				}
				s.drop(1)
				return
			}
			s.drop(1)
			v = t
		}
		s.push(v)
		s.phase = 1
		return
	}
	keep, pop := x.Target, s.pc+1
	if onTrue {
		r.jump(s.peek(1), keep, pop, 1, 2)
	} else {
		r.jump(s.peek(1), pop, keep, 2, 1)
	}
}

// compareInts carries out a comparison of two small integers that are known: it calls
// nothing that a program could have put there.
func (r *stepper) compareInts() *val {
	if r.s.phase != 0 || len(r.s.stack) < 2 {
		return nil
	}
	x, y := r.c.known(r.s.peek(2)), r.c.known(r.s.peek(1))
	if x.kind != vConst || y.kind != vConst {
		return nil
	}
	i, ok1 := x.c.(pyc.Int)
	j, ok2 := y.c.(pyc.Int)
	if !ok1 || !ok2 {
		return nil
	}
	k := i.Big.Cmp(j.Big)
	switch r.x.Arg {
	case opcode.Lt:
		return boolVal(k < 0)
	case opcode.Le:
		return boolVal(k <= 0)
	case opcode.Eq:
		return boolVal(k == 0)
	case opcode.Ne:
		return boolVal(k != 0)
	case opcode.Gt:
		return boolVal(k > 0)
	case opcode.Ge:
		return boolVal(k >= 0)
	}
	return nil
}

// taken reports the event of a pattern that takes so many items from its subject, as a tuple below a bool (3.10).
func (r *stepper) taken(pops, items int) {
	n := pops
	if n == 0 {
		n = 2
	}
	if items > mostTaken {
		r.event(pops, r.what(), r.s.top(n), rSym, rBool)
		return
	}
	results := make([]rkind, items+1)
	results[items] = rBool
	r.outs(pops, r.what(), r.s.top(n), out{results, func(s *xside, w []*val) {
		s.push(tupleOf(slices.Clone(w[:items])), w[items])
		s.goTo(s.pc + 1)
	}})
}

// mostTaken bounds the items that a class or a mapping is told apart into.
const mostTaken = 100
