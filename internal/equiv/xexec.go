package equiv

import (
	"fmt"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// generic are the operations about which nothing more needs to be known than their
// effect on the stack. All of them are effects.
var generic = setOf(
	opcode.LoadName, opcode.StoreName, opcode.DeleteName, opcode.LoadGlobal, opcode.StoreGlobal,
	opcode.DeleteGlobal, opcode.LoadDeref, opcode.StoreDeref, opcode.DeleteDeref, opcode.LoadClassDeref,
	opcode.LoadFromDictOrDeref, opcode.LoadFromDictOrGlobals, opcode.LoadLocals, opcode.LoadBuildClass,
	opcode.SetupAnnotations, opcode.LoadCommon, opcode.MakeCell, opcode.LoadAttr, opcode.StoreAttr,
	opcode.DeleteAttr, opcode.BinaryOp, opcode.StoreSubscr, opcode.DeleteSubscr, opcode.BuildTemplate,
	opcode.ConvertValue, opcode.FormatSimple, opcode.FormatWithSpec, opcode.CheckEgMatch, opcode.GetLen,
	opcode.CopyDictWithoutKeys, opcode.PrepReraiseStar, opcode.ReturnGenerator, opcode.YieldFrom,
	opcode.GetAwaitable, opcode.GetAiter, opcode.GetAnext, opcode.AsyncGenWrap, opcode.StopIterationError,
	opcode.BeforeWith, opcode.BeforeAsyncWith, opcode.ImportName, opcode.ImportFrom, opcode.ImportStar,
	opcode.PrintExpr, opcode.Intrinsic1, opcode.Intrinsic2,
)

// what names the operation of an event by all that is not an operand.
func (r *stepper) what() string {
	s := r.x.Op.String()
	if r.x.Name != "" {
		s += " " + r.x.Name
	}
	if !argIgnored[r.x.Op] && r.x.Arg != 0 {
		s += fmt.Sprintf("(%d)", r.x.Arg)
	}
	return s
}

// step executes the instruction at the side's pc.
func (r *stepper) step() {
	s := r.s
	if s.pc == propagating {
		r.outs(0, "the exception leaves", []*val{s.exc})
		r.quiet()
		return
	}
	if s.pc == hanging {
		r.outs(0, "nothing more, and no end", nil)
		r.quiet()
		return
	}
	if s.pc < 0 || s.pc >= len(s.in) {
		r.failf("the code ends")
		return
	}
	if s.returning {
		if r.leavesOwn() {
			return
		}
		r.outs(1, "return", s.top(1))
		r.quiet()
		return
	}
	r.x = &s.in[s.pc]
	switch {
	case r.move(), r.cells(), r.variables(), r.aggregates(), r.elements(), r.calls(), r.shared(), r.control(), r.exceptions():
		return
	}
	g, ok := r.x.Op.Effect()
	if !ok || !generic[r.x.Op] {
		r.failf("%v is not understood", r.x.Op)
		return
	}
	operands := s.top(g.Reach())
	if operands == nil && g.Reach() > 0 {
		r.failf("the stack is empty")
		return
	}
	r.event(g.Pop, r.what(), operands, make([]rkind, g.Push)...)
}

// move handles what only moves values.
func (r *stepper) move() bool {
	s, x := r.s, r.x
	n := x.Arg
	switch x.Op {
	case opcode.Nop, opcode.Resume, opcode.CopyFreeVars, opcode.EndFor:
		if x.Op == opcode.EndFor || x.Op == opcode.CopyFreeVars && s.pc >= s.entry {
			r.failf("%v is reached", x.Op)
			return true
		}
		s.goTo(s.pc + 1)
	case opcode.Pop:
		if v := s.peek(1); v.kind == vNull { // half a method may go: see the end of "with" in 3.14
			r.failf("%v is popped", v)
			return true
		}
		r.pure(1)
	case opcode.Copy:
		if n < 1 || n > len(s.stack) || maybeNull(s.peek(n)) {
			r.failf("%v is copied", s.peek(n))
			return true
		}
		r.pure(0, s.peek(n))
	case opcode.Swap:
		if n < 1 || n > len(s.stack) {
			r.failf("the stack is empty")
			return true
		}
		k := len(s.stack)
		s.stack[k-1], s.stack[k-n] = s.stack[k-n], s.stack[k-1]
		s.goTo(s.pc + 1)
	case opcode.Rot:
		if n < 1 || n > len(s.stack) {
			r.failf("the stack is empty")
			return true
		}
		t := s.top(n)
		last := t[n-1]
		copy(t[1:], t[:n-1])
		t[0] = last
		s.goTo(s.pc + 1)
	case opcode.PushNull:
		r.pure(0, nullVal)
	case opcode.LoadConst:
		r.pure(0, constVal(x.Const))
	case opcode.GenStart:
		r.pure(1) // what startsWithSent put there
	case opcode.PopIter:
		r.pure(x.Arg)
	case opcode.EndSend:
		r.pure(x.Arg+1, s.peek(1))
	case opcode.KwNames:
		t, _ := x.Const.(pyc.Tuple)
		s.kw = nil
		for _, c := range t {
			name, ok := c.(pyc.Str)
			if !ok {
				r.failf("keyword names that are no strings")
				return true
			}
			s.kw = append(s.kw, string(name))
		}
		s.goTo(s.pc + 1)
	default:
		return false
	}
	return true
}

// maybeNull reports whether a stack slot may hold NULL, which only calls,
// exchanges and the end of an inlined comprehension can live with.
func maybeNull(v *val) bool { return v.kind == vNull || v.kind == vMethod }

// variables handles local variables, which are nobody's business.
func (r *stepper) variables() bool {
	s, x := r.s, r.x
	switch op := x.Op; op {
	case opcode.LoadFast, opcode.DeleteFast:
		name := s.fast(x)
		v := s.locals[name]
		checked := s.checked(x) || x.Op != opcode.LoadFast
		switch {
		case v == nil && checked:
			r.outs(0, "unbound "+name, nil) // raises, and that is all
		case v == nil || v.kind == vMaybe && !checked:
			r.failf("%s may be unbound and is not checked", name)
		case v.kind == vMaybe:
			kinds := []rkind{rSym}
			named := lookerName(v)
			if named != "" {
				kinds[0] = rNamed
			}
			if op == opcode.DeleteFast {
				kinds = nil
			}
			r.outs(0, "is bound "+name, []*val{v}, out{kinds, func(s *xside, w []*val) {
				if len(w) == 0 {
					delete(s.locals, name)
				} else {
					s.locals[name] = w[0]
					s.push(w[0])
				}
				s.goTo(s.pc + 1)
			}})
			if r.ev != nil {
				r.ev.named = named
			}
		case op == opcode.DeleteFast:
			delete(s.locals, name)
			s.goTo(s.pc + 1)
		default:
			r.pure(0, v)
		}
	case opcode.LoadFastAndClear:
		v := s.locals[s.fast(x)]
		if v == nil {
			v = clearedVal
		}
		delete(s.locals, s.fast(x))
		r.pure(0, v)
	case opcode.StoreFast:
		v := s.peek(1)
		switch {
		case v.kind == vNull:
			delete(s.locals, s.fast(x)) // NULL is what an unbound variable holds
		case maybeNull(v):
			r.failf("%v is stored", v)
			return true
		default:
			s.locals[s.fast(x)] = v
		}
		r.pure(1)
	case opcode.LoadAttr:
		// The cells of a function that was just made and that nobody has seen:
		// `(lambda: x).__closure__[0]` is how a source spells the cell of x.
		if o := s.object(s.peek(1), oFunc); o != nil && x.Name == "__closure__" && o.attrs[8] != nil {
			r.pure(1, o.attrs[8])
			return true
		}
		return false
	case opcode.LoadGlobal, opcode.LoadName:
		if v := s.opaque[x.Name]; v != nil {
			r.pure(0, v) // a host object, which the host has put there
			return true
		}
		if name := lookerNamed(x.Name); name != "" && s.fn.Code.IsFunction() {
			r.namedEvent(0, r.what(), nil, name)
			return true
		}
		return false
	default:
		return false
	}
	return true
}
