package equiv

import (
	"maps"
	"slices"
)

// hanging is the pc of a code that goes round and round without an effect: `while True: pass`,
// in however many instructions.
const hanging = -2

// hangs watches one side for a state that it has been in before (Brent, An improved Monte Carlo
// factorization algorithm, 1980: the state to compare with is taken at each power of two).
type hangs struct{ before *xside }

// goesRound looks at the state before step n without an effect, and moves the side to hanging
// once it is one that it was in before.
func (h *hangs) goesRound(s *xside, n int) {
	switch {
	case h.before != nil && s.pc == h.before.pc && s.sameAs(h.before):
		s.goTo(hanging)
	case n >= 64 && n&(n-1) == 0:
		h.before = s.clone()
	}
}

// sameAs reports whether two states of a side are the same.
func (s *xside) sameAs(t *xside) bool {
	if s.phase != t.phase || s.returning != t.returning || !slices.Equal(s.kw, t.kw) || !slices.Equal(s.blocks, t.blocks) {
		return false
	}
	same := func(v, w *val) bool { return v == w || v.key() == w.key() }
	return slices.EqualFunc(s.stack, t.stack, same) && maps.EqualFunc(s.locals, t.locals, same) && same(s.cur, t.cur) &&
		maps.EqualFunc(s.heap, t.heap, func(o, p *object) bool {
			return o.kind == p.kind && o.code == p.code && slices.EqualFunc(o.items, p.items, same) && maps.EqualFunc(o.attrs, p.attrs, same)
		})
}
