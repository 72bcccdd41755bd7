package structure

import (
	"fmt"
	"sort"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
)

// enters reports whether b begins a protected statement.
func (s *builder) enters(b *lift.Block, c ctx) bool {
	return b.Exc != nil && b.Exc != c.exc && b.Exc.Inside(c.exc)
}

// regionStartsAt reports whether a protected statement that begins at b
// encloses the loop that b heads.
func (s *builder) regionStartsAt(b *lift.Block, c ctx) bool {
	if !s.enters(b, c) {
		return false
	}
	r := outermost(b.Exc, c.exc)
	for x := range s.loops[b] {
		if !x.Exc.Inside(r) {
			return false
		}
	}
	return s.loops[b] == nil || !s.leapsOut(r, c)
}

// leapsOut reports whether a clause of r's handler breaks out of, or continues,
// a loop that is not being written: it encloses the statement.
func (s *builder) leapsOut(r *cfg.Region, c ctx) bool {
	h := s.handlerOf(r)
	base := handlerBase(h)
	seen := map[*lift.Block]bool{}
	work := []*lift.Block{h}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[x] || x != h && !handling(x, base) {
			continue
		}
		seen[x] = true
		t := &x.Term
		if (t.Break || t.Continue) && x.Next != nil && !handling(x.Next, base) && !s.at(x.Next, c.brk) && !s.at(x.Next, c.cont) {
			return true
		}
		x.Succs(func(n *lift.Block) { work = append(work, n) })
	}
	return false
}

// outermost is the region around r whose parent is the context's.
func outermost(r, c *cfg.Region) *cfg.Region {
	for r.Parent != c && r.Parent != nil {
		r = r.Parent
	}
	return r
}

// handlerOf returns the block where r's exceptions arrive.
func (s *builder) handlerOf(r *cfg.Region) *lift.Block {
	b := s.catcher[r]
	if b == nil {
		fail("a protected region without a handler")
	}
	return b
}

// handlerBase is the stack depth below what an exception pushes.
func handlerBase(h *lift.Block) int {
	n := len(h.In)
	own := 6 // the saved exception and the running one
	if len(h.HandlerOf) > 0 && h.HandlerOf[0].Kind == cfg.RegionTable {
		own = 1
		if h.HandlerOf[0].Lasti {
			own = 2
		}
	} else if n > 0 && h.In[n-1].Kind == lift.KFin {
		own = 1
	}
	return max(n-own, 0)
}

// handling reports whether b runs while the exception caught at stack depth
// base is being handled: the saved exception state is still on its stack.
func handling(b *lift.Block, base int) bool {
	return len(b.In) > base && (b.In[base].Kind == lift.KOldExc || b.In[base].Kind == lift.KExc || b.In[base].Kind == lift.KFin)
}

// inHandler reports whether x belongs to r's handler.
func (s *builder) inHandler(x *lift.Block, r *cfg.Region) bool {
	h := s.handlerOf(r)
	return handling(x, handlerBase(h)) && s.dom.Dominates(s.num[h], s.num[x])
}

// edge is a way out of a set of blocks.
type edge struct{ from, to *lift.Block }

// leaving lists the ways out of region r, those that come last in the layout
// last. Ways that the context turns into `break` and `continue` are left out.
func (s *builder) leaving(b *lift.Block, r *cfg.Region, c ctx) []edge {
	var out []edge
	seen := map[*lift.Block]bool{}
	work := []*lift.Block{b}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[x] {
			continue
		}
		seen[x] = true
		visit := func(n *lift.Block) {
			switch {
			case n.Exc.Inside(r) || s.inNestedHandler(n, r):
				work = append(work, n)
			case s.at(n, c.cont), s.at(n, c.brk) && !s.at(n, c.fall), c.busy.has(s.thru(n)):
			default:
				out = append(out, edge{x, n})
			}
		}
		x.Succs(visit)
		// Handlers of statements inside the body belong to the body.
		for e := x.Exc; e != nil && e != r; e = e.Parent {
			work = append(work, s.handlerOf(e))
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		if out[i].from.ID != out[j].from.ID {
			return out[i].from.ID < out[j].from.ID
		}
		return out[i].to.ID < out[j].to.ID
	})
	return out
}

// normalEnd picks, among the ways out of a try body, the one that falls off its
// end: the last in the layout. A plain `return` that stands above the handler
// in the source is written inside the body. Until 3.10 the bytecode tells the
// place.
func (s *builder) normalEnd(r *cfg.Region, leaves []edge, h *lift.Block) *lift.Block {
	if r.Kind != cfg.RegionTable {
		return s.bodyEnd(r)
	}
	for i := len(leaves) - 1; i >= 0; i-- {
		x := leaves[i].to
		if len(x.Stmts) == 0 && x.Term.Kind == lift.Return && (h.Line == 0 || x.Term.Line < h.Line) {
			continue
		}
		return x
	}
	return nil
}

// bodyEnd returns where r's body goes when it ends normally, nil if it never
// does (≤3.10).
func (s *builder) bodyEnd(r *cfg.Region) *lift.Block {
	if s.bodyEnds == nil {
		s.bodyEnds = map[*cfg.Region]*lift.Block{}
		for _, b := range s.g.Blocks {
			if e := b.Term.EndBody; e != nil && s.bodyEnds[e] == nil && s.dom.Order[s.num[b]] >= 0 {
				s.bodyEnds[e] = b
			}
		}
	}
	if b := s.bodyEnds[r]; b != nil {
		return b.Next
	}
	return nil
}

// inNestedHandler is for blocks of a nested statement's handler that cannot
// raise and therefore carry no region: they are inside r all the same.
func (s *builder) inNestedHandler(n *lift.Block, r *cfg.Region) bool { return false }

// handlerExits lists where control goes on after the exception was handled.
func (s *builder) handlerExits(h *lift.Block, c ctx) []*lift.Block {
	base := handlerBase(h)
	var out []*lift.Block
	seen := map[*lift.Block]bool{}
	work := []*lift.Block{h}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[x] {
			continue
		}
		seen[x] = true
		if x != s.end && handling(x, base) || x == h {
			x.Succs(func(n *lift.Block) { work = append(work, n) })
			for e := x.Exc; e != nil && e != c.exc; e = e.Parent {
				if e.Inside(c.exc) {
					work = append(work, s.handlerOf(e))
				}
			}
			continue
		}
		if !s.at(x, c.cont) && !(s.at(x, c.brk) && !s.at(x, c.fall)) && !c.busy.has(s.thru(x)) {
			out = append(out, x)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return s.order(s.thru(out[i])) < s.order(s.thru(out[j])) })
	return out
}

// caughtEnds lists where the except clauses of h go when they end normally, as
// far as the bytecode says so (≤3.10). Jumps of the context count only when
// there is nothing else.
func (s *builder) caughtEnds(h *lift.Block, c ctx) []*lift.Block {
	base := handlerBase(h)
	var out, jumps, never []*lift.Block
	seen := map[*lift.Block]bool{}
	work := []*lift.Block{h}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[x] || x == s.end || !handling(x, base) && x != h {
			continue
		}
		seen[x] = true
		if x.Term.EndExcept && x.Next != nil && len(x.Out) <= base {
			n := x.Next
			if s.at(n, c.fall) || !(s.at(n, c.cont) || s.at(n, c.brk) || c.busy.has(s.thru(n))) {
				out = append(out, n)
			} else {
				jumps = append(jumps, n)
			}
		}
		if n := x.ClauseEnd; n != nil && s.reachable(n) {
			never = append(never, n)
		}
		x.Succs(func(n *lift.Block) { work = append(work, n) })
		for e := x.Exc; e != nil && e != c.exc; e = e.Parent {
			if e.Inside(c.exc) {
				work = append(work, s.handlerOf(e))
			}
		}
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

// reachable reports whether b is part of the graph.
func (s *builder) reachable(b *lift.Block) bool {
	k, ok := s.num[b]
	return ok && s.dom.Order[k] >= 0
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

// try writes a protected statement that begins at b; out is the list so far. It
// returns the list and where to continue, nil when the list is complete.
func (s *builder) try(out []pyast.Stmt, b *lift.Block, c ctx) ([]pyast.Stmt, *lift.Block) {
	r := outermost(b.Exc, c.exc)
	h := s.handlerOf(r)
	switch s.classify(r, h) {
	case opcode.SetupWith:
		return s.with(out, b, r, h, c)
	case opcode.SetupFinally:
		return s.finally(out, b, r, h, c)
	}
	return s.except(out, b, r, h, c)
}

// classify tells what statement a handler belongs to, by its code.
func (s *builder) classify(r *cfg.Region, h *lift.Block) opcode.Op {
	first := opcode.Nop
	for i := range h.Src.Instrs {
		switch op := h.Src.Instrs[i].Op; op {
		case opcode.WithExceptStart, opcode.WithCleanupStart:
			return opcode.SetupWith
		case opcode.Nop, opcode.PushExcInfo, opcode.Resume:
		default:
			if first == opcode.Nop {
				first = op
			}
		}
	}
	if r.Kind == cfg.RegionExcept {
		return opcode.SetupExcept
	}
	if r.Kind != cfg.RegionTable {
		return opcode.SetupFinally // ≤3.10 tells
	}
	switch {
	case first == opcode.Pop:
		return opcode.SetupExcept // bare
	case h.Term.Kind == lift.Branch && lift.IsExcTest(h.Term.Cond) && len(h.Stmts) == 0:
		return opcode.SetupExcept
	case first == opcode.StoreFast || first == opcode.StoreName || first == opcode.StoreDeref || first == opcode.StoreGlobal:
		return opcode.SetupExcept
	}
	return opcode.SetupFinally
}

// except writes try/except/else.
func (s *builder) except(out []pyast.Stmt, b *lift.Block, r *cfg.Region, h *lift.Block, c ctx) ([]pyast.Stmt, *lift.Block) {
	node := &pyast.Try{Pos: pyast.At(b.Line, 0)}
	leaves := s.leaving(b, r, c)
	x := s.normalEnd(r, leaves, h) // where the body goes on when nothing was raised
	exits := s.handlerExits(h, c)
	var after *lift.Block
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
				after = s.laterOf(x, exits)
			}
		}
	}
	if after != nil && s.at(after, c.fall) {
		after = c.fall
	}
	inner := c
	inner.exc = r
	inner.fall = after
	if x != nil {
		inner.fall = x
	}
	if inner.fall == nil {
		inner.fall = noBlock
	}
	node.Body = s.build(b, inner)
	hc := c
	hc.fall = after
	if after == nil {
		hc.fall = noBlock
	}
	node.Handlers, node.IsStar = s.handlers(h, hc)
	if x != nil && after != nil && !s.at(x, after) {
		node.OrElse = s.build(x, hc)
	}
	if x == nil && after == nil {
		return append(out, node), nil
	}
	return append(out, node), after
}

// noBlock is a fall-through target that nothing reaches.
var noBlock = &lift.Block{ID: 1<<30 + 1}

// handlers writes the except clauses.
func (s *builder) handlers(h *lift.Block, c ctx) ([]*pyast.ExceptHandler, bool) {
	var out []*pyast.ExceptHandler
	star := false
	for h != nil {
		h = s.skipEmpty(h)
		if h.Term.Kind == lift.Reraise && len(h.Stmts) == 0 {
			break
		}
		eh := &pyast.ExceptHandler{Pos: pyast.At(h.Line, 0)}
		body := h
		next := (*lift.Block)(nil)
		if h.Term.Kind == lift.Branch && lift.IsExcTest(h.Term.Cond) {
			if len(h.Stmts) > 0 {
				fail("statements before an except test")
			}
			test := h.Term.Cond.(*pyast.Call)
			if len(test.Args) == 0 {
				fail("an except test without an exception")
			}
			eh.Type = test.Args[0]
			star = star || hasStar(h)
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
	return out, star
}

// hasStar reports whether the test of a clause is that of `except*`.
func hasStar(h *lift.Block) bool {
	for i := range h.Src.Instrs {
		if in := &h.Src.Instrs[i]; in.Op == opcode.CheckExcMatch && in.Flag {
			return true
		}
	}
	return false
}

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

// with writes a with statement. The list so far ends with its MarkWithEnter.
func (s *builder) with(out []pyast.Stmt, b *lift.Block, r *cfg.Region, h *lift.Block, c ctx) ([]pyast.Stmt, *lift.Block) {
	var m *lift.Marker
	if n := len(out); n > 0 {
		m, _ = out[n-1].(*lift.Marker)
	}
	if m == nil || m.Kind != lift.MarkWithEnter {
		fail("a with block without its entry")
	}
	out = out[:len(out)-1]
	w := m.With
	node := &pyast.With{Pos: pyast.At(w.Line, m.Position().Offset), IsAsync: w.Async}
	item := &pyast.WithItem{ContextExpr: w.Context}
	node.Items = []*pyast.WithItem{item}
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
		var suppress *lift.Block
		ec := c
		if r.Kind == cfg.RegionTable {
			ec = ctx{exc: c.exc} // also the head of the loop around
		}
		if exits := s.handlerExits(h, ec); len(exits) > 0 {
			suppress = exits[0]
		} else {
			suppress = suppressedEnd(h)
		}
		x := s.bodyEnd(r)
		if r.Kind == cfg.RegionTable {
			x = s.normalExit(s.leaving(b, r, c), w, suppress, c)
		}
		inner.fall = noBlock
		if x != nil {
			inner.fall = x
		}
		node.Body = dropExit(s.build(b, inner), w)
		after = suppress
		if x != nil {
			rest := *x
			rest.Stmts = dropExit(x.Stmts, w)
			after = s.copyOf(x, rest)
		}
	}
	if w.Bind != nil {
		item.OptionalVars = w.Bind.Target
	}
	return append(out, node), after
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
	s.num[n] = s.num[old]
	return n
}

// normalExit picks, among the ways out of a with body, the one that falls off
// its end: behind __exit__ it goes where a suppressed exception goes.
func (s *builder) normalExit(leaves []edge, w *lift.With, suppress *lift.Block, c ctx) *lift.Block {
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

// finally writes try/finally.
func (s *builder) finally(out []pyast.Stmt, b *lift.Block, r *cfg.Region, h *lift.Block, c ctx) ([]pyast.Stmt, *lift.Block) {
	node := &pyast.Try{Pos: pyast.At(b.Line, 0)}
	inner := c
	inner.exc = r
	if s.g.CFG.Func.Code.Version.SharesFinallyBody() {
		inner.fall = h
		node.Body = s.build(b, inner)
		fc := c
		fc.fall = noBlock
		fc.final = &finalEnd{}
		node.FinalBody = trimReraise(s.build(h, fc))
		if len(node.FinalBody) == 0 {
			node.FinalBody = []pyast.Stmt{&pyast.Pass{}}
		}
		return append(out, node), fc.final.after
	}
	hc := c
	hc.fall = noBlock
	if end := s.reraise[r]; end != nil {
		hc.fall = end
	}
	body := trimReraise(s.build(h, hc))
	node.FinalBody = body
	if len(body) == 0 {
		node.FinalBody = []pyast.Stmt{&pyast.Pass{}}
	}
	if r.Clean {
		x := s.bodyEnd(r)
		inner.fall = noBlock
		if x != nil {
			inner.fall = x
		}
		node.Body = s.build(b, inner)
		if !completes(body) {
			return append(out, node), nil // the clause leaves by itself, whatever the body does
		}
		return append(out, node), x
	}
	leaves := s.leaving(b, r, c)
	var x *lift.Block
	for i := len(leaves) - 1; i >= 0; i-- {
		if !returnsSaved(leaves[i].to) {
			x = leaves[i].to
			break
		}
	}
	inner.fall = noBlock
	if x != nil {
		inner.fall = x
	}
	node.Body = dropCopies(s.build(b, inner), body)
	out = append(out, node)
	if x == nil {
		return out, nil
	}
	rest := s.build(x, c)
	rest, ok := stripPrefix(rest, body)
	if !ok {
		fail("the copies of a finally body differ")
	}
	return append(out, rest...), nil
}

// finalEnd receives where a shared finally body (≤3.8) continues.
type finalEnd struct{ after *lift.Block }

// returnsSaved reports whether b leads to the return of a value computed before
// the finally body: that way belongs to a `return` inside the try.
func returnsSaved(b *lift.Block) bool {
	stored := map[string]bool{} // on the way: such a value was not saved before
	for i := 0; b != nil && i < 50; i++ {
		for _, st := range b.Stmts {
			if a, ok := st.(*pyast.Assign); ok {
				for _, t := range a.Targets {
					if n, ok := t.(*pyast.Name); ok {
						stored[n.Id] = true
					}
				}
			}
		}
		if b.Term.Kind == lift.Return {
			n, ok := b.Term.Value.(*pyast.Name)
			return ok && lift.IsTemp(n.Id) && !stored[n.Id]
		}
		switch b.Term.Kind {
		case lift.Goto:
			b = b.Next
		case lift.Branch:
			b = b.True
		case lift.For:
			b = b.False
		default:
			return false
		}
	}
	return false
}

func trimReraise(list []pyast.Stmt) []pyast.Stmt {
	var out []pyast.Stmt
	for _, st := range list {
		if _, ok := st.(*reraise); ok {
			continue
		}
		pyast.Blocks(st, func(b *[]pyast.Stmt) { *b = trimReraise(*b) })
		out = append(out, st)
	}
	return out
}

// stripPrefix removes the statements of body from the front of list.
func stripPrefix(list, body []pyast.Stmt) ([]pyast.Stmt, bool) {
	if len(list) < len(body) || !sameStmts(list[:len(body)], body) {
		return list, false
	}
	return list[len(body):], true
}

// sameStmts compares two lists, the names of temporaries aside: each copy of a
// finally body has its own.
func sameStmts(a, b []pyast.Stmt) bool {
	return pyast.EqualStmts(a, b) || pyast.EqualStmts(numberTemps(a), numberTemps(b))
}

// numberTemps returns a copy of the list in which the temporaries that it
// stores are numbered in order.
func numberTemps(list []pyast.Stmt) []pyast.Stmt {
	out := pyast.CloneStmts(list)
	names := map[string]string{}
	pyast.InspectStmts(out, func(n pyast.Node) bool {
		if a, ok := n.(*pyast.Assign); ok {
			for _, t := range a.Targets {
				if x, ok := t.(*pyast.Name); ok && lift.IsTemp(x.Id) && names[x.Id] == "" {
					names[x.Id] = fmt.Sprintf("%s#%d", lift.TempPrefix, len(names))
				}
			}
		}
		return true
	})
	pyast.InspectStmts(out, func(n pyast.Node) bool {
		if x, ok := n.(*pyast.Name); ok && names[x.Id] != "" {
			x.Id = names[x.Id]
		}
		return true
	})
	return out
}

// dropCopies removes the copies of a finally body that stand before a jump out
// of the try body.
func dropCopies(list, body []pyast.Stmt) []pyast.Stmt {
	for _, st := range list {
		switch st.(type) {
		case *pyast.FunctionDef, *pyast.ClassDef:
			continue
		}
		pyast.Blocks(st, func(b *[]pyast.Stmt) { *b = dropCopies(*b, body) })
	}
	n, k := len(list), len(body)
	if n == 0 || k == 0 {
		return list
	}
	switch list[n-1].(type) {
	case *pyast.Return, *pyast.Break, *pyast.Continue:
		if n-1 >= k && sameStmts(list[n-1-k:n-1], body) {
			return append(list[:n-1-k:n-1-k], list[n-1])
		}
	}
	return list
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
func (s *builder) laterOf(x *lift.Block, exits []*lift.Block) *lift.Block {
	after := x
	for _, e := range exits {
		if e != s.end && e.Line > after.Line && after.Line > 0 {
			after = e
		}
	}
	return after
}
