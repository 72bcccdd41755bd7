package structure

import (
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
func (s *builder) brokenTo(r *cfg.Region, h *lift.Block, c ctx) *lift.Block {
	if s.turned[r] {
		return nil
	}
	var to *lift.Block
	for _, x := range s.handlerExits(h, c) {
		if s.thru(x) == s.end || to != nil && s.thru(x) != s.thru(to) {
			return nil
		}
		to = x
	}
	// What only returns may as well stand in the clause.
	if to == nil || !s.either(finallyLoop, h, len(to.Stmts) > 0 || to.Term.Kind != lift.Return) {
		return nil
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

// exitsTo returns where the body of the with statement of r goes on behind __exit__, if an
// exception that __exit__ suppresses goes elsewhere: only a `break` does so. No compiler makes
// that without a loop. The prefix of a resume function does: behind the `with` that it enters
// once more it raises, and the body jumps into the original's, which calls __exit__ itself.
// Nil where the two meet, where the body only returns, or in a loop around.
//
//	while True:
//	    with ___stack0(False):
//	        a()
//	        break
//	    raise None
//	b()
func (s *builder) exitsTo(out []pyast.Stmt, b *lift.Block, r *cfg.Region, h *lift.Block, c ctx) *lift.Block {
	m := enteredBy(out)
	if m == nil || s.turned[r] || r.Kind != cfg.RegionTable {
		return nil
	}
	suppress := s.suppressed(r, h, c)
	if suppress == nil || s.thru(suppress).Term.Kind != lift.Raise {
		return nil
	}
	for _, e := range s.leaving(b, r, c) {
		x := e.to
		if !leavesWith(x) || x.Stmts[0].(*lift.Marker).With != m.With || x.Term.Kind != lift.Goto || s.leavesAround(x, c) {
			continue
		}
		to := s.thru(x.Next)
		meets := to == s.thru(suppress) || s.sameBlock(to, suppress, 8)
		returns := to == s.end || len(to.Stmts) == 0 && to.Term.Kind == lift.Return && !computesExit(to)
		if !meets && !returns && !s.at(to, c.brk) && !s.at(to, c.cont) && !c.busy.has(to) {
			return to
		}
	}
	return nil
}

// withTurn writes a loop of one turn around the with statement that begins at b: its body breaks
// the loop, to go on at behind.
func (s *builder) withTurn(out []pyast.Stmt, b *lift.Block, r *cfg.Region, h, behind *lift.Block, c ctx) ([]pyast.Stmt, *lift.Block) {
	n := len(out) - 1
	inner := inTurn(behind, c)
	body, next := s.with(out[n:], b, r, h, inner)
	if next != nil {
		body = append(body, s.build(next, inner)...)
	}
	return append(out[:n:n], turn(b, body)), behind
}
