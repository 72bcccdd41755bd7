package equiv

import (
	"maps"
	"slices"
)

// A join forgets an object that is new in one state and a symbol in the other, or
// that has different sizes in them, such as the list that a loop fills. Before
// that happens the object may escape instead: nothing noticed it, so it may as
// well be taken for noticed, if the other code has a corresponding one, at the
// price that changes to it are effects from here on.

// alongside calls f for the values that are in corresponding places of two states
// of one side.
func alongside(s, t *xside, f func(v, w *val)) {
	seen := map[[2]int]bool{}
	var visit func(v, w *val)
	all := func(v, w []*val) {
		if len(v) == len(w) {
			for i := range v {
				visit(v[i], w[i])
			}
		}
	}
	visit = func(v, w *val) {
		f(v, w)
		all(v.items, w.items)
		if k := [2]int{v.id, w.id}; v.kind == vRef && w.kind == vRef && !seen[k] {
			seen[k] = true
			if o, p := s.heap[v.id], t.heap[w.id]; o != nil && p != nil {
				all(o.items, p.items)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.locals)) {
		w := t.locals[name]
		if w == nil {
			w = unboundVal
		}
		visit(s.locals[name], w)
	}
	all(s.stack, t.stack)
}

// escapeUneven makes new objects of x escape where y has something else: mostly
// the symbol as which they have escaped there already.
func (e *effects) escapeUneven(x, y *xconf) {
	pairs := func(s, t *xside) map[string][]int { // value of y -> objects of x
		out := map[string][]int{}
		alongside(s, t, func(v, w *val) {
			if v.kind == vRef && w.kind != vRef && shareable(w) {
				if k := w.key(); !slices.Contains(out[k], v.id) {
					out[k] = append(out[k], v.id)
				}
			}
		})
		return out
	}
	pa, pb := pairs(x.a, y.a), pairs(x.b, y.b)
	for _, k := range slices.Sorted(maps.Keys(pa)) {
		for _, i := range pa[k] {
			for _, j := range pb[k] {
				if x.a.heap[i] == nil || x.b.heap[j] == nil {
					continue
				}
				if m := e.match(x); m.objects(i, j) {
					m.escape()
					x.a.collect()
					x.b.collect()
					break
				}
			}
		}
	}
}

// escapeGrown makes objects that have no joint state escape in both states.
func (e *effects) escapeGrown(x, y *xconf) {
	type pair struct{ x, y int }
	uneven := func(s, t *xside) (out []pair) {
		alongside(s, t, func(v, w *val) {
			o, p := s.heap[v.id], t.heap[w.id]
			if v.kind == vRef && w.kind == vRef && o != nil && p != nil && !sameShape(o, p) {
				out = append(out, pair{v.id, w.id})
			}
		})
		return out
	}
	for _, p := range uneven(x.a, y.a) {
		for _, q := range uneven(x.b, y.b) {
			if x.a.heap[p.x] == nil || y.a.heap[p.y] == nil || x.b.heap[q.x] == nil || y.b.heap[q.y] == nil {
				continue
			}
			m, n := e.match(x), e.match(y)
			if m.objects(p.x, q.x) && n.objects(p.y, q.y) {
				m.escape()
				n.escape()
				for _, s := range []*xside{x.a, x.b, y.a, y.b} {
					s.collect()
				}
				break
			}
		}
	}
}
