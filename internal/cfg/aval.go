package cfg

import (
	"github.com/thuml/depyf/internal/pyc"
)

// avalKind says what Unshuffle knows about a stack slot.
type avalKind uint8

const (
	aConst  avalKind = iota
	aLocal           // the present value of a local variable
	aGlobal          // a global that Dynamo installs once and never changes
	aCell            // a cell
	aNull
	aList // a list built here that nothing else can see
	aTuple
	aDict // a dict built here with constant string keys
	aCode
	aFunc  // a function made here: its code, then the values of attrs, in elems
	aSlice // a slice object: start, stop and perhaps step in elems
	aReal  // on the real stack: exception state, iterators
)

// aval is one abstract stack slot. Lists are compared by pointer: two slots
// with the same *aval alias each other.
type aval struct {
	kind  avalKind
	c     pyc.Const
	name  string
	elems []*aval
	keys  []pyc.Const
	attrs []int // aFunc: the operands of SET_FUNCTION_ATTRIBUTE, in order
}

// copyStack copies a stack for one of several successors, keeping aliasing.
func copyStack(st []*aval) []*aval {
	memo := map[*aval]*aval{}
	var cp func(v *aval) *aval
	cp = func(v *aval) *aval {
		if v == nil || v.kind != aList && v.kind != aTuple && v.kind != aDict && v.kind != aSlice && v.kind != aFunc {
			return v
		}
		if w := memo[v]; w != nil {
			return w
		}
		w := &aval{kind: v.kind, c: v.c, name: v.name, keys: v.keys, attrs: v.attrs}
		memo[v] = w
		for _, e := range v.elems {
			w.elems = append(w.elems, cp(e))
		}
		return w
	}
	out := make([]*aval, len(st))
	for i, v := range st {
		out[i] = cp(v)
	}
	return out
}

// sameAval reports whether two slots hold the same value. Lists never do: they
// have an identity of their own.
func sameAval(a, b *aval) bool {
	if a == b {
		return true
	}
	if a.kind != b.kind || a.name != b.name {
		return false
	}
	switch a.kind {
	case aConst:
		return sameConst(a.c, b.c)
	case aLocal, aGlobal, aCell:
		return true
	case aNull:
		return true
	case aTuple, aSlice:
		if len(a.elems) != len(b.elems) {
			return false
		}
		for i := range a.elems {
			if !sameAval(a.elems[i], b.elems[i]) {
				return false
			}
		}
		return true
	}
	return false
}

// sameConst compares the constants that Dynamo's code passes around.
func sameConst(a, b pyc.Const) bool {
	switch x := a.(type) {
	case pyc.None:
		_, ok := b.(pyc.None)
		return ok
	case pyc.Bool:
		y, ok := b.(pyc.Bool)
		return ok && x == y
	case pyc.Int:
		y, ok := b.(pyc.Int)
		return ok && x.Big.Cmp(y.Big) == 0
	case pyc.Str:
		y, ok := b.(pyc.Str)
		return ok && x == y
	case *pyc.Opaque:
		y, ok := b.(*pyc.Opaque)
		return ok && x.ID == y.ID
	}
	return false
}

// mentions reports whether v is, or holds, the local name.
func (v *aval) mentions(name string) bool {
	if v.kind == aLocal {
		return v.name == name
	}
	for _, e := range v.elems {
		if e.mentions(name) {
			return true
		}
	}
	return false
}

// holds reports whether v is w or holds it.
func (v *aval) holds(w *aval) bool {
	if v == w {
		return true
	}
	for _, e := range v.elems {
		if e.holds(w) {
			return true
		}
	}
	return false
}

// replaceLocal puts r wherever v holds the local name. v must not be that
// local itself.
func (v *aval) replaceLocal(name string, r *aval) {
	for i, e := range v.elems {
		if e.kind == aLocal && e.name == name {
			v.elems[i] = r
		} else {
			e.replaceLocal(name, r)
		}
	}
}

// smallInt returns the value of a constant integer.
func smallInt(v *aval) (int, bool) {
	if v.kind != aConst {
		return 0, false
	}
	i, ok := v.c.(pyc.Int)
	if !ok || !i.Big.IsInt64() {
		return 0, false
	}
	return int(i.Big.Int64()), true
}

// sliceBound returns a constant slice bound; None gives def.
func sliceBound(v *aval, def, n int) (int, bool) {
	if v.kind == aConst {
		if _, ok := v.c.(pyc.None); ok {
			return def, true
		}
	}
	i, ok := smallInt(v)
	if !ok {
		return 0, false
	}
	if i < 0 {
		i += n
	}
	return max(0, min(i, n)), true
}

// sliceOf returns the bounds of a slice without a step, built or constant.
func sliceOf(v *aval) (lo, hi *aval, ok bool) {
	none := func(c pyc.Const) bool { return c == nil || sameConst(pyc.None{}, c) }
	switch v.kind {
	case aSlice:
		if len(v.elems) == 2 || v.elems[2].kind == aConst && none(v.elems[2].c) {
			return v.elems[0], v.elems[1], true
		}
	case aConst:
		if s, isSlice := v.c.(pyc.Slice); isSlice && none(s.Step) {
			return &aval{kind: aConst, c: s.Start}, &aval{kind: aConst, c: s.Stop}, true
		}
	}
	return nil, nil, false
}
