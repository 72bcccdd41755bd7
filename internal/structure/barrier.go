package structure

import "github.com/thuml/depyf/internal/lift"

// Long functions are structured piece by piece, so that the work stays linear.
//
// Where statements meet is found by looking at all that lies behind them, which
// for each of ten thousand statements in a row would be the rest of the function.
// A barrier is a block that everything behind a statement begins with: what lies
// before it is then structured as if the barrier were the end, and what the
// statement cannot see cannot change the result.

// barrierBlocks is the size from which a rest is worth cutting off. No function
// of CPython's own library is as long.
const barrierBlocks = 300

// maxExits bounds the exits that are remembered for each block.
const maxExits = 6

// exitSet is where control leaves the blocks that one block dominates.
type exitSet struct {
	many   bool // more than maxExits: nothing is known
	normal []*lift.Block
	raised []*lift.Block // handlers
}

func (e *exitSet) add(list *[]*lift.Block, b *lift.Block) {
	for _, x := range *list {
		if x == b {
			return
		}
	}
	if len(*list) == maxExits {
		e.many = true
		return
	}
	*list = append(*list, b)
}

// findExits computes the exits and the size of every dominator subtree, from the
// leaves up.
func (s *builder) findExits() {
	n := len(s.blocks)
	if n < barrierBlocks {
		return
	}
	s.exitsOf, s.below = make([]exitSet, n), make([]int, n)
	s.enter, s.leave = make([]int, n), make([]int, n)
	s.numberTree()
	for i := len(s.dom.RPO) - 1; i >= 0; i-- {
		k := s.dom.RPO[i]
		b, e := s.blocks[k], &s.exitsOf[k]
		s.below[k]++
		take := func(list *[]*lift.Block, x *lift.Block) {
			if m, ok := number(x); !ok || !s.under(k, m) {
				e.add(list, x)
			}
		}
		b.Succs(func(x *lift.Block) { take(&e.normal, s.thru(x)) })
		for r := b.Exc; r != nil; r = r.Parent {
			if h := s.catcher[r]; h != nil {
				take(&e.raised, h)
			}
		}
		for _, child := range s.dom.Children[k] {
			ce := &s.exitsOf[child]
			s.below[k] += s.below[child]
			e.many = e.many || ce.many
			for _, x := range ce.normal {
				take(&e.normal, x)
			}
			for _, x := range ce.raised {
				take(&e.raised, x)
			}
		}
	}
}

// numberTree numbers the dominator tree so that dominance is a comparison.
func (s *builder) numberTree() {
	clock := 0
	type frame struct{ node, next int }
	stack := []frame{{node: numberOf(s.g.Entry)}}
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if f.next == 0 {
			clock++
			s.enter[f.node] = clock
		}
		if kids := s.dom.Children[f.node]; f.next < len(kids) {
			f.next++
			stack = append(stack, frame{node: kids[f.next-1]})
			continue
		}
		s.leave[f.node] = clock
		stack = stack[:len(stack)-1]
	}
}

// under reports whether block number a dominates block number b.
func (s *builder) under(a, b int) bool { return s.enter[a] <= s.enter[b] && s.enter[b] <= s.leave[a] }

// barrier returns a block behind b that ends the piece to structure next, or nil:
// b's statement leads nowhere else, and the barrier's own blocks lead back to
// nothing but the context.
func (s *builder) barrier(b *lift.Block, c ctx) *lift.Block {
	k, ok := number(b)
	if !ok || s.exitsOf == nil || k >= len(s.below) || s.below[k] < barrierBlocks || c.final != nil {
		return nil
	}
	best := -1
	for _, child := range s.dom.Children[k] {
		if best < 0 || s.below[child] > s.below[best] {
			best = child
		}
	}
	if best < 0 || s.below[best] < barrierBlocks/2 {
		return nil
	}
	p := s.blocks[best]
	if p == s.end || s.ctxBlock(p, c) || len(p.HandlerOf) > 0 || len(p.In) > len(b.In) || !s.closed(best, c) || !s.passes(b, p, c) {
		return nil
	}
	return p
}

// closed reports whether block k's subtree is left for the context alone.
func (s *builder) closed(k int, c ctx) bool {
	e := &s.exitsOf[k]
	if e.many {
		return false
	}
	for _, x := range e.normal {
		if x != s.end && !s.ctxBlock(x, c) {
			return false
		}
	}
	return s.letsPass(e, c)
}

// letsPass reports whether no exit leads to a handler that the context is to write.
func (s *builder) letsPass(e *exitSet, c ctx) bool {
	for _, h := range e.raised {
		for _, r := range h.HandlerOf {
			if r != c.exc && r.Inside(c.exc) {
				return false
			}
		}
	}
	return true
}

// passes reports whether every way from b that goes on does so through p.
func (s *builder) passes(b, p *lift.Block, c ctx) bool {
	p = s.thru(p)
	arrives := false
	n := 0
	for x, more := range s.walkThru(b) {
		switch {
		case x == p:
			arrives = true
			continue
		case s.at(x, c.fall), n > 10*barrierBlocks:
			return false
		case x != b && s.ctxBlock(x, c), x == s.end:
			continue
		}
		n++
		x.Succs(more)
		s.raisesTo(x, c.exc, more)
	}
	return arrives
}

// armsMeet reports whether the arms x and y do nothing but lead to j, as far as
// the exits tell: quickJoin's answer without its walk.
func (s *builder) armsMeet(x, y, j *lift.Block, c ctx) bool {
	if s.exitsOf == nil {
		return false
	}
	for _, arm := range []*lift.Block{x, y} {
		if arm == j {
			continue
		}
		k, ok := number(arm)
		if !ok || k >= len(s.exitsOf) || s.dom.Order[k] < 0 {
			return false
		}
		e := &s.exitsOf[k]
		if e.many || len(e.normal) != 1 || e.normal[0] != j || s.holdsContext(k, c) || !s.letsPass(e, c) {
			return false
		}
	}
	kx, ky := numberOf(x), numberOf(y)
	return x == j || y == j || !s.under(kx, ky) && !s.under(ky, kx)
}

// holdsContext reports whether a block of the context lies below block k.
func (s *builder) holdsContext(k int, c ctx) bool {
	below := func(b *lift.Block) bool {
		if b == nil {
			return false
		}
		for _, x := range []*lift.Block{b, s.thru(b)} {
			if m, ok := number(x); ok && m < len(s.enter) && s.dom.Order[m] >= 0 && s.under(k, m) {
				return true
			}
		}
		return false
	}
	if below(c.fall) || below(c.cont) || below(c.brk) {
		return true
	}
	for l := c.busy; l != nil; l = l.up {
		if below(l.head) {
			return true
		}
	}
	for l := c.stop; l != nil; l = l.up {
		if below(l.block) {
			return true
		}
	}
	return false
}
