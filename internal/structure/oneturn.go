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
	if s.turned[r] || s.g.CFG.Func.Code.Version.SharesFinallyBody() {
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
	inner := ctx{fall: noBlock, brk: behind, exc: c.exc, busy: c.busy, stop: c.stop}
	return &pyast.While{Pos: pyast.At(b.Line, 0), Test: pyast.Bool(true), Body: s.build(b, inner)}
}
