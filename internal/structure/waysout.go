package structure

import (
	"cmp"
	"slices"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/pyast"
)

// edge is a way out of a set of blocks.
type edge struct{ from, to *lift.Block }

// leaving lists the ways out of region r, those that come last in the layout
// last. Ways that the context turns into `break` and `continue` are left out.
func (s *builder) leaving(b *lift.Block, r *cfg.Region, c ctx) []edge {
	var out []edge
	for x, more := range cfg.Walk(b) {
		visit := func(n *lift.Block) {
			switch {
			case n.Exc.Inside(r):
				more(n)
			case s.at(n, c.cont), s.at(n, c.brk) && !s.at(n, c.fall), c.busy.has(s.thru(n)), s.breaks(n, c):
			default:
				out = append(out, edge{x, n})
			}
		}
		x.Succs(visit)
		// Handlers of statements inside the body belong to the body.
		s.raisesTo(x, r, more)
	}
	slices.SortStableFunc(out, func(x, y edge) int { return cmp.Or(cmp.Compare(x.to.ID, y.to.ID), cmp.Compare(x.from.ID, y.from.ID)) })
	return out
}

// breaks reports whether b is a `break` of the loop around, perhaps out of the body of the
// statement that is being written.
func (s *builder) breaks(b *lift.Block, c ctx) bool {
	if len(b.Stmts) > 0 || b.Term.Kind != lift.Goto || c.brk == nil || !s.at(b.Next, c.brk) {
		return false
	}
	return b.Term.Break || b.Term.EndBody != nil && b.Term.EndBody == c.exc && !s.at(b.Next, c.fall)
}

// normalEnd picks, among the ways out of a try body, the one that falls off its
// end: the last in the layout of those that go on least far. A plain `return` that stands above the handler
// in the source is written inside the body. Until 3.10 the bytecode tells the
// place.
func (s *builder) normalEnd(r *cfg.Region, leaves []edge, h *lift.Block, c ctx) *lift.Block {
	if r.Kind != cfg.RegionTable {
		return s.bodyEnd(r, c)
	}
	var best *lift.Block
	for _, e := range slices.Backward(leaves) {
		x := e.to
		if len(x.Stmts) == 0 && x.Term.Kind == lift.Return && (h.Line == 0 || x.Term.Line < h.Line) {
			continue
		}
		if returnsThroughWith(x) || s.leavesAround(s.thru(x), c) {
			continue
		}
		if best == nil || s.howFar(x, r, c) < s.howFar(best, r, c) {
			best = x
		}
	}
	return best
}

// returnsThroughWith reports whether b calls __exit__ of with statements around
// and returns a value that was computed before: a `return` in the body.
func returnsThroughWith(b *lift.Block) bool {
	for n := 0; leavesWith(b) && b.Term.Kind == lift.Goto && b.Next != nil && n < 20; n++ {
		b = b.Next
	}
	if len(b.Stmts) > 0 && !leavesWith(b) || b.Term.Kind != lift.Return {
		return false
	}
	v, ok := b.Term.Value.(*pyast.Name)
	return ok && lift.IsTemp(v.Id)
}

// breakThroughWith finds, among the ways out of a loop, one that can be nothing but a
// `break` in a with statement: behind __exit__ it computes what it returns, and an
// exception that __exit__ suppresses leads elsewhere.
//
//	while True:
//	    with b:
//	        if c: break
//	return d()
func (s *builder) breakThroughWith(leave []*lift.Block, text map[*lift.Block]bool, c ctx) *lift.Block {
	found := map[*lift.Block]bool{}
	for _, x := range leave {
		if s.ctxBlock(x, c) || s.leavesAround(x, c) {
			continue
		}
		for p := range text {
			if leavesWith(p) && p.Next != nil && !p.Term.EndFinally && s.thru(p.Next) == x && (s.computes(x) || computesExit(p, x)) && !s.suppressedTo(p, x) {
				found[x] = true
				break
			}
		}
	}
	return s.first(found, nil)
}

// computes reports whether code stands behind x that does more than return a value that was computed before: it is in no with statement
// that has been left in front of it.
func (s *builder) computes(x *lift.Block) bool {
	b := x
	for n := 0; len(b.Stmts) == 0 && b.Term.Kind == lift.Goto && b.Next != nil && b.Exc == x.Exc && n < 20; n++ {
		b = b.Next
	}
	return b != s.end && (len(b.Stmts) > 0 || b.Exc != x.Exc || b.Term.Kind == lift.Branch || b.Term.Kind == lift.For)
}

// brokenTurn reports whether a `break` in a with statement leads to what stands behind the test b, which is that of a while
// loop: behind __exit__ the body's end and a suppressed exception go on at one place, and this is another.
//
//	while a:
//	    with b:
//	        break
//	    return
//	c
//
// So does one out of a try statement that the bytecode tells to be a `break` (3.8-3.10), if no loop in the arm has it.
func (s *builder) brokenTurn(b, els *lift.Block, c ctx) bool {
	if s.thru(els) == s.end || s.at(els, c.fall) || s.at(els, c.brk) || s.at(els, c.cont) || s.leavesAround(els, c) {
		return false
	}
	shared := s.g.CFG.Func.Code.Version.SharesFinallyBody() // both run through one __exit__
	return slices.ContainsFunc(els.Preds, func(p *lift.Block) bool {
		if p.Term.Break && p.Exc != c.exc && p.Exc.Inside(c.exc) && len(p.In) == len(b.Out) {
			return !s.loopApart(p.Exc, b)
		}
		return !shared && leavesWith(p) && p.Term.Kind == lift.Goto && !s.suppressedTo(p, els)
	})
}

// loopApart reports whether a loop holds a part of r, and not b.
func (s *builder) loopApart(r *cfg.Region, b *lift.Block) bool {
	for _, body := range s.loops {
		for x := range body {
			if !body[b] && x.Exc.Inside(r) {
				return true
			}
		}
	}
	return false
}

// suppressedTo reports whether an exception that the with statements left by p
// suppress leads to x too.
func (s *builder) suppressedTo(p, x *lift.Block) bool {
	for _, b := range p.Preds {
		for e := b.Exc; e != nil && e != p.Exc; e = e.Parent {
			for _, y := range s.handlerExits(s.handlerOf(e), ctx{}) {
				if s.thru(y) == s.thru(x) || s.sameBlock(y, x, 8) {
					return true
				}
			}
		}
	}
	return false
}

// bodyEnd returns where r's body goes when it ends normally, nil if it never does: the
// first of its ends that goes on least far: behind the statement, through the end of the one
// around, out of the function, on in the loop around, out of it.
func (s *builder) bodyEnd(r *cfg.Region, c ctx) *lift.Block {
	if s.bodyEnds == nil {
		s.bodyEnds = map[*cfg.Region][]*lift.Block{}
		for _, b := range s.g.Blocks {
			if e := b.Term.EndBody; e != nil && s.dom.Order[numberOf(b)] >= 0 {
				s.bodyEnds[e] = append(s.bodyEnds[e], b)
			}
		}
	}
	var best *lift.Block
	for _, b := range s.bodyEnds[r] {
		if best == nil || s.howFar(b.Next, r, c) < s.howFar(best.Next, r, c) {
			best = b
		}
	}
	if best == nil {
		return nil
	}
	return best.Next
}

// howFar says how far a way goes that leaves the body of r for b: behind the statement, through the end of the
// one around, out of the loop or the function by that, out of the function, on in the loop around, out of it.
func (s *builder) howFar(b *lift.Block, r *cfg.Region, c ctx) int {
	to := s.pastExits(b) // what calls __exit__ goes as far as what is behind
	leaves := func(x *lift.Block) bool {
		return x == s.end || x.Term.Kind == lift.Return && (len(beforeClear(x.Stmts)) == 0 || leavesWith(x))
	}
	switch {
	case s.at(to, c.brk):
		return 5
	case s.at(to, c.cont):
		return 4
	case s.at(b, c.fall) && leavesWith(s.thru(b)):
		return 2 // the with statement around ends there: a return behind that is no longer in it
	case leaves(to):
		return 3
	case len(to.Stmts) > 0 || to.Term.EndBody == nil || to.Term.EndBody == r:
		return 0
	}
	if out := s.outOfBodies(to); s.at(out, c.brk) || leaves(s.thru(out)) {
		return 2
	}
	return 1
}

// leavesAround reports whether b stands behind the statement whose body is being written, and
// is not what follows it: a `return` leads there.
func (s *builder) leavesAround(b *lift.Block, c ctx) bool {
	return c.exc != nil && !b.Exc.Inside(c.exc) && !s.at(b, c.fall)
}

// endsBody reports whether the protected body that is being written ends at b: nothing stands
// behind that in it. Where a loop in the body is being written, its breaks lead there.
func (s *builder) endsBody(b *lift.Block, c ctx) bool {
	return c.exc != nil && s.thru(b).Term.EndBody == c.exc && (!s.at(b, c.brk) || s.at(b, c.fall))
}

// reachable reports whether b is part of the graph.
func (s *builder) reachable(b *lift.Block) bool {
	k, ok := number(b)
	return ok && s.dom.Order[k] >= 0
}
