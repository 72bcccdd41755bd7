package equiv

import (
	"slices"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// elements handles indexing, slicing and unpacking: no effect on an aggregate
// that belongs to the side alone, or on a tuple, with constant indices in range.
func (r *stepper) elements() bool {
	s, x := r.s, r.x
	switch x.Op {
	case opcode.Subscr:
		r.subscr(2, s.peek(2), s.peek(1))
	case opcode.BinarySlice:
		r.subscr(3, s.peek(3), &val{kind: vSlice, items: []*val{s.peek(2), s.peek(1), noneVal}})
	case opcode.StoreSubscr:
		r.storeSubscr(3, s.peek(3), s.peek(2), s.peek(1))
	case opcode.StoreSlice:
		r.storeSubscr(4, s.peek(4), s.peek(3), &val{kind: vSlice, items: []*val{s.peek(2), s.peek(1), noneVal}})
	case opcode.DeleteSubscr:
		r.deleteSubscr(s.peek(2), s.peek(1))
	case opcode.UnpackSequence:
		r.unpack(x.Arg, 0, false)
	case opcode.UnpackEx:
		r.unpack(x.Arg&0xff, x.Arg>>8, true)
	case opcode.BinaryOp:
		return r.concat()
	default:
		return false
	}
	return true
}

func (r *stepper) subscr(n int, o, i *val) {
	s := r.s
	if items, ok := s.sequence(o); ok && !spliced(items) {
		if k, ok := index(i, len(items)); ok {
			r.pure(n, items[k])
			return
		}
		if from, to, ok := bounds(i, len(items)); ok {
			part := slices.Clone(items[from:to])
			if o.kind == vTuple {
				r.pure(n, tupleOf(part))
			} else {
				r.pure(n, s.alloc(&object{kind: oList, items: part}))
			}
			return
		}
	}
	if d := s.object(o, oDict); d != nil {
		if v, at := dictFind(d, i); at >= 0 {
			r.pure(n, v)
			return
		}
	}
	if key, ok := strOf(i); ok && o.kind == vSym && o.name == builtinsDict {
		r.namedEvent(n, "Subscr", []*val{o, i}, lookerNamed(key))
		return
	}
	r.event(n, "Subscr", []*val{o, i}, rSym)
}

func (r *stepper) storeSubscr(n int, v, o, i *val) {
	s := r.s
	if l := s.object(o, oList); l != nil && !spliced(l.items) && r.plainItems([]*val{v}) {
		if k, ok := index(i, len(l.items)); ok {
			l.items[k] = v
			r.pure(n)
			return
		}
		// l[a:b] = sequence; of itself too, since the items are copied first.
		if from, to, ok := bounds(i, len(l.items)); ok {
			if items, ok := s.sequence(v); ok {
				l.items = slices.Concat(l.items[:from], items, l.items[to:])
				r.pure(n)
				return
			}
		}
	}
	if d := s.object(o, oDict); d != nil && r.fail == "" && r.plainItems([]*val{v}) {
		if k, ok := strOf(i); ok {
			setItem(d, k, i, v)
			r.pure(n)
			return
		}
	}
	if r.fail == "" {
		r.event(n, "StoreSubscr", []*val{v, o, i})
	}
}

func (r *stepper) deleteSubscr(o, i *val) {
	s := r.s
	if l := s.object(o, oList); l != nil && !spliced(l.items) {
		if k, ok := index(i, len(l.items)); ok {
			l.items = slices.Delete(slices.Clone(l.items), k, k+1)
			r.pure(2)
			return
		}
		if from, to, ok := bounds(i, len(l.items)); ok {
			l.items = slices.Delete(slices.Clone(l.items), from, to)
			r.pure(2)
			return
		}
	}
	if d := s.object(o, oDict); d != nil {
		if _, at := dictFind(d, i); at >= 0 {
			d.items = slices.Delete(slices.Clone(d.items), at, at+2)
			r.pure(2)
			return
		}
	}
	r.event(2, "DeleteSubscr", []*val{o, i})
}

// index resolves a constant index of a sequence of n items.
func index(i *val, n int) (int, bool) {
	k, ok := intOf(i)
	if !ok {
		return 0, false
	}
	if k < 0 {
		k += n
	}
	return k, k >= 0 && k < n
}

// bounds resolves a constant slice of step 1, clamped as Python does; to is never
// before from.
func bounds(v *val, n int) (from, to int, ok bool) {
	if v.kind != vSlice {
		return 0, 0, false
	}
	bound := func(v *val, none int) (int, bool) {
		if isNone(v) {
			return none, true
		}
		k, ok := intOf(v)
		if k < 0 {
			k += n
		}
		return min(max(k, 0), n), ok
	}
	from, ok1 := bound(v.items[0], 0)
	to, ok2 := bound(v.items[1], n)
	step, ok3 := intOf(v.items[2])
	if !ok1 || !ok2 || !(isNone(v.items[2]) || ok3 && step == 1) {
		return 0, 0, false
	}
	return from, max(from, to), true
}

// unpack handles "a, b = x" and "a, *b, c = x".
func (r *stepper) unpack(before, after int, starred bool) {
	s := r.s
	items, ok := s.sequence(s.peek(1))
	n := before + after
	if !ok || spliced(items) || len(items) < n || !starred && len(items) != n {
		results := make([]rkind, n)
		if starred {
			results = append(results, rSym)
		}
		r.emit(1, r.what(), results...)
		return
	}
	var out []*val
	for k := range after {
		out = append(out, items[len(items)-1-k])
	}
	if starred {
		out = append(out, s.alloc(&object{kind: oList, items: slices.Clone(items[before : len(items)-after])}))
	}
	for k := before - 1; k >= 0; k-- {
		out = append(out, items[k])
	}
	r.pure(1, out...)
}

// concat handles the addition of known sequences of one kind.
func (r *stepper) concat() bool {
	s := r.s
	if r.x.Arg&^opcode.InPlace != opcode.Add || len(s.stack) < 2 {
		return false
	}
	x, y := s.peek(2), s.peek(1)
	p, ok1 := s.sequence(x)
	q, ok2 := s.sequence(y)
	if !ok1 || !ok2 {
		return false
	}
	o := s.object(x, oList)
	switch {
	case (o == nil) != (s.object(y, oList) == nil):
		return false
	case o == nil:
		r.pure(2, tupleOf(slices.Concat(p, q)))
	case r.x.Arg&opcode.InPlace != 0:
		o.items = slices.Concat(p, q)
		r.pure(2, x)
	default:
		r.pure(2, s.alloc(&object{kind: oList, items: slices.Concat(p, q)}))
	}
	return true
}

func codeConst(c pyc.Const) *pyc.Code {
	k, _ := c.(*pyc.Code)
	return k
}
