package equiv

import (
	"maps"
	"slices"
)

// xside is the state of one code during symbolic execution. The code itself is
// in the *side it belongs to.
type xside struct {
	*xcode
	pc        int  // next instruction; propagating when an exception leaves the code, hanging when it goes round
	returning bool // until 3.8: every block is left, and the value lies on the stack
	phase     int  // an instruction with two effects has had so many of them
	stack     []*val
	locals    map[string]*val // unbound when absent
	heap      map[int]*object
	cur       *val // the exception being handled: what sys.exc_info() says
	exc       *val // the exception that leaves the code, when pc is propagating
	kw        []string
	blocks    []block // up to 3.10
}

// propagating is the pc of a code that an exception is leaving.
const propagating = -1

// block is an entry of the block stack (3.9, 3.10).
type block struct {
	handler int // EXCEPT_HANDLER if negative
	level   int // depth of the stack
	kind    int // until 3.8, see xshared.go
}

// xcode is what does not change about a side.
type xcode struct {
	*side
	second   bool
	entry    int             // first instruction behind the prologue
	captured map[string]bool // cell and free variables
	opaque   map[string]*val // host objects by the global name they are published under
	next     *int            // source of ids for symbols and objects
	meet     []bool          // instructions at which paths may meet
	own      []string        // names of a namespace that only this side has, see withOwnVariables
}

func (s *xside) clone() *xside {
	t := *s
	t.stack = slices.Clone(s.stack)
	t.locals = maps.Clone(s.locals)
	t.heap = make(map[int]*object, len(s.heap))
	for id, o := range s.heap {
		p := *o
		p.items = slices.Clone(o.items)
		p.attrs = maps.Clone(o.attrs)
		t.heap[id] = &p
	}
	t.blocks = slices.Clone(s.blocks)
	return &t
}

func (s *xside) newID() int { *s.next++; return *s.next }

// goTo moves to another instruction, or to the beginning of the same.
func (s *xside) goTo(pc int) { s.pc, s.phase = pc, 0 }

func (s *xside) push(v ...*val) { s.stack = append(s.stack, v...) }

// top returns the n topmost values, deepest first; nil if there are fewer.
func (s *xside) top(n int) []*val {
	if n < 0 || n > len(s.stack) {
		return nil
	}
	return s.stack[len(s.stack)-n:]
}

// peek returns the value at depth n, 1 being the top; vTop if there is none, which
// is equal to nothing.
func (s *xside) peek(n int) *val {
	if n < 1 || n > len(s.stack) {
		return topVal
	}
	return s.stack[len(s.stack)-n]
}

func (s *xside) drop(n int) { s.stack = s.stack[:max(0, len(s.stack)-n)] }

// alloc puts a new object on the heap.
func (s *xside) alloc(o *object) *val {
	id := s.newID()
	s.heap[id] = o
	return &val{kind: vRef, id: id}
}

// object returns what v refers to if it is of kind k.
func (s *xside) object(v *val, k okind) *object {
	if v.kind != vRef {
		return nil
	}
	if o := s.heap[v.id]; o != nil && o.kind == k {
		return o
	}
	return nil
}

// sequence returns the items of a value whose items are known: a tuple or a list
// that nobody else has seen.
func (s *xside) sequence(v *val) ([]*val, bool) {
	if v.kind == vTuple {
		return v.items, true
	}
	if v.kind == vSym && v.exact {
		return []*val{{kind: vSplice, items: []*val{v}}}, true
	}
	if o := s.object(v, oList); o != nil {
		return o.items, true
	}
	return nil, false
}

// each calls f for every place of the state that holds a value, in a fixed order.
func (s *xside) each(f func(slot *(*val))) {
	for _, name := range slices.Sorted(maps.Keys(s.locals)) {
		v := s.locals[name]
		f(&v)
		s.locals[name] = v
	}
	for i := range s.stack {
		f(&s.stack[i])
	}
	f(&s.cur)
	if s.exc != nil {
		f(&s.exc)
	}
}

// replace substitutes values everywhere in the state, the heap included.
func (s *xside) replace(sub func(*val) *val) {
	var walk func(v *val) *val
	walk = func(v *val) *val {
		if w := sub(v); w != v {
			return w
		}
		for i, x := range v.items {
			if y := walk(x); y != x {
				// Copy once, then go on in place.
				w := *v
				w.items = slices.Clone(v.items)
				w.items[i] = y
				for k := i + 1; k < len(w.items); k++ {
					w.items[k] = walk(w.items[k])
				}
				return &w
			}
		}
		return v
	}
	s.each(func(slot **val) { *slot = walk(*slot) })
	for _, o := range s.heap {
		for i := range o.items {
			o.items[i] = walk(o.items[i])
		}
		for k := range o.attrs {
			o.attrs[k] = walk(o.attrs[k])
		}
	}
}

// collect drops the objects that nothing refers to.
func (s *xside) collect() {
	if len(s.heap) == 0 {
		return
	}
	live := map[int]bool{}
	var mark func(v *val)
	mark = func(v *val) {
		if v.kind == vRef && !live[v.id] {
			live[v.id] = true
			if o := s.heap[v.id]; o != nil {
				for _, x := range o.items {
					mark(x)
				}
				for _, x := range o.attrs {
					mark(x)
				}
			}
		}
		for _, x := range v.items {
			mark(x)
		}
	}
	// In any order, which each would have to sort for: this happens at every effect.
	for _, v := range s.locals {
		mark(v)
	}
	for _, v := range s.stack {
		mark(v)
	}
	mark(s.cur)
	if s.exc != nil {
		mark(s.exc)
	}
	maps.DeleteFunc(s.heap, func(id int, _ *object) bool { return !live[id] })
}

// fact is something a branch has found out: cond, a vBool or vIs without neg, is
// known.
type fact struct {
	cond *val
	is   bool
}

// xconf is a state of both codes at once. Symbols mean the same on both sides.
type xconf struct {
	a, b  *xside
	facts map[string]fact // by cond.key()
}

func (c *xconf) clone() *xconf {
	return &xconf{a: c.a.clone(), b: c.b.clone(), facts: maps.Clone(c.facts)}
}

// known resolves an unknown bool that a branch has found out.
func (c *xconf) known(v *val) *val {
	if v.kind != vBool && v.kind != vIs {
		return v
	}
	cond := v
	if v.neg {
		cond = v.not()
	}
	if f, ok := c.facts[cond.key()]; ok {
		return boolVal(f.is != v.neg)
	}
	return v
}

func (c *xconf) learn(v *val, is bool) {
	if v.neg {
		v, is = v.not(), !is
	}
	c.facts[v.key()] = fact{v, is}
}
