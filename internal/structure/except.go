package structure

import (
	"cmp"
	"slices"
	"sort"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
)

// caughtEnds lists where the except clauses of h go when they end normally, as
// far as the bytecode says so (≤3.10). Jumps of the context count only when
// there is nothing else.
func (s *builder) caughtEnds(h *lift.Block, c ctx) []*lift.Block {
	base := handlerBase(h)
	var out, jumps, never []*lift.Block
	for x, more := range cfg.Walk(h) {
		if x == s.end || !handling(x, base) && x != h {
			continue
		}
		if x.Term.EndExcept && x.Next != nil && len(x.Out) <= base {
			n := x.Next
			if s.at(n, c.fall) || !(s.at(n, c.cont) || s.at(n, c.brk) || c.busy.has(s.thru(n))) {
				out = append(out, n)
			} else if len(x.Out) == base {
				jumps = append(jumps, n) // else it leaves a statement around, too, as the end of a clause does not
			}
		}
		switch n := x.ClauseEnd; {
		case handled(x) > handled(h): // a clause in this one
		case x.ClauseReturns:
			never = append(never, s.end)
		case n != nil && s.reachable(n):
			never = append(never, n)
		}
		x.Succs(more)
		s.raisesTo(x, c.exc, more)
	}
	if len(out) == 0 {
		out = jumps
	}
	if len(out) == 0 && len(never) > 0 {
		out = never[:1]
	}
	sort.SliceStable(out, func(i, j int) bool { return s.order(s.thru(out[i])) < s.order(s.thru(out[j])) })
	return out
}

// clausesMeet picks where the code behind the try statement begins, from where
// its clauses end; x is where its body ends.
func (s *builder) clausesMeet(x *lift.Block, ends []*lift.Block, c ctx) *lift.Block {
	both := s.reach(ends[0], c)
	same := true
	for _, e := range ends {
		if x != nil && s.at(x, e) {
			return x
		}
		same = same && s.at(e, ends[0])
		both = intersect(both, s.reach(e, c))
	}
	if same {
		return ends[0]
	}
	return s.meet(ends[0], ends[len(ends)-1], both, c)
}

// except writes try/except/else.
func (s *builder) except(out []pyast.Stmt, b *lift.Block, r *cfg.Region, h *lift.Block, c ctx) ([]pyast.Stmt, *lift.Block) {
	node := &pyast.Try{Pos: pyast.At(b.Line, 0)}
	leaves := s.leaving(b, r, c)
	x := s.normalEnd(r, leaves, h, c) // where the body goes on when nothing was raised
	if x == nil {
		x = s.behindUnmatched(h)
	}
	x = s.place(bodyEnds, b, x, c, func() map[*lift.Block]bool { return s.leavingTo(b, r, c) })
	hc := c
	star := hasStar(s.skipEmpty(h))
	if star { // no jump leaves the clauses: what they go on at is behind the statement
		hc.cont, hc.brk, hc.busy = nil, nil, nil
	}
	exits := slices.DeleteFunc(s.handlerExits(h, hc), func(e *lift.Block) bool {
		return !star && (returnsThroughWith(e) || s.leavesAround(e, c)) // a `return` in a clause
	})
	var after *lift.Block
	ways := exits
	if ends := s.caughtEnds(h, c); len(ends) > 0 {
		exits = ends
		after = s.clausesMeet(x, ends, c)
	}
	switch {
	case after != nil:
	case x == nil && len(exits) > 0:
		after = exits[0]
		if len(exits) > 1 {
			common := s.reach(exits[0], c)
			for _, e := range exits[1:] {
				if m := intersect(common, s.reach(e, c)); len(m) > 0 {
					common = m
				}
			}
			if j := s.first(common, nil); j != nil {
				after = j
			}
		}
	case x != nil && len(exits) == 0:
		after = x
	case x != nil:
		rx := s.reach(x, c)
		rh := map[*lift.Block]bool{}
		for _, e := range exits {
			for k := range s.reach(e, c) {
				rh[k] = true
			}
		}
		if rh[s.thru(x)] {
			after = x
		} else {
			after = s.first(intersect(rx, rh), nil)
			if after == nil {
				after = s.laterOf(x, exits, c)
			}
		}
	}
	after = s.place(goesOn, h, after, c, func() map[*lift.Block]bool { return s.behindClauses(x, h, c) })
	if after != nil && s.at(after, c.fall) {
		after = c.fall
	}
	to := s.breaksPast(ways, r, x, after, c)
	if s.passesElse(leaves, r, x, after, c) {
		to = after
	}
	if to != nil {
		s.turned[r] = true
		return append(out, s.oneTurn(b, to, c)), to
	}
	inner := c
	inner.exc = r
	inner.fall = cmp.Or(x, after, noBlock)
	node.Body = s.build(b, inner)
	hc.fall = cmp.Or(after, noBlock)
	node.Handlers, node.IsStar = s.handlers(h, hc), star
	if x != nil && after != nil && !s.at(x, after) {
		c.fall = hc.fall
		node.OrElse = s.build(x, c)
	}
	return append(out, node), after
}

// behindUnmatched is the block behind the raising of an exception that no clause of h has matched (up to
// 3.8). The compiler thinks that control comes out there, so that it keeps an else clause that is never
// reached: the body does not come out.
func (s *builder) behindUnmatched(h *lift.Block) *lift.Block {
	for n := 0; h != nil && n < len(s.blocks); n++ {
		x := s.skipEmpty(h)
		switch {
		case isClause(h):
			h = h.False
		case isClause(x):
			h = x.False
		case noClause(x):
			return x.Next
		default:
			return nil
		}
	}
	return nil
}

// behindClauses are the places that the body, which ends at x, and the clauses of h may go on at.
func (s *builder) behindClauses(x, h *lift.Block, c ctx) map[*lift.Block]bool {
	places := s.reach(x, c)
	for _, e := range s.handlerExits(h, c) {
		for k := range s.reach(e, c) {
			places[k] = true
		}
	}
	for b, more := range cfg.Walk(h) {
		if n := b.ClauseEnd; n != nil && s.reachable(n) {
			places[n] = true
		}
		if b != s.end {
			b.Succs(more)
		}
	}
	return places
}

// noBlock is a fall-through target that nothing reaches.
var noBlock = &lift.Block{ID: 1<<30 + 1}

// handlers writes the except clauses.
func (s *builder) handlers(h *lift.Block, c ctx) (out []*pyast.ExceptHandler) {
	for h != nil {
		if x := s.skipEmpty(h); noClause(x) {
			break
		} else if isClause(x) {
			h = x
		}
		eh := &pyast.ExceptHandler{Pos: pyast.At(h.Line, 0)}
		body := h
		next := (*lift.Block)(nil)
		if isClause(h) {
			if len(h.Stmts) > 0 {
				fail("statements before an except test")
			}
			test := h.Term.Cond.(*pyast.Hole)
			if len(test.Args) == 0 {
				fail("an except test without an exception")
			}
			eh.Type = test.Args[0]
			body, next = h.True, h.False
		}
		eh.Body = s.build(body, c)
		eh.Body, eh.Name = exceptName(eh.Body)
		out = append(out, eh)
		if eh.Type == nil {
			break
		}
		h = next
	}
	if len(out) == 0 {
		fail("a handler without clauses")
	}
	return out
}

// isClause reports whether a clause that names an exception begins with the test h. A bare
// one begins with its body, which may be empty: then what lies behind h is no part of it.
func isClause(h *lift.Block) bool {
	return h.Term.Kind == lift.Branch && lift.IsExcTest(h.Term.Cond)
}

// noClause reports whether h is what stands behind the last clause: what none has matched
// is raised again. Behind clauses of `except*` that all raise it is a test whether there is
// anything.
func noClause(h *lift.Block) bool {
	if isClause(h) {
		return slices.ContainsFunc(h.Src.Instrs, func(in bytecode.Instr) bool { return in.Op == opcode.CheckExcMatch && in.Arg == cfg.NoClause })
	}
	return h.Term.Kind == lift.Reraise && len(h.Stmts) == 0
}

// hasStar reports whether the test of a clause is that of `except*`.
func hasStar(h *lift.Block) bool { return h.Term.Kind == lift.Branch && lift.IsGroupTest(h.Term.Cond) }

func (s *builder) skipEmpty(b *lift.Block) *lift.Block {
	for i := 0; i < 100 && len(b.Stmts) == 0 && b.Term.Kind == lift.Goto && b.Next != nil && b.Next != s.end && len(b.Next.Preds) == 1; i++ {
		b = b.Next
	}
	return b
}

// exceptName takes `as e` out of a clause's body, with the `e = None; del e`
// that every way out of it ends with.
func exceptName(list []pyast.Stmt) ([]pyast.Stmt, string) {
	if len(list) == 0 {
		return list, ""
	}
	m, ok := list[0].(*lift.Marker)
	if !ok || m.Kind != lift.MarkExcAs {
		return list, ""
	}
	n, ok := m.Target.(*pyast.Name)
	if !ok {
		return list, ""
	}
	return dropClear(list[1:], n.Id), n.Id
}

// dropClear removes `name = None; del name` from the list and those below it.
func dropClear(list []pyast.Stmt, name string) []pyast.Stmt {
	var out []pyast.Stmt
	for i := 0; i < len(list); i++ {
		if i+1 < len(list) && isClear(list[i], list[i+1], name) {
			i++
			continue
		}
		switch list[i].(type) {
		case *pyast.FunctionDef, *pyast.ClassDef:
		default:
			pyast.Blocks(list[i], func(b *[]pyast.Stmt) { *b = dropClear(*b, name) })
		}
		out = append(out, list[i])
	}
	return out
}

func isClear(a, b pyast.Stmt, name string) bool {
	as, ok := a.(*pyast.Assign)
	if !ok || len(as.Targets) != 1 || !lift.IsNone(as.Value) {
		return false
	}
	d, ok := b.(*pyast.Delete)
	if !ok || len(d.Targets) != 1 {
		return false
	}
	x, ok1 := as.Targets[0].(*pyast.Name)
	y, ok2 := d.Targets[0].(*pyast.Name)
	return ok1 && ok2 && x.Id == name && y.Id == name
}

// laterOf tells what follows a try statement when its else clause and its
// handlers never meet: what stands last in the source.
//
//	try:
//	    a
//	except E:
//	    pass            exits: c
//	else:
//	    return b        x
//	c
func (s *builder) laterOf(x *lift.Block, exits []*lift.Block, c ctx) *lift.Block {
	after := x
	for _, e := range append([]*lift.Block{x}, exits...) {
		if s.endsBody(e, c) || s.fallsOn(e, c) {
			return e
		}
	}
	line := cmp.Or(x.Line, s.thru(x).Line)
	for _, e := range exits {
		if t := s.thru(e); t != s.end && t.Line > line && line > 0 {
			after, line = t, t.Line
		}
	}
	return after
}
