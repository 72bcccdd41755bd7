package equiv

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Where paths meet, two states become one that is true of both: values that
// differ become symbols, and places that held equal values in either state hold
// equal symbols in the joint one. So equalities between the two codes, the only
// thing that counts, survive as far as they hold on every path. Every join makes
// fewer equalities or fewer known values, of which there are finitely many, so a
// loop is done when nothing changes any more.

// joiner makes one joint state of two.
type joiner struct {
	next  *int
	pairs map[string]*val // keys of two values -> their joint value
	fresh bool            // new symbols may be made
	side  *sideJoin
}

// sideJoin is the part of a joiner that belongs to one side.
type sideJoin struct {
	s, t, j *xside
	st, ts  map[int]int // objects of s and t that are one
	ids     map[int]int // object of s -> of j
}

// join joins t into s; both are at the same instructions. It fails if their
// stacks differ in depth.
func join(s, t *xconf) (*xconf, string) {
	j := &joiner{next: s.a.next, pairs: map[string]*val{}, fresh: true}
	out := &xconf{facts: map[string]fact{}}
	var why string
	if out.a, why = j.sides(s.a, t.a); why != "" {
		return nil, why
	}
	if out.b, why = j.sides(s.b, t.b); why != "" {
		return nil, why
	}
	// What branches found out stays known if both states know it, of values that
	// are still somewhere.
	j.fresh = false
	for _, k := range slices.Sorted(maps.Keys(s.facts)) {
		f := s.facts[k]
		for _, g := range t.facts {
			if v := j.cond(f.cond, g.cond, f.is == g.is); v != nil && v.kind != vConst {
				(&xconf{facts: out.facts}).learn(v, f.is)
			}
		}
	}
	return out, ""
}

// cond joins two known conditions without making anything new; same says that
// both are true or both false, so that else one of them is taken negated.
func (j *joiner) cond(x, y *val, same bool) *val {
	if x.kind != y.kind {
		return nil
	}
	if !same {
		y = y.not()
	}
	switch x.kind {
	case vBool:
		return j.bools(x, y)
	case vIs:
		if x.neg != y.neg {
			return nil
		}
		a, b := j.value(x.items[0], y.items[0]), j.value(x.items[1], y.items[1])
		if a == nil || b == nil || a.kind != vSym || b.kind != vSym && !singleton(b) {
			return nil
		}
		return &val{kind: vIs, neg: x.neg, items: []*val{a, b}}
	}
	return nil
}

func (j *joiner) sides(s, t *xside) (*xside, string) {
	if len(s.stack) != len(t.stack) || len(s.blocks) != len(t.blocks) || !slices.Equal(s.blocks, t.blocks) {
		return nil, "the stack has different depths on different paths"
	}
	if !slices.Equal(s.kw, t.kw) || (s.exc == nil) != (t.exc == nil) {
		return nil, "paths meet inside a call"
	}
	u := *s
	out := &u
	out.stack = make([]*val, len(s.stack))
	out.locals = map[string]*val{}
	out.heap = map[int]*object{}
	j.side = &sideJoin{s, t, out, map[int]int{}, map[int]int{}, map[int]int{}}
	names := maps.Clone(s.locals)
	maps.Copy(names, t.locals)
	get := func(s *xside, name string) *val {
		if v := s.locals[name]; v != nil {
			return v
		}
		return unboundVal
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if v := j.value(get(s, name), get(t, name)); v.kind != vUnbound {
			out.locals[name] = v
		}
	}
	for i := range s.stack {
		out.stack[i] = j.value(s.stack[i], t.stack[i])
	}
	out.cur = j.value(s.cur, t.cur)
	if s.exc != nil {
		out.exc = j.value(s.exc, t.exc)
	}
	return out, ""
}

// value joins two values. It never fails: vTop stands for what has no joint
// value. With fresh unset it returns nil rather than make a new symbol.
func (j *joiner) value(x, y *val) *val {
	if x.kind == vRef && y.kind == vRef {
		return j.refs(x.id, y.id)
	}
	if x.isBool() && y.isBool() && !(x.kind == vIs && y.kind == vIs && x.neg == y.neg) {
		if x.kind == vConst && y.kind == vConst && x.c == y.c {
			return x
		}
		return j.bools(x, y)
	}
	if x.kind == y.kind && x.id == y.id && x.name == y.name && x.neg == y.neg && len(x.items) == len(y.items) {
		switch x.kind {
		case vConst:
			if constEqual(x.c, y.c, sameCode) {
				return x
			}
		case vNull, vLasti, vUnbound, vCell:
			return x
		case vTuple, vSlice, vMethod, vSplice, vIs, vPart:
			if v := j.parts(x, y); v != nil {
				return v
			}
			if x.kind == vIs {
				return j.bools(x, y)
			}
		}
	} else if x.kind == y.kind && (x.kind == vTuple || x.kind == vSlice) && len(x.items) == len(y.items) {
		if v := j.parts(x, y); v != nil {
			return v
		}
	}
	kind := vSym
	unbound := func(v *val) bool {
		return v.kind == vUnbound || v.kind == vMaybe || v.kind == vNull && v.id == clearedVal.id
	}
	if unbound(x) || unbound(y) {
		kind = vMaybe
	}
	if !shareable(x) || !shareable(y) {
		if kind == vMaybe && j.fresh {
			// Forgotten, but not that it may be unbound.
			*j.next++
			return &val{kind: vMaybe, id: *j.next, name: joinLookers(x, y)}
		}
		return topVal
	}
	k := x.key() + "|" + y.key()
	if v := j.pairs[k]; v != nil {
		return v
	}
	if !j.fresh {
		return nil
	}
	*j.next++
	v := &val{kind: kind, id: *j.next, exact: x.isTuple() && y.isTuple()}
	if mergedKeywords(x) && mergedKeywords(y) {
		v.name = mergeKeywords
	} else if v.name = joinLookers(x, y); (strings.HasPrefix(x.name, handedOver) || x.name == caughtName) && x.name == y.name {
		v.name = x.name
	}
	j.pairs[k] = v
	return v
}

// isTuple reports whether v is exactly a tuple.
func (v *val) isTuple() bool { return v.kind == vTuple || v.kind == vSym && v.exact }

// shareable reports whether v can become part of a symbol: it is something both
// sides may have alike, and nothing that only its own side can change.
func shareable(v *val) bool {
	switch v.kind {
	case vRef, vTop, vNull, vMethod, vLasti, vSplice:
		return false
	}
	for _, x := range v.items {
		if !shareable(x) && x.kind != vSplice {
			return false
		}
	}
	return true
}

func (j *joiner) parts(x, y *val) *val {
	v := *x
	v.items = make([]*val, len(x.items))
	for i := range x.items {
		p := j.value(x.items[i], y.items[i])
		if p == nil {
			return nil
		}
		v.items[i] = p
		switch x.kind {
		case vSplice:
			if !p.isTuple() {
				return nil
			}
		case vIs:
			if p.kind != vSym && !singleton(p) || i == 0 && p.kind != vSym {
				return nil
			}
		}
	}
	return &v
}

// bools joins two bools into one; the joint of their negations is its negation.
func (j *joiner) bools(x, y *val) *val {
	if !shareable(x) || !shareable(y) {
		return topVal
	}
	neg := x.neg || x.kind == vConst && x.c == boolVal(false).c
	if neg {
		x, y = x.not(), y.not()
	}
	k := x.key() + "|" + y.key()
	v := j.pairs[k]
	if v == nil {
		if !j.fresh {
			return nil
		}
		*j.next++
		v = &val{kind: vBool, id: *j.next}
		j.pairs[k] = v
	}
	if neg {
		v = v.not()
	}
	return v
}

// refs joins two objects of one side. Two that are one in one state and two in
// the other are beyond a joint state, and so is what differs in size.
func (j *joiner) refs(x, y int) *val {
	d := j.side
	if k, ok := d.st[x]; ok || d.ts[y] != 0 {
		if k == y && d.ts[y] == x {
			return &val{kind: vRef, id: d.ids[x]}
		}
		return topVal
	}
	p, q := d.s.heap[x], d.t.heap[y]
	if p == nil || q == nil || !sameShape(p, q) {
		return topVal
	}
	if !j.fresh {
		return nil
	}
	*j.next++
	o := &object{kind: p.kind, code: p.code, items: make([]*val, len(p.items))}
	d.st[x], d.ts[y], d.ids[x] = y, x, *j.next
	d.j.heap[*j.next] = o
	id := *j.next
	for i := range p.items {
		if p.kind == oDict && i%2 == 0 {
			o.items[i] = p.items[i]
			continue
		}
		o.items[i] = j.value(p.items[i], q.items[i])
	}
	if p.attrs != nil {
		o.attrs = map[int]*val{}
		for _, k := range slices.Sorted(maps.Keys(p.attrs)) {
			o.attrs[k] = j.value(p.attrs[k], q.attrs[k])
		}
	}
	return &val{kind: vRef, id: id}
}

// sameShape reports whether two objects differ at most in the values they hold.
func sameShape(p, q *object) bool {
	if p.kind != q.kind || len(p.items) != len(q.items) || p.code != q.code || len(p.attrs) != len(q.attrs) {
		return false
	}
	for k := range p.attrs {
		if q.attrs[k] == nil {
			return false
		}
	}
	if p.kind == oDict {
		for i := 0; i < len(p.items); i += 2 {
			if p.items[i].key() != q.items[i].key() {
				return false
			}
		}
	}
	return !spliced(p.items) && !spliced(q.items)
}

// print writes the state with symbols and objects numbered in order of
// appearance: two states print the same exactly if they differ in numbers only.
func (c *xconf) print() string {
	var b strings.Builder
	nums := map[int]int{} // symbols
	num := func(m map[int]int, id int) int {
		if m[id] == 0 {
			m[id] = len(m) + 1
		}
		return m[id]
	}
	number := func(n int) { b.WriteString(strconv.Itoa(n)) }
	for _, s := range []*xside{c.a, c.b} {
		refs := map[int]int{}
		var write func(v *val)
		write = func(v *val) {
			if v.neg {
				b.WriteByte('!')
			}
			switch v.kind {
			case vConst:
				writeConst(&b, v.c)
			case vSym, vBool, vMaybe:
				number(int(v.kind))
				b.WriteByte('.')
				number(num(nums, v.id))
				b.WriteString(strconv.FormatBool(v.exact))
				b.WriteString(v.name)
			case vRef:
				_, seen := refs[v.id]
				b.WriteByte('&')
				number(num(refs, v.id))
				if o := s.heap[v.id]; o != nil && !seen {
					fmt.Fprintf(&b, "{%d %p", o.kind, o.code)
					for _, x := range o.items {
						b.WriteByte(' ')
						write(x)
					}
					for _, k := range slices.Sorted(maps.Keys(o.attrs)) {
						fmt.Fprintf(&b, " %d=", k)
						write(o.attrs[k])
					}
					b.WriteByte('}')
				}
			default:
				number(int(v.kind))
				b.WriteByte('.')
				number(v.id)
				b.WriteByte('.')
				b.WriteString(strconv.Quote(v.name))
			}
			if len(v.items) > 0 {
				b.WriteByte('(')
				for _, x := range v.items {
					write(x)
					b.WriteByte(',')
				}
				b.WriteByte(')')
			}
		}
		names := slices.Sorted(maps.Keys(s.locals))
		for _, name := range names {
			v := s.locals[name]
			b.WriteString(name)
			b.WriteByte('=')
			write(v)
			b.WriteByte(';')
		}
		for _, v := range s.stack {
			write(v)
			b.WriteByte(';')
		}
		fmt.Fprintf(&b, "%v%q/", s.blocks, s.kw)
		write(s.cur)
		if s.exc != nil {
			write(s.exc)
		}
		b.WriteByte('\n')
	}
	var facts []string
	for _, f := range c.facts {
		facts = append(facts, factText(f, nums))
	}
	slices.Sort(facts)
	b.WriteString(strings.Join(facts, " "))
	return b.String()
}

// factText prints a fact about values that appear in the state; "" for others.
func factText(f fact, nums map[int]int) string {
	ids := []int{f.cond.id}
	text := ""
	if f.cond.kind == vIs {
		ids = nil
		for _, x := range f.cond.items {
			if x.kind == vSym {
				ids = append(ids, x.id)
			} else {
				text += x.key()
			}
		}
	}
	for _, id := range ids {
		if nums[id] == 0 {
			return ""
		}
		text += fmt.Sprintf(" %d", nums[id])
	}
	return fmt.Sprint(f.cond.kind, text, f.is)
}
