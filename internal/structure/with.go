package structure

import (
	"cmp"
	"slices"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/pyast"
)

// with writes a with statement. The list so far ends with its MarkWithEnter.
func (s *builder) with(out []pyast.Stmt, b *lift.Block, r *cfg.Region, h *lift.Block, c ctx) ([]pyast.Stmt, *lift.Block) {
	m := enteredBy(out)
	if m == nil {
		fail("a with block without its entry")
	}
	out = out[:len(out)-1]
	w := m.With
	node := withOf(m)
	inner := c
	inner.exc = r
	var after *lift.Block
	if s.g.CFG.Func.Code.Version.SharesFinallyBody() {
		// The clean-up code is shared; the way on lies behind it.
		inner.fall = h
		node.Body = dropExit(s.build(b, inner), w)
		rest := *h
		rest.Stmts = dropExit(h.Stmts, w)
		rest.Term.EndFinally = false
		after = s.copyOf(h, rest)
	} else {
		suppress := s.suppressed(r, h, c)
		x := s.withEnd(b, r, w, suppress, c)
		x = s.place(bodyEnds, b, x, c, func() map[*lift.Block]bool { return s.leavingTo(b, r, c) })
		inner.fall = cmp.Or(x, noBlock)
		node.Body = dropExit(s.build(b, inner), w)
		after = suppress
		if x != nil {
			rest := *x
			rest.Stmts = dropExit(x.Stmts, w)
			after = s.copyOf(x, rest)
		}
		after = s.place(goesOn, h, after, c, func() map[*lift.Block]bool {
			if suppress == nil {
				return nil
			}
			return map[*lift.Block]bool{suppress: true}
		})
	}
	return append(out, node), after
}

// withEnd is where the body of r's with statement w, which begins at b, ends: where it falls out of it.
func (s *builder) withEnd(b *lift.Block, r *cfg.Region, w *lift.With, suppress *lift.Block, c ctx) *lift.Block {
	if r.Kind == cfg.RegionTable {
		return s.normalExit(s.leaving(b, r, c), w, suppress, c)
	}
	return s.bodyEnd(r, c)
}

// withOf is the with statement that m enters, without its body.
func withOf(m *lift.Marker) *pyast.With {
	w := m.With
	item := &pyast.WithItem{ContextExpr: w.Context}
	if w.Bind != nil {
		item.OptionalVars = w.Bind.Target
	}
	return &pyast.With{Pos: pyast.At(w.Line, m.Position().Offset), IsAsync: w.Async, Items: []*pyast.WithItem{item}}
}

// enteredBy is the marker that the list ends with if a with statement is entered there.
func enteredBy(list []pyast.Stmt) *lift.Marker {
	if n := len(list); n > 0 {
		if m, _ := list[n-1].(*lift.Marker); m != nil && m.Kind == lift.MarkWithEnter {
			return m
		}
	}
	return nil
}

// suppressed finds where the handler h of region r goes on when __exit__ suppresses the exception.
func (s *builder) suppressed(r *cfg.Region, h *lift.Block, c ctx) *lift.Block {
	if exits := s.handlerExits(h, ctx{exc: c.exc}); len(exits) > 0 { // also the head of the loop around
		return exits[0]
	}
	return suppressedEnd(h)
}

// suppressedEnd finds the end of the function behind a with statement that comes
// out by a suppressed exception only: it has joined the end of the handler.
//
//	with c:
//	    return x
//	raise E
func suppressedEnd(h *lift.Block) *lift.Block {
	if h.Term.Kind != lift.Branch || h.True == nil || h.True == h {
		return nil
	}
	if x := h.True; x.Term.Kind == lift.Return || x.Term.Kind == lift.Raise {
		return x
	}
	return nil
}

// copyOf makes the edited copy of a block part of the graph, so that orders and
// dominance work for it.
func (s *builder) copyOf(old *lift.Block, edited lift.Block) *lift.Block {
	n := &edited
	n.Num = numberOf(old) + 1
	return n
}

// normalExit picks, among the ways out of a with body, the one that falls off
// its end: behind __exit__ it goes where a suppressed exception goes.
func (s *builder) normalExit(leaves []edge, w *lift.With, suppress *lift.Block, c ctx) *lift.Block {
	// A clause that comes out here by itself has been joined with the end of the body: one that
	// does not returns.
	slices.SortStableFunc(leaves, func(x, y edge) int {
		return (handled(y.from) - handled(y.to)) - (handled(x.from) - handled(x.to))
	})
	for i := len(leaves) - 1; i >= 0; i-- {
		x := leaves[i].to
		if len(x.Stmts) == 0 {
			continue
		}
		if m, ok := x.Stmts[0].(*lift.Marker); !ok || m.Kind != lift.MarkWithExit || m.With != w {
			continue
		}
		rest := *x
		rest.Stmts = x.Stmts[1:]
		if len(rest.Stmts) == 0 && rest.Term.Kind == lift.Goto && rest.Next.ID == x.ID {
			rest = *rest.Next // see splitExits
		}
		if suppress == nil {
			return x
		}
		if len(rest.Stmts) == 0 && rest.Term.Kind == lift.Goto && s.thru(rest.Next) == s.thru(suppress) {
			return x
		}
		if s.sameBlock(&rest, suppress, 8) || rest.Exc != suppress.Exc && len(rest.Stmts) == 0 && rest.Term.Kind == lift.Goto && s.sameBlock(rest.Next, suppress, 8) {
			return x
		}
		if rest.Term.Kind == lift.Goto && i == len(leaves)-1 && rest.Next != nil && !c.busy.has(s.thru(rest.Next)) && s.reach(rest.Next, ctx{busy: c.busy})[s.thru(suppress)] {
			return x
		}
	}
	return nil
}

// dropExit removes the calls of w's __exit__.
func dropExit(list []pyast.Stmt, w *lift.With) []pyast.Stmt {
	var out []pyast.Stmt
	for _, st := range list {
		if m, ok := st.(*lift.Marker); ok && m.Kind == lift.MarkWithExit && m.With == w {
			continue
		}
		pyast.Blocks(st, func(b *[]pyast.Stmt) { *b = dropExit(*b, w) })
		out = append(out, st)
	}
	return out
}

// splitExits cuts a block that leaves a with statement behind its last call of
// __exit__: what follows may stand behind the loop around the statement.
//
//	while a:
//	    with b:
//	        if c: break
//	d
func (s *builder) splitExits() {
	changed := false
	for _, a := range append([]*lift.Block(nil), s.g.Blocks...) {
		k := 0
		for k < len(a.Stmts) && isWithExit(a.Stmts[k]) {
			k++
		}
		if k == 0 || k == len(a.Stmts) && !s.either(behindExit, a, computesExit(a, a) && behindRegion(a) && !s.computesInside(a)) {
			continue
		}
		rest := &lift.Block{ID: a.ID, Stmts: a.Stmts[k:], Term: a.Term, Next: a.Next, True: a.True, False: a.False, Exc: a.Exc, Line: a.Term.Line, Src: a.Src, In: a.Out, Out: a.Out}
		if k < len(a.Stmts) {
			rest.Line = a.Stmts[k].Position().Line
		}
		s.g.Blocks = append(s.g.Blocks, rest)
		a.Stmts = a.Stmts[:k:k]
		a.Term = lift.Term{Kind: lift.Goto, Line: a.Line}
		a.Next, a.True, a.False = rest, nil, nil
		changed = true
	}
	if changed {
		s.g.ComputePreds()
	}
}

// suppressedGoesOn reports whether b leaves with statements behind which the function goes on: an exception that they
// suppress does not lead to the end of the function. Where b does, there is a `return`, or a `break` of a loop around.
func (s *builder) suppressedGoesOn(b *lift.Block) bool {
	if n := len(b.Stmts); n == 0 || !isWithExit(b.Stmts[n-1]) {
		return false
	}
	for _, p := range b.Preds {
		if p.Exc == b.Exc || !p.Exc.Inside(b.Exc) {
			continue
		}
		h := s.handlerOf(outermost(p.Exc, b.Exc))
		base := handlerBase(h)
		goesOn := false
		for x, more := range cfg.Walk(h) {
			if x == p {
				return false // in a loop, and that is left
			}
			if x != s.end {
				x.Succs(more)
			}
			idle := len(x.Stmts) == 0 && (x.Term.Kind == lift.Goto || x.Term.Kind == lift.Return && (x.Term.Value == nil || isNone(x.Term.Value)))
			goesOn = goesOn || x != h && x != s.end && !handling(x, base) && !idle
		}
		if goesOn {
			return true
		}
	}
	return false
}

// computesExit reports whether b ends with a `return`, a `raise` or a test of what it computes
// itself, behind the calls of __exit__ with which left ends. A value from before is a name here, or a constant.
func computesExit(left, b *lift.Block) bool {
	e := b.Term.Value
	switch b.Term.Kind {
	case lift.Raise:
		return true
	case lift.Branch:
		e = b.Term.Cond
	case lift.Return:
		if e == nil {
			return false
		}
	default:
		return false
	}
	if n, ok := e.(*pyast.Name); ok && len(left.Stmts) > 0 {
		return n.Offset > left.Stmts[len(left.Stmts)-1].Position().Offset // where it is loaded tells
	}
	return !lift.Simple(e)
}

// computesInside reports whether b, which begins with the calls of __exit__, computes what it
// ends with in front of them: the exception table has it inside of the statement (3.11+).
func (s *builder) computesInside(b *lift.Block) bool {
	for _, st := range b.Stmts {
		m, _ := st.(*lift.Marker)
		if entry := s.entryOf(m); entry != nil && entry.Next != nil && b.Exc != nil && b.Exc.Kind == cfg.RegionTable && entry.Next.Exc == b.Exc {
			return true
		}
	}
	return false
}

// behindRegion reports whether b begins where protected statements end. Else it may
// be a part of their body that the call of __exit__ has been joined to.
func behindRegion(b *lift.Block) bool {
	for _, p := range b.Preds {
		if p.Exc == b.Exc || !p.Exc.Inside(b.Exc) {
			return false
		}
	}
	return len(b.Preds) > 0
}

// leavesWith reports whether b does nothing but call a with statement's __exit__:
// on a way out of a loop it belongs to the statement in it.
func leavesWith(b *lift.Block) bool {
	for _, st := range b.Stmts {
		if !isWithExit(st) {
			return false
		}
	}
	return len(b.Stmts) > 0
}

// pastExits follows b through the ends of with statements.
func (s *builder) pastExits(b *lift.Block) *lift.Block {
	return s.exitsUntil(b, func(*lift.Block) bool { return false })
}

// exitsUntil follows b through the ends of with statements, until there is such a block.
func (s *builder) exitsUntil(b *lift.Block, such func(*lift.Block) bool) *lift.Block {
	b = s.thru(b)
	for n := 0; !such(b) && leavesWith(b) && b.Term.Kind == lift.Goto && b.Next != nil && n < 20; n++ {
		b = s.thru(b.Next)
	}
	return b
}

// enteredIn reports whether the with statements that b leaves are entered in a set of blocks.
func (s *builder) enteredIn(set map[*lift.Block]bool, b *lift.Block) bool {
	for _, st := range b.Stmts {
		if m, ok := st.(*lift.Marker); ok && m.Kind == lift.MarkWithExit && !set[s.entryOf(m)] {
			return false
		}
	}
	return true
}

// entryOf is the block that enters the with statement that m leaves.
func (s *builder) entryOf(m *lift.Marker) *lift.Block {
	if s.entries == nil {
		s.entries = map[*lift.With]*lift.Block{}
		for _, x := range s.g.Blocks {
			for _, st := range x.Stmts {
				if m, ok := st.(*lift.Marker); ok && m.Kind == lift.MarkWithEnter {
					s.entries[m.With] = x
				}
			}
		}
	}
	if m == nil || m.With == nil {
		return nil
	}
	return s.entries[m.With]
}

func isWithExit(st pyast.Stmt) bool {
	m, ok := st.(*lift.Marker)
	return ok && m.Kind == lift.MarkWithExit
}
