package structure

import (
	"slices"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/pyast"
)

// brokenTo returns where the finally clause of r goes on when it forgets its exception without
// leaving the function. Only `break` and `continue` do so: where no loop around goes on there,
// r stands in one that is left in its first turn, of which no edge is left. Nil where
// there is no such place, or more than one.
//
//	while True:
//	    try:
//	        a()
//	    finally:
//	        b
//	        break
//	c
//
// So does a `break` in the body that the clause overrides, which names the place behind it (3.8).
func (s *builder) brokenTo(b *lift.Block, r *cfg.Region, h *lift.Block, c ctx) *lift.Block {
	if s.turned[r] || s.g.CFG.Func.Code.Version.HasLoopBlocks() /* splitTurns has found it */ {
		return nil
	}
	var to *lift.Block
	for _, x := range s.handlerExits(h, c) {
		if s.thru(x) == s.end && s.g.CFG.Func.Code.IsFunction() || to != nil && s.thru(x) != s.thru(to) {
			return nil
		}
		to = x
	}
	if to == nil && s.g.CFG.Func.Code.Version.SharesFinallyBody() {
		for _, e := range s.leaving(b, r, c) {
			if e.from.Term.Break && s.thru(e.to) != s.end {
				return e.to
			}
		}
	}
	if to == nil {
		return nil
	}
	// What only returns may as well stand in the clause. Behind with statements it does where an exception that they suppress leads elsewhere.
	last := to
	switch {
	case leavesWith(to):
		last = s.pastExits(to)
	case len(to.Stmts) == 0 && to.Term.Kind == lift.Goto && to.Next != nil && slices.ContainsFunc(to.Preds, endsByExit):
		last = s.thru(to.Next) // a return out of a with statement, which shares the exit behind it
	}
	if returns := last.Term.Kind == lift.Return && (len(to.Stmts) == 0 && len(last.Stmts) == 0 || leavesWith(last) && s.suppressedGoesOn(last)); !s.either(finallyLoop, h, !returns) {
		return nil
	}
	return to
}

// endsByExit reports whether the last that b does is to call a with statement's __exit__.
func endsByExit(b *lift.Block) bool {
	return len(b.Stmts) > 0 && isWithExit(b.Stmts[len(b.Stmts)-1])
}

// passesElse reports whether the body of r's try statement, one of whose ways out goes on at its else clause x, has another
// that goes on behind the statement. In a function with nothing behind in the statement around that is a `return`; else a `break` of a loop that
// is left in its first turn, of which no edge is left:
//
//	while True:
//	    try:
//	        if a:
//	            break
//	    except E:
//	        pass
//	    else:
//	        b
//	    break
func (s *builder) passesElse(leaves []edge, r *cfg.Region, x, after *lift.Block, c ctx) bool {
	if s.turned[r] || x == nil || after == nil || s.at(x, after) || s.at(after, c.brk) || s.at(after, c.cont) {
		return false
	}
	returns := s.thru(after) == s.end || s.endsBody(after, c) || s.leavesAround(after, c)
	if returns && s.g.CFG.Func.Code.IsFunction() || s.g.CFG.Func.Code.Version.HasLoopBlocks() {
		return false
	}
	return slices.ContainsFunc(leaves, func(e edge) bool { return s.at(e.to, after) })
}

// breaksPast returns where a clause of r's try statement goes on past what follows the statement, after, which does not lead
// there: it breaks out of a loop that is left in its first turn, of which no edge is left. x is where the body ends. The code is in
// the order of the source, so that what a clause holds stands in front of what follows; where that is, the end of a clause tells even
// if nothing reaches it (3.8).
//
//	while True:
//	    try:
//	        a
//	    except E:
//	        break
//	    return b
//	c
func (s *builder) breaksPast(ways []*lift.Block, r *cfg.Region, x, after *lift.Block, c ctx) *lift.Block {
	v := s.g.CFG.Func.Code.Version
	if s.turned[r] || after == nil || after == s.end || after == noBlock || !v.SharesFinallyBody() || v.HasLoopBlocks() || s.ctxBlock(after, c) {
		return nil
	}
	behind := s.reach(after, c)
	var to *lift.Block
	for _, e := range ways {
		switch {
		case s.at(e, x) || s.ctxBlock(e, c) || e.ID <= after.ID || s.thru(e) == s.end || s.plainReturn(e) || behind[s.thru(e)]:
		case to == nil:
			to = e
		case !s.at(e, to):
			return nil
		}
	}
	return to
}

// oneTurn writes a loop around the statement that begins at b, which every way leaves, some
// of them to the place behind it.
func (s *builder) oneTurn(b, behind *lift.Block, c ctx) pyast.Stmt {
	return turn(b, s.build(b, inTurn(behind, c)))
}

// inTurn is the context of a loop of one turn in c.
func inTurn(behind *lift.Block, c ctx) ctx {
	return ctx{fall: noBlock, brk: behind, exc: c.exc, busy: c.busy, stop: c.stop}
}

// turn is a loop of one turn whose body begins at b.
func turn(b *lift.Block, body []pyast.Stmt) pyast.Stmt {
	return &pyast.While{Pos: pyast.At(b.Line, 0), Test: pyast.Bool(true), Body: body}
}

// apart says where the body of a with statement goes on behind __exit__, and where an
// exception that __exit__ suppresses does, if that is elsewhere.
type apart struct {
	exit, behind *lift.Block // the call of __exit__ at the body's end, and what follows
	suppressed   *lift.Block
	resumed      bool // in the prefix of a resume function
}

// exitsApart finds them for the with statement of r that begins at b. Without a loop no
// compiler makes that: the body ends with a `break` of one that is left in its first turn.
// The prefix of a resume function does, too: behind the `with` that it enters
// once more it raises, and the body jumps into the original's, which calls __exit__ itself.
// Nil where the two meet, where the body only returns, or in a loop around.
func (s *builder) exitsApart(out []pyast.Stmt, b *lift.Block, r *cfg.Region, h *lift.Block, c ctx) *apart {
	m := enteredBy(out)
	if m == nil || s.turned[r] || s.g.CFG.Func.Code.Version.SharesFinallyBody() {
		return nil
	}
	resumed := r.Kind == cfg.RegionTable && cfg.ResumeName(s.g.CFG.Func.Code.Name)
	suppress := s.suppressed(r, h, c)
	if suppress == nil || resumed && !s.raisesBehind(suppress) {
		return nil
	}
	leaves := func(x *lift.Block) bool { return leavesWith(x) && x.Stmts[0].(*lift.Marker).With == m.With }
	for _, e := range s.leaving(b, r, c) {
		x := e.to
		if leaves(e.from) {
			x = e.from // behind a `break` the call stands in the body (3.9, 3.10)
		}
		if !leaves(x) || x.Term.Kind != lift.Goto || s.leavesAround(x, c) {
			continue
		}
		to := s.thru(x.Next)
		if to == s.thru(suppress) || s.sameBlock(to, suppress, 8) {
			continue // as behind most with statements
		}
		around := func(x *lift.Block) bool { return s.at(x, c.brk) || s.at(x, c.cont) || c.busy.has(x) }
		last := s.exitsUntil(to, around)
		out := c.exc != nil && !to.Exc.Inside(c.exc) // of a protected body around: a `return`, or a `break` of the loop around that
		ends := last == s.end || s.endsBody(to, c) || out
		returns := ends && s.g.CFG.Func.Code.IsFunction() || out && c.brk != nil || len(last.Stmts) == 0 && last.Term.Kind == lift.Return && !computesExit(x, last)
		if returns || around(last) {
			continue
		}
		if resumed || e.to != s.withEnd(b, r, m.With, suppress, c) && !s.reach(to, c)[s.thru(suppress)] {
			return &apart{x, to, suppress, resumed}
		}
	}
	return nil
}

// raisesBehind reports whether nothing is between b and a `raise` but the ends of with statements.
func (s *builder) raisesBehind(b *lift.Block) bool {
	b = s.pastExits(b)
	return b.Term.Kind == lift.Raise && len(b.Stmts) == 0
}

// withApart writes the with statement that begins at b. A `break` tells the two places apart, in a resume function where
// what is suppressed raises at once:
//
//	while True:
//	    with ___stack0(False):
//	        a()
//	        break
//	    raise None
//	b()
//
// Else the body says that it has come to its end:
//
//	ended = False
//	with ___stack1(False):
//	    a()
//	    ended = True
//	if ended:
//	    b()
func (s *builder) withApart(out []pyast.Stmt, b *lift.Block, r *cfg.Region, h *lift.Block, to *apart, c ctx) ([]pyast.Stmt, *lift.Block) {
	s.turned[r] = true
	n := len(out) - 1
	if !to.resumed || s.thru(to.suppressed).Term.Kind == lift.Raise {
		inner := inTurn(to.behind, c)
		body, next := s.with(out[n:], b, r, h, inner)
		if next != nil {
			body = append(body, s.build(next, inner)...)
		}
		return append(out[:n:n], turn(b, body)), to.behind
	}
	m := enteredBy(out)
	ended := s.g.NewTempFor("ended")
	says := func(v bool) pyast.Stmt { return pyast.AssignS(pyast.N(ended), pyast.Bool(v)) }
	node := withOf(m)
	inner := withFall(c, to.exit)
	inner.exc = r
	node.Body = append(dropExit(s.build(b, inner), m.With), says(true))
	rest := *to.exit
	rest.Stmts = dropExit(rest.Stmts, m.With)
	more := s.build(s.copyOf(to.exit, rest), withFall(c, to.suppressed))
	return append(out[:n:n], says(false), node, &pyast.If{Test: pyast.N(ended), Body: more}), to.suppressed
}
