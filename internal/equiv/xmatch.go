package equiv

import (
	"fmt"
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// A matching compares values of the first side with values of the second. New
// objects that correspond are paired one to one; when the matching succeeds they
// have escaped into the world, as the same object for both sides.
type matching struct {
	c      *xconf
	e      *effects
	ab, ba map[int]int
	codes  []codePair
	depth  int
	why    string // what differs, if that is worth saying
}

func (e *effects) match(c *xconf) *matching {
	return &matching{c: c, e: e, ab: map[int]int{}, ba: map[int]int{}}
}

func (m *matching) all(x, y []*val) bool {
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if !m.equal(x[i], y[i]) {
			return false
		}
	}
	return true
}

func (m *matching) equal(x, y *val) bool {
	if m.depth++; m.depth > 1<<14 {
		return false
	}
	x, y = m.c.known(x), m.c.known(y)
	if x.kind != y.kind {
		return false
	}
	switch x.kind {
	case vConst:
		return constEqual(x.c, y.c, sameCode)
	case vRef:
		return m.objects(x.id, y.id)
	case vTuple, vSlice, vSplice:
		return m.all(x.items, y.items)
	case vMethod, vIs, vPart:
		return x.id == y.id && x.neg == y.neg && x.name == y.name && m.all(x.items, y.items)
	case vSym, vBool, vMaybe:
		return x.id == y.id && x.neg == y.neg
	case vCell:
		return x.name == y.name
	case vNull, vLasti, vUnbound:
		return x.id == y.id
	}
	return false // vTop
}

func (m *matching) objects(i, j int) bool {
	p, seenA := m.ab[i]
	q, seenB := m.ba[j]
	if seenA || seenB {
		return seenA && seenB && p == j && q == i
	}
	m.ab[i], m.ba[j] = j, i
	x, y := m.c.a.heap[i], m.c.b.heap[j]
	if x == nil || y == nil || x.kind != y.kind {
		return false
	}
	if x.kind == oFunc {
		return m.functions(x, y)
	}
	if slices.ContainsFunc(x.items, looker) {
		return m.differ("who has this object may look at variables")
	}
	return m.all(x.items, y.items)
}

// functions compares new functions: their attributes, their closures by the name
// under which the inner code knows each cell, and, later, their code.
func (m *matching) functions(x, y *object) bool {
	if x.code == nil || y.code == nil {
		return false
	}
	for _, attr := range functionAttrs {
		v, w := x.attrs[attr], y.attrs[attr]
		switch {
		case attr == closureAttr:
			if !m.closures(x, y) {
				return m.differ("closures of %s differ", x.code.Name)
			}
		case v == nil && w == nil, attr == qualNameAttr && m.e.opt.AnyQualName:
		case v == nil || w == nil || !m.equal(v, w):
			return m.differ("defaults or annotations of %s differ", x.code.Name)
		}
	}
	if x.code != y.code {
		m.codes = append(m.codes, codePair{a: x.code, b: y.code})
	}
	return true
}

// functionAttrs are the operands by which MAKE_FUNCTION and
// SET_FUNCTION_ATTRIBUTE mean the parts of a function; 0x100 is the qualified
// name, which the code object has as well from 3.11.
var functionAttrs = []int{1, 2, 4, closureAttr, 16, qualNameAttr}

const (
	closureAttr  = 8
	qualNameAttr = 0x100
)

// closures compares the cells that two functions capture. A cell that the inner
// code never touches may be missing on one side.
func (m *matching) closures(x, y *object) bool {
	cells := func(o *object) (map[string]*val, bool) {
		names := o.code.FreeVars()
		v := o.attrs[closureAttr]
		if v == nil {
			return nil, len(names) == 0
		}
		if v.kind != vTuple || len(v.items) != len(names) {
			return nil, false
		}
		out := map[string]*val{}
		for i, n := range names {
			out[n] = v.items[i]
		}
		return out, len(out) == len(names)
	}
	p, ok1 := cells(x)
	q, ok2 := cells(y)
	if !ok1 || !ok2 {
		return false
	}
	for n, v := range p {
		if w := q[n]; w == nil && touches(x.code, n) || w != nil && !m.equal(v, w) {
			return false
		}
	}
	for n := range q {
		if p[n] == nil && touches(y.code, n) {
			return false
		}
	}
	return true
}

// touches reports whether reachable code uses a free variable.
func touches(c *pyc.Code, name string) bool {
	if len(c.Bytecode) == 0 {
		return true // lowered code, which is not looked into here
	}
	f, err := bytecode.Decode(c)
	if err != nil {
		return true
	}
	s := newSide(f)
	seen := make([]bool, len(s.in))
	work := []int{0}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for ; i >= 0 && i < len(s.in) && !seen[i]; i++ {
			seen[i] = true
			x := &s.in[i]
			if derefs[x.Op] && x.Name == name || x.Op == opcode.LoadFast && x.Name == name {
				return true
			}
			if h := s.handler(i); h != nil {
				work = append(work, h.Target)
			}
			if x.Target >= 0 {
				work = append(work, x.Target)
			}
			if ends(x.Op) {
				break
			}
		}
	}
	return false
}

// differ notes the reason of the first difference.
func (m *matching) differ(format string, args ...any) bool {
	if m.why == "" {
		m.why = fmt.Sprintf(format, args...)
	}
	return false
}

// escape makes the paired objects symbols, and queues the pairs of codes.
func (m *matching) escape() {
	for _, p := range m.codes {
		m.e.nested(p.a, p.b)
	}
	if len(m.ab) == 0 {
		return
	}
	symA, symB := map[int]*val{}, map[int]*val{}
	for i, j := range m.ab {
		s := &val{kind: vSym, id: m.c.a.newID()}
		symA[i], symB[j] = s, s
	}
	for _, k := range []struct {
		s   *xside
		sym map[int]*val
	}{{m.c.a, symA}, {m.c.b, symB}} {
		k.s.replace(func(v *val) *val {
			if v.kind == vRef {
				if s := k.sym[v.id]; s != nil {
					return s
				}
			}
			return v
		})
	}
}

// sameCode reports whether two constants are one code object. The host gives an
// object one name, however often it sends it.
func sameCode(a, b *pyc.Code) bool {
	return a == b || a != nil && b != nil && a.HostName != "" && a.HostName == b.HostName
}
