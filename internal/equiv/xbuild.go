package equiv

import (
	"fmt"
	"slices"

	"github.com/thuml/depyf/internal/opcode"
)

// aggregates handles the building of tuples, lists, dicts, slices and functions.
// A new one belongs to its side alone, and building it is no effect, as long as
// its parts are known.
func (r *stepper) aggregates() bool {
	s, x := r.s, r.x
	n := x.Arg
	switch x.Op {
	case opcode.BuildList, opcode.BuildSet, opcode.BuildMap:
		if r.goesOn() {
			return true
		}
	case opcode.FormatValue, opcode.FormatSimple:
		if begun, _ := s.handed(s.peek(1)); x.Arg == 0 && begun == opcode.BuildString {
			r.pure(0) // it is a string
			return true
		}
	}
	switch x.Op {
	case opcode.BuildTuple, opcode.BuildList, opcode.BuildSlice:
		items := slices.Clone(s.top(n))
		if len(items) != n {
			r.failf("the stack is empty")
			return true
		}
		if !r.plainItems(items) {
			return true
		}
		switch x.Op {
		case opcode.BuildTuple:
			r.pure(n, tupleOf(items))
		case opcode.BuildList:
			r.pure(n, s.alloc(&object{kind: oList, items: items}))
		default:
			if n == 2 {
				items = append(items, noneVal)
			}
			r.pure(n, &val{kind: vSlice, items: items})
		}
	case opcode.BuildMap:
		if o := dictOf(s.top(2*n), 2*n); o != nil && r.plainItems(o.items) {
			r.pure(2*n, s.alloc(o))
		} else if r.fail == "" && n == 1 {
			r.namedEvent(2, "BuildMap(1)", s.top(2), oneItem)
		} else if r.fail == "" {
			r.emit(2*n, fmt.Sprintf("BuildMap(%d)", n), rSym)
		}
	case opcode.BuildConstKeyMap:
		t := s.top(n + 1)
		if t == nil || t[n].kind != vTuple || len(t[n].items) != n {
			r.failf("BUILD_CONST_KEY_MAP without keys")
			return true
		}
		var flat []*val
		for i := range n {
			flat = append(flat, t[n].items[i], t[i])
		}
		if o := dictOf(flat, 2*n); o != nil && r.plainItems(o.items) {
			r.pure(n+1, s.alloc(o))
		} else if r.fail == "" {
			r.event(n+1, fmt.Sprintf("BuildMap(%d)", n), flat, rSym)
		}
	case opcode.BuildSet:
		r.buildSet(n)
	case opcode.BuildString:
		r.emit(n, r.what(), rSym)
	case opcode.BuildInterpolation:
		r.emit(2+n&1, r.what(), rSym)
	case opcode.FormatValue:
		r.emit(1+n>>2&1, r.what(), rSym)
	case opcode.ListAppend:
		r.listAppend(n)
	case opcode.ListExtend:
		r.listExtend(n)
	case opcode.SetAdd, opcode.SetUpdate:
		if v := s.peek(1); x.Op == opcode.SetUpdate && v != nil && v.kind == vTuple && len(v.items) == 0 {
			r.pure(1) // {*()}, which is how an empty set is written without a name
			return true
		}
		r.event(1, x.Op.String(), []*val{s.peek(n + 1), s.peek(1)})
	case opcode.MapAdd:
		key, value := s.peek(2), s.peek(1)
		if x.Flag {
			key, value = value, key
		}
		r.mapAdd(s.peek(n+2), key, value)
	case opcode.DictUpdate, opcode.DictMerge:
		r.dictUpdate(n)
	case opcode.ListToTuple:
		if items, ok := s.sequence(s.peek(1)); ok {
			r.pure(1, tupleOf(slices.Clone(items)))
		} else {
			r.emit(1, r.what(), rTuple)
		}
	case opcode.BuildTupleUnpack, opcode.BuildListUnpack, opcode.BuildTupleUnpackWithCall:
		r.unpackInto(n)
	case opcode.BuildSetUnpack, opcode.BuildMapUnpack, opcode.BuildMapUnpackWithCall:
		r.emit(n, r.what(), rSym)
	case opcode.MakeFunction:
		r.makeFunction()
	case opcode.SetFunctionAttribute:
		o := s.object(s.peek(1), oFunc)
		if o == nil || len(s.stack) < 2 {
			r.failf("an attribute is set on a function that was not just made")
			return true
		}
		o.attrs[n] = s.peek(2)
		f := s.peek(1)
		r.pure(2, f)
	default:
		return false
	}
	return true
}

// plainItems refuses halves of callees and the like inside an aggregate.
func (r *stepper) plainItems(items []*val) bool {
	for _, v := range items {
		switch v.kind {
		case vNull, vMethod, vLasti, vUnbound, vMaybe:
			r.failf("%v becomes part of an object", v)
			return false
		}
	}
	return true
}

// dictOf makes a dict of known contents: its keys are str constants and all
// different, so that no __hash__ or __eq__ of anybody runs.
func dictOf(flat []*val, n int) *object {
	if len(flat) != n {
		return nil
	}
	seen := map[string]bool{}
	for i := 0; i < n; i += 2 {
		k, ok := strOf(flat[i])
		if !ok || seen[k] {
			return nil
		}
		seen[k] = true
	}
	return &object{kind: oDict, items: slices.Clone(flat)}
}

func (r *stepper) listAppend(n int) {
	v := r.s.peek(1)
	if o := r.s.object(r.s.peek(n+1), oList); o != nil && r.plainItems([]*val{v}) {
		o.items = append(o.items, v)
		r.pure(1)
	} else if r.fail == "" {
		r.event(1, "ListAppend", []*val{r.s.peek(n + 1), v})
	}
}

// listExtend appends the items of a sequence. If they are not known, iterating
// is an effect, which does not see the list; what it brings is a tuple.
func (r *stepper) listExtend(n int) {
	s := r.s
	v := s.peek(1)
	o := s.object(s.peek(n+1), oList)
	if o == nil {
		r.event(1, "ListExtend", []*val{s.peek(n + 1), v})
		return
	}
	if items, ok := s.sequence(v); ok {
		o.items = append(o.items, slices.Clone(items)...)
		r.pure(1)
		return
	}
	r.outs(1, "iterate in full", []*val{v}, out{[]rkind{rTuple}, func(s *xside, w []*val) {
		if o := s.object(s.peek(n), oList); o != nil {
			o.items = append(o.items, &val{kind: vSplice, items: []*val{w[0]}})
		}
		s.goTo(s.pc + 1)
	}})
}

func (r *stepper) mapAdd(d, key, value *val) {
	k, ok := strOf(key)
	if o := r.s.object(d, oDict); o != nil && ok && r.plainItems([]*val{value}) {
		setItem(o, k, key, value)
		r.pure(2)
	} else if r.fail == "" {
		r.event(2, "MapAdd", []*val{d, key, value})
	}
}

// setItem is d[key] = value: an existing key keeps its place.
func setItem(o *object, k string, key, value *val) {
	for i := 0; i < len(o.items); i += 2 {
		if old, _ := strOf(o.items[i]); old == k {
			o.items[i+1] = value
			return
		}
	}
	o.items = append(o.items, key, value)
}

// dictUpdate handles DICT_UPDATE and DICT_MERGE, which differ in that the latter
// refuses a key that is there already.
func (r *stepper) dictUpdate(n int) {
	s := r.s
	d, m := s.object(s.peek(n+1), oDict), s.object(s.peek(1), oDict)
	if r.takesOver(n) || r.x.Op == opcode.DictMerge && m == nil && r.mergesKeywords(n+1, s.peek(1)) {
		return
	}
	if d == nil || m == nil || d == m {
		r.event(1, r.x.Op.String(), []*val{s.peek(n + 1), s.peek(1)})
		return
	}
	if r.x.Op == opcode.DictMerge {
		for i := 0; i < len(m.items); i += 2 {
			if _, at := dictFind(d, m.items[i]); at >= 0 {
				r.failf("a keyword is given twice")
				return
			}
		}
	}
	for i := 0; i < len(m.items); i += 2 {
		k, _ := strOf(m.items[i])
		setItem(d, k, m.items[i], m.items[i+1])
	}
	r.pure(1)
}

// oneItem names a new dict of one item whose key is not known.
const oneItem = "a dict of one item"

// takesOver handles the DICT_UPDATE or DICT_MERGE of such a dict, which nothing else holds, into the dict at depth n,
// if that is new and empty: its key has been hashed, and there is none that it could equal.
//
//	{**{k: v}}   →   {k: v}
func (r *stepper) takesOver(n int) bool {
	s := r.s
	d, m := s.peek(n+1), s.peek(1)
	if o := s.object(d, oDict); o == nil || len(o.items) > 0 || s.references(d.id) != 1 {
		return false
	}
	if m.kind != vSym || m.name != oneItem || s.holders(vSym, m.id) != 1 {
		return false
	}
	s.stack[len(s.stack)-1-n] = m
	r.pure(1)
	return true
}

// dictFind looks a str constant up; at is -1 if it is not there or if key is none.
func dictFind(o *object, key *val) (v *val, at int) {
	k, ok := strOf(key)
	if !ok {
		return nil, -1
	}
	for i := 0; i < len(o.items); i += 2 {
		if old, _ := strOf(o.items[i]); old == k {
			return o.items[i+1], i
		}
	}
	return nil, -1
}

// unpackInto handles [*a, *b] up to 3.8.
func (r *stepper) unpackInto(n int) {
	s := r.s
	var all []*val
	for _, v := range s.top(n) {
		items, ok := s.sequence(v)
		if !ok {
			kind := rTuple
			if r.x.Op == opcode.BuildListUnpack {
				kind = rSym
			}
			r.emit(n, r.what(), kind)
			return
		}
		all = append(all, items...)
	}
	if r.x.Op == opcode.BuildListUnpack {
		r.pure(n, s.alloc(&object{kind: oList, items: all}))
	} else {
		r.pure(n, tupleOf(all))
	}
}

func (r *stepper) makeFunction() {
	s := r.s
	if r.x.Arg&^(1|2|4|closureAttr|qualNameAttr) != 0 {
		r.failf("MAKE_FUNCTION with operand %d", r.x.Arg)
		return
	}
	n := 1
	if r.x.Arg&qualNameAttr != 0 {
		n = 2 // the qualified name, which the code object has too
	}
	o := &object{kind: oFunc, attrs: map[int]*val{}}
	if n == 2 {
		o.attrs[qualNameAttr] = s.peek(1)
	}
	c := s.peek(n)
	if c.kind == vConst {
		o.code = codeConst(c.c)
	}
	if o.code == nil {
		r.failf("a function is made of %v", c)
		return
	}
	for _, attr := range []int{8, 4, 2, 1} { // from the top downwards
		if r.x.Arg&attr != 0 {
			n++
			o.attrs[attr] = s.peek(n)
		}
	}
	r.pure(n, s.alloc(o))
}
