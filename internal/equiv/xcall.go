package equiv

import (
	"slices"
	"strconv"

	"github.com/thuml/depyf/internal/opcode"
)

// Calls come in one form, however the arguments were put together: the callee,
// the positional arguments, the keywords with their values. So f(*[a, b], **{"k":
// c}) is f(a, b, k=c) where the list and the dict are known and nobody's.

// calls handles the operations that find methods and that call.
func (r *stepper) calls() bool {
	s, x := r.s, r.x
	n := x.Arg
	switch x.Op {
	case opcode.LoadMethod:
		r.outs(1, "LoadAttr "+x.Name, []*val{s.peek(1)}, out{[]rkind{rSym}, placeMethod})
	case opcode.LoadSpecial:
		r.outs(1, r.what(), []*val{s.peek(1)}, out{[]rkind{rSym}, placeMethod})
	case opcode.LoadSuperAttr:
		place := placeMethod
		if n&1 == 0 {
			place = func(s *xside, w []*val) { s.push(w...); s.goTo(s.pc + 1) }
		}
		// Whether "super(C, self)" was written out shows in error messages only,
		// but so does much else: it is compared.
		r.outs(3, "LoadSuperAttr "+x.Name+" "+strconv.Itoa(n&2), s.top(3), out{[]rkind{rSym}, place})
	case opcode.Call:
		kw := s.kw
		t := s.top(n + 2)
		if t == nil {
			r.failf("the stack is empty")
			return true
		}
		r.call(n+2, r.callee(t[0], t[1]), t[2:], kw, nil, nil)
	case opcode.CallKw:
		t := s.top(n + 3)
		if t == nil {
			r.failf("the stack is empty")
			return true
		}
		if kw, ok := r.names(t[n+2]); ok {
			r.call(n+3, r.callee(t[0], t[1]), t[2:n+2], kw, nil, nil)
		}
	case opcode.CallFunction:
		if t := s.top(n + 1); t != nil {
			r.call(n+1, t[:1], t[1:], nil, nil, nil)
		} else {
			r.failf("the stack is empty")
		}
	case opcode.CallMethod:
		if t := s.top(n + 2); t != nil {
			r.call(n+2, r.callee(t[0], t[1]), t[2:], nil, nil, nil)
		} else {
			r.failf("the stack is empty")
		}
	case opcode.CallFunctionKw:
		t := s.top(n + 2)
		if t == nil {
			r.failf("the stack is empty")
			return true
		}
		if kw, ok := r.names(t[n+1]); ok {
			r.call(n+2, t[:1], t[1:n+1], kw, nil, nil)
		}
	case opcode.CallEx:
		r.callEx()
	default:
		return false
	}
	return true
}

// placeMethod leaves a bound attribute as a callee of two slots.
func placeMethod(s *xside, w []*val) {
	s.push(&val{kind: vMethod, id: 0, items: w}, &val{kind: vMethod, id: 1, items: w})
	s.goTo(s.pc + 1)
}

// callee resolves the two slots under the arguments to the callable, and self if
// that comes first among the arguments; nil, with a failure, if they make no sense.
func (r *stepper) callee(lower, upper *val) []*val {
	switch {
	case lower.kind == vMethod || upper.kind == vMethod:
		if lower.kind == upper.kind && lower.id == 0 && upper.id == 1 && lower.items[0] == upper.items[0] {
			return lower.items
		}
	case lower.kind == vNull && upper.kind == vNull:
	case lower.kind == vNull && (!r.s.v.HasMethodCallees() || !r.s.v.NullAfterCallable()):
		return []*val{upper}
	case upper.kind == vNull && r.s.v.HasMethodCallees() && r.s.v.NullAfterCallable():
		return []*val{lower}
	case lower.kind != vNull && upper.kind != vNull:
		return []*val{lower, upper}
	}
	r.failf("%v and %v are called", lower, upper)
	return nil
}

// names reads the keyword names of a call.
func (r *stepper) names(v *val) ([]string, bool) {
	if v.kind == vTuple {
		var out []string
		for _, x := range v.items {
			k, ok := strOf(x)
			if !ok {
				break
			}
			out = append(out, k)
		}
		if len(out) == len(v.items) {
			return out, true
		}
	}
	r.failf("keyword names are %v", v)
	return nil, false
}

// call reports the event of a call that pops n values. star and dstar, if any,
// are the operands of * and ** whose contents are not known.
func (r *stepper) call(n int, callee, args []*val, kw []string, star, dstar *val) {
	if r.fail != "" || callee == nil {
		return
	}
	if len(kw) > len(args) {
		r.failf("more keywords than arguments")
		return
	}
	operands := append(slices.Clone(callee), args[:len(args)-len(kw)]...)
	what := "call"
	// A splice is a run of arguments; exact tuples all of them.
	if star != nil {
		operands, what = append(operands, star), what+" *"
	}
	for i, k := range kw {
		what += " " + strconv.Quote(k)
		operands = append(operands, args[len(args)-len(kw)+i])
	}
	if dstar != nil {
		operands, what = append(operands, dstar), what+" **"
	}
	what += " " + strconv.Itoa(len(operands))
	for _, v := range operands {
		switch v.kind {
		case vNull, vMethod, vLasti, vUnbound, vMaybe:
			r.failf("%v is an argument", v)
			return
		}
	}
	if len(kw) == 0 && star == nil && dstar == nil && r.builtin(n, operands) {
		return
	}
	place := out{[]rkind{rSym}, func(s *xside, w []*val) {
		s.kw = nil
		s.push(w...)
		s.goTo(s.pc + 1)
	}}
	r.outs(n, what, operands, place)
	if r.ev != nil {
		r.s.kw = nil // also if it raises
	}
}

// callEx handles f(*args, **kw).
func (r *stepper) callEx() {
	s, x := r.s, r.x
	n := 2 + x.Arg&1 + x.Arg>>1&1
	t := s.top(n)
	if t == nil || x.Arg&^3 != 0 {
		r.failf("CALL_FUNCTION_EX with operand %d", x.Arg)
		return
	}
	callee := t[:1]
	rest := t[1:]
	if x.Arg&2 != 0 {
		if callee = r.callee(t[0], t[1]); callee == nil {
			return
		}
		if len(callee) != 1 {
			r.failf("%v is called with a self", t[0])
			return
		}
		rest = t[2:]
	}
	var star, dstar *val
	args, ok := s.sequence(rest[0])
	if !ok {
		star = rest[0]
	}
	args = slices.Clone(args)
	var kw []string
	if x.Arg&1 != 0 && rest[1].kind != vNull {
		if d := s.object(rest[1], oDict); d != nil {
			for i := 0; i < len(d.items); i += 2 {
				k, _ := strOf(d.items[i])
				kw = append(kw, k)
				args = append(args, d.items[i+1])
			}
		} else if dstar = rest[1]; !mergedKeywords(dstar) {
			r.outs(0, mergeKeywords, []*val{dstar}, out{[]rkind{rKeywords}, answer(len(s.stack) - 1)})
			return
		}
	}
	r.call(n, callee, args, kw, star, dstar)
}

// f(**m) makes a dict of the keywords in m, whether by CALL_FUNCTION_EX itself, as in
// Dynamo's code, or by a DICT_MERGE into an empty dict in front of it, as in the
// code of a compiler. Both are this event, whose result is the new dict.
const mergeKeywords = "merge keywords"

func mergedKeywords(v *val) bool { return v.kind == vSym && v.name == mergeKeywords }

// mergesKeywords handles the DICT_MERGE of m into the dict at depth n, if that is
// new and empty.
func (r *stepper) mergesKeywords(n int, m *val) bool {
	s := r.s
	d := s.peek(n)
	if o := s.object(d, oDict); o == nil || len(o.items) > 0 || s.references(d.id) != 1 {
		return false
	}
	r.outs(1, mergeKeywords, []*val{m}, out{[]rkind{rKeywords}, func(s *xside, w []*val) {
		s.stack[len(s.stack)-n+1] = w[0]
		s.goTo(s.pc + 1)
	}})
	return true
}

// references counts the places that hold object id.
func (s *xside) references(id int) int { return s.holders(vRef, id) }

// holders counts the places that hold the value of that kind, an object or a symbol.
func (s *xside) holders(kind vkind, id int) int {
	n := 0
	var count func(v *val)
	count = func(v *val) {
		if v.kind == kind && v.id == id {
			n++
		}
		for _, x := range v.items {
			count(x)
		}
	}
	s.each(func(v **val) { count(*v) })
	for _, o := range s.heap {
		for _, x := range o.items {
			count(x)
		}
		for _, x := range o.attrs {
			count(x)
		}
	}
	return n
}
