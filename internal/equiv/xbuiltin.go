package equiv

import (
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// BuiltinPrefix begins the names under which the host publishes built-in
// functions (Options.StableGlobal): iter, slice, repr, str, ascii and frozenset do what an
// instruction or a constant does, which source has no other words for; so do getattr, setattr
// and delattr where a name is none that may stand behind a dot.
const BuiltinPrefix = "__builtin_"

// conversions are the operands of CONVERT_VALUE (3.13+) that mean these functions.
var conversions = map[string]int{"str": 1, "repr": 2, "ascii": 3}

// builtin carries out the call of a built-in function; n values are popped.
func (r *stepper) builtin(n int, operands []*val) bool {
	if len(operands) == 0 || !hostGlobal(operands[0]) {
		return false
	}
	name, ok := strings.CutPrefix(operands[0].c.(*pyc.Opaque).Name, BuiltinPrefix)
	args := operands[1:]
	if !ok || spliced(args) {
		return false
	}
	switch {
	case name == "iter" && len(args) == 1:
		r.event(n, "GetIter(1)", args, rSym) // one slot: see getIter
	case conversions[name] != 0 && len(args) == 1:
		r.event(n, fmt.Sprintf("%v(%d)", opcode.ConvertValue, conversions[name]), args, rSym)
	case name == "slice" && len(args) == 2:
		r.pure(n, &val{kind: vSlice, items: []*val{args[0], args[1], noneVal}})
	case name == "slice" && len(args) == 3:
		r.pure(n, &val{kind: vSlice, items: append([]*val(nil), args...)})
	case name == "frozenset" && len(args) == 0:
		r.pure(n, constVal(pyc.FrozenSet{}))
	case name == "frozenset" && len(args) == 1 && args[0].kind == vTuple:
		set := pyc.FrozenSet{}
		for _, v := range args[0].items {
			c, ok := constOf(v)
			if !ok {
				return false
			}
			set = append(set, c)
		}
		r.pure(n, constVal(set))
	default:
		if !r.member(name, n, args) {
			return false
		}
	}
	r.s.kw = nil
	return true
}

// member carries out getattr(object, name), setattr(object, name, value) and delattr(object, name) as the instructions that these are.
func (r *stepper) member(name string, n int, args []*val) bool {
	if len(args) < 2 {
		return false
	}
	attr, ok := strOf(args[1])
	op := opcode.StoreAttr
	switch {
	case !ok:
		return false
	case name == "getattr" && len(args) == 2:
		r.event(n, opcode.LoadAttr.String()+" "+attr, args[:1], rSym)
		return true
	case name == "setattr" && len(args) == 3:
		args = []*val{args[2], args[0]} // as they are on the stack
	case name == "delattr" && len(args) == 2:
		op, args = opcode.DeleteAttr, args[:1]
	default:
		return false
	}
	r.outs(n, op.String()+" "+attr, args, out{nil, func(s *xside, _ []*val) {
		s.push(noneVal)
		s.goTo(s.pc + 1)
	}})
	return true
}

// skipIter passes over a GET_ITER of one side where the other is about to take
// the next item of the same object, which is an iterator therefore. Code that
// was entered in the middle of a loop has no GET_ITER; its source has.
func (c *xconf) skipIter() bool {
	for _, k := range [][2]*xside{{c.a, c.b}, {c.b, c.a}} {
		next, iter := k[0], k[1]
		if next.pc < 0 || iter.pc < 0 || next.in[next.pc].Op != opcode.ForIter || iter.in[iter.pc].Op != opcode.GetIter ||
			next.in[next.pc].Arg > 1 || iter.in[iter.pc].Arg > 1 {
			continue
		}
		if x, y := next.peek(1), iter.peek(1); x.kind == vSym && y.kind == vSym && x.id == y.id {
			iter.goTo(iter.pc + 1)
			return true
		}
	}
	return false
}

// constOf turns a value back into a hashable constant.
func constOf(v *val) (pyc.Const, bool) {
	switch v.kind {
	case vConst:
		switch v.c.(type) {
		case *pyc.Opaque, *pyc.Code:
			return nil, false
		}
		return v.c, true
	case vTuple:
		out := pyc.Tuple{}
		for _, x := range v.items {
			c, ok := constOf(x)
			if !ok {
				return nil, false
			}
			out = append(out, c)
		}
		return out, true
	}
	return nil, false
}
