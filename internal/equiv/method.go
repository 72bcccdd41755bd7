package equiv

import (
	"github.com/thuml/depyf/internal/opcode"
)

// methodForm takes the two ways to call an attribute, with the arguments that
// follow, as equal:
//
//	PUSH_NULL; x; LOAD_ATTR f    is    x; LOAD_METHOD f      3.11, 3.12
//	x; LOAD_ATTR f; PUSH_NULL    is    x; LOAD_METHOD f      3.13+
//
// From 3.11 the compiler uses the plain form if x is a name that the module
// imports, so the same function compiles differently without its module. Both
// leave a callee of two slots, which hold different things, so that it must also
// be shown that nothing but a call takes them.
func (w *walker) methodForm(i, j int) (ni, nj int, ok bool) {
	if !w.a.v.HasMethodCallees() {
		return 0, 0, false
	}
	ni, nj, ok = w.plainMethod(w.a, w.b, i, j)
	if !ok {
		nj, ni, ok = w.plainMethod(w.b, w.a, j, i)
	}
	if !ok || !w.a.onlyCalled(ni) || !w.b.onlyCalled(nj) {
		return 0, 0, false
	}
	return ni, nj, true
}

// plainMethod matches the plain form at i of p with the method form at j of m.
func (w *walker) plainMethod(p, m *side, i, j int) (ni, nj int, ok bool) {
	pair := func(i, j int) bool { // in the order handlers wants
		if p == w.a {
			return w.handlersOf(i, j)
		}
		return w.handlersOf(j, i)
	}
	if !p.v.NullAfterCallable() {
		// The object is always a plain name here, see above.
		if !p.isOp(i, opcode.PushNull) {
			return 0, 0, false
		}
		i = p.skip(i + 1)
		if i < 0 || j < 0 || i >= len(p.in) || j >= len(m.in) || !readsName[p.in[i].Op] || !w.same(&p.in[i], &m.in[j]) || !pair(i, j) {
			return 0, 0, false
		}
		i, j = p.skip(i+1), m.skip(j+1)
	}
	if !p.isOp(i, opcode.LoadAttr) || !m.isOp(j, opcode.LoadMethod) || p.in[i].Name != m.in[j].Name {
		return 0, 0, false
	}
	if !w.handlersAny(p, i, j) {
		return 0, 0, false
	}
	if p.v.NullAfterCallable() {
		if i = p.skip(i + 1); !p.isOp(i, opcode.PushNull) {
			return 0, 0, false
		}
	}
	return i + 1, j + 1, true
}

// handlersAny compares the handlers at i of p and j of the other side.
func (w *walker) handlersAny(p *side, i, j int) bool {
	if p == w.a {
		return w.handlers(i, j)
	}
	return w.handlers(j, i)
}

var readsName = setOf(opcode.LoadName, opcode.LoadGlobal, opcode.LoadFast, opcode.LoadDeref,
	opcode.LoadClassDeref, opcode.LoadFromDictOrDeref, opcode.LoadFromDictOrGlobals)

// onlyCalled reports whether, on every path from instruction i, the two topmost
// stack slots are taken by a call as its callee, or dropped by an exception, and
// by nothing else.
func (s *side) onlyCalled(i int) bool {
	type place struct{ i, above int } // above: slots on top of the two
	depth := s.depths()
	if depth == nil || i >= len(depth) || depth[i] < 2 {
		return false
	}
	base := depth[i] - 2
	seen := map[place]bool{}
	work := []place{{i, 0}}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if p.i < 0 || p.i >= len(s.in) {
			return false
		}
		if seen[p] {
			continue
		}
		seen[p] = true
		x := &s.in[p.i]
		if h := s.handler(p.i); h != nil && h.Depth > base {
			k := h.Depth - base - 2
			if k < 0 {
				return false
			}
			if h.Lasti {
				k++
			}
			work = append(work, place{h.Target, k + 1})
		}
		if callee, isCall := calleeDepth(x); isCall && callee == p.above+2 {
			continue
		}
		eff, ok := stackEffect(x, s.v)
		if !ok || eff.reach > p.above {
			return false
		}
		if !ends(x.Op) {
			work = append(work, place{p.i + 1, p.above + eff.next})
		}
		if x.Target >= 0 && x.Op != opcode.EndAsyncFor {
			work = append(work, place{x.Target, p.above + eff.taken})
		}
		if x.Op == opcode.Return {
			return false
		}
	}
	return true
}
