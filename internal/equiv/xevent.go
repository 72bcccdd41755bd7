package equiv

import (
	"fmt"
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/pyc"
)

// An event is what the world may notice: an operation on things that are not
// wholly known. Both codes must have equal events in equal order.
type event struct {
	what     string // operation and all that is not an operand
	operands []*val
	at       int    // instruction
	quiet    bool   // cannot raise
	thrown   []*val // pushed before an exception, in which handlers then see it
	outs     []out
	named    string // what is known of results of kind rNamed
}

// out is one way an event may come out, apart from an exception. It brings new
// values, which are the same for both sides; each side puts them where its
// instruction does.
type out struct {
	results []rkind
	place   func(s *xside, r []*val)
}

// rkind says what is known of a result.
type rkind uint8

const (
	rSym      rkind = iota // nothing
	rBool                  // True or False
	rTuple                 // exactly a tuple
	rKeywords              // a new dict of keywords, see mergeKeywords
	rNamed                 // what event.named says, see looks
)

// stepper executes one instruction of one side. Whatever has no effect is done at
// once; at an event it stops unless it was told to perform it.
type stepper struct {
	c       *xconf
	s       *xside
	x       *bytecode.Instr
	perform bool

	ev      *event
	stopped bool   // at an event or at a branch
	cond    *val   // of the branch
	fail    string // the instruction is beyond us
}

func (r *stepper) failf(format string, args ...any) { r.fail = fmt.Sprintf(format, args...) }

// emit reports an event with the n topmost values as operands, popped, and the
// results pushed in their place.
func (r *stepper) emit(n int, what string, results ...rkind) {
	r.event(n, what, r.s.top(n), results...)
}

// event reports an event that pops n values.
func (r *stepper) event(n int, what string, operands []*val, results ...rkind) {
	r.outs(n, what, operands, out{results, func(s *xside, v []*val) {
		s.push(v...)
		s.goTo(s.pc + 1)
	}})
}

func (r *stepper) outs(n int, what string, operands []*val, outs ...out) {
	r.stopped = true
	if !r.perform {
		return
	}
	if n > len(r.s.stack) {
		r.failf("the stack is empty")
		return
	}
	operands = slices.Clone(operands)
	r.s.drop(n)
	r.ev = &event{what: what, operands: operands, at: r.s.pc, outs: outs}
	r.looks()
}

// quiet marks the event just reported as one that cannot raise.
func (r *stepper) quiet() {
	if r.ev != nil {
		r.ev.quiet = true
	}
}

// pure replaces the n topmost values by others, without any effect.
func (r *stepper) pure(n int, push ...*val) {
	if n > len(r.s.stack) {
		r.failf("the stack is empty")
		return
	}
	r.s.drop(n)
	r.s.push(push...)
	r.s.goTo(r.s.pc + 1)
}

// truth returns bool(v) if it is known or is v itself; else it reports the
// event of asking for it, at depth n, and returns nil. The instruction is run
// again afterwards and finds the answer in the place of v.
func (r *stepper) truth(n int) *val {
	v := r.c.known(r.s.peek(n))
	switch v.kind {
	case vConst:
		if t, ok := pyc.Truth(v.c); ok {
			return boolVal(t)
		}
	case vBool, vIs:
		return v
	case vTuple:
		if len(v.items) == 0 {
			return boolVal(false)
		}
		if !spliced(v.items) || len(v.items) > 1 && v.items[0].kind != vSplice {
			return boolVal(true)
		}
	case vSlice, vCell:
		return boolVal(true)
	case vRef:
		o := r.s.heap[v.id]
		switch {
		case o == nil:
		case o.kind == oFunc:
			return boolVal(true)
		case len(o.items) == 0:
			return boolVal(false)
		case !spliced(o.items):
			return boolVal(true)
		}
	case vNull, vMethod, vLasti, vTop, vUnbound, vMaybe:
		r.failf("the truth of %v", v)
		return nil
	}
	at := len(r.s.stack) - n
	r.outs(0, "truth", []*val{v}, out{[]rkind{rBool}, answer(at)})
	return nil
}

// answer puts the outcome of an event at place at of the stack and counts the
// phase up: the state before the event and the one after it must not be joined
// for being at the same instruction.
func answer(at int) func(*xside, []*val) {
	return func(s *xside, w []*val) {
		s.stack[at] = w[0]
		s.phase++
	}
}

// boolTop is truth for the instructions that, from 3.13, take an exact bool.
func (r *stepper) boolTop(n int) *val {
	v := r.c.known(r.s.peek(n))
	if !v.isBool() && !r.s.testsTruthInJump() {
		// The compiler knows that it is one: the outcome of comparing lengths,
		// say. We do not, and compare that both sides think so.
		at := len(r.s.stack) - n
		r.outs(0, "is bool", []*val{v}, out{[]rkind{rBool}, answer(at)})
		r.quiet()
		return nil
	}
	return r.truth(n)
}

// jump goes to one of two places by a condition; pops values are dropped on each.
func (r *stepper) jump(cond *val, ifTrue, ifFalse int, popTrue, popFalse int) {
	cond = r.c.known(cond)
	if cond.kind != vConst {
		r.stopped, r.cond = true, cond
		return
	}
	if cond.c == boolVal(true).c {
		r.s.drop(popTrue)
		r.s.goTo(ifTrue)
	} else {
		r.s.drop(popFalse)
		r.s.goTo(ifFalse)
	}
}

// is makes the value of "x is y".
func (r *stepper) is(x, y *val) *val {
	x, y = r.c.known(x), r.c.known(y)
	switch {
	case x.kind == vTop || y.kind == vTop || x.kind == vNull || y.kind == vNull || x.kind == vMethod || y.kind == vMethod:
	case x.kind == vRef && y.kind == vRef:
		return boolVal(x.id == y.id)
	case singleton(x) && singleton(y):
		return boolVal(constEqual(x.c, y.c, nil))
	case hostGlobal(x) || hostGlobal(y):
		if x.kind == vConst && y.kind == vConst && constEqual(x.c, y.c, nil) {
			return boolVal(true)
		}
	case x.kind == vConst && y.kind == vConst && !constEqual(x.c, y.c, sameCode):
		return boolVal(false)
	case x.kind == vConst && (y.kind == vTuple || y.kind == vSlice), y.kind == vConst && (x.kind == vTuple || x.kind == vSlice):
		return boolVal(false)
	case x.kind == vSym && y.kind == vSym && x.id == y.id:
		return boolVal(true)
	case x.kind == vRef && y.kind != vRef, y.kind == vRef && x.kind != vRef:
		return boolVal(false) // nobody else has it
	case x.kind == vSym && y.kind == vSym:
		if y.id < x.id {
			x, y = y, x
		}
		return &val{kind: vIs, items: []*val{x, y}}
	case x.kind == vSym && singleton(y):
		return &val{kind: vIs, items: []*val{x, y}}
	case y.kind == vSym && singleton(x):
		return &val{kind: vIs, items: []*val{y, x}}
	}
	r.failf("the identity of %v and %v", x, y)
	return nil
}

// isLiteral reports whether "x is y" asks whether a value from outside is a literal of the code: `x is 2`. Both codes
// have such an object of their own, so that what it comes to is for the interpreter to say.
func (r *stepper) isLiteral(x, y *val) bool {
	literal := func(v *val) bool { return v.kind == vConst && !singleton(v) && !hostGlobal(v) }
	return x.kind == vSym && literal(y) || literal(x) && y.kind == vSym
}

// pushBool pushes the outcome of a test, negated if neg.
func pushBool(neg bool) func(*xside, []*val) {
	return func(s *xside, w []*val) {
		if neg {
			w = []*val{w[0].not()}
		}
		s.push(w...)
		s.goTo(s.pc + 1)
	}
}

// hostGlobal reports whether v is a global of which only the name is known
// (Options.StableGlobal): two names may be one object.
func hostGlobal(v *val) bool {
	if v.kind != vConst {
		return false
	}
	o, ok := v.c.(*pyc.Opaque)
	return ok && o.ID < 0
}
