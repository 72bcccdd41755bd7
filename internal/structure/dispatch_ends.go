package structure

import (
	"slices"

	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/pyast"
)

// straight writes the statements that the code begins with, which nothing comes back to, and returns
// the block behind them. A docstring, imports from __future__ and what the compiler puts in front of a
// class body have to stand in front of a loop.
func (d *dispatcher) straight(b *lift.Block) (out []pyast.Stmt, rest *lift.Block) {
	for preds := 0; len(b.Preds) == preds && b.Exc == d.c.exc && b != d.c.fall; preds = 1 {
		if at := slices.IndexFunc(b.Stmts, lift.IsMarker); at >= 0 {
			return append(out, b.Stmts[:at]...), d.rest(b, at, b.In) // a statement begins there, or ends
		}
		out = append(out, b.Stmts...)
		if b.Term.Kind != lift.Goto || b.Next == d.s.end || b.Term.EndBody != nil {
			return out, d.rest(b, len(b.Stmts), b.Out)
		}
		b = b.Next
	}
	return out, b
}

// lastOf makes the one block in which a module or a class body ends what follows the loop, and
// returns its statements: what the compiler puts behind a class body stands in it.
func (d *dispatcher) lastOf() []pyast.Stmt {
	s := d.s
	if s.g.CFG.Func.Code.IsFunction() || d.c.fall != s.end {
		return nil
	}
	var last *lift.Block
	for _, b := range s.g.Blocks {
		if b.Next != s.end {
			continue
		}
		if last != nil {
			return nil // there are several
		}
		last = b
	}
	if last == nil || len(last.Preds) < 2 || last.Exc != d.c.exc || slices.ContainsFunc(last.Stmts, lift.IsMarker) {
		return nil
	}
	d.c.fall = last
	return last.Stmts
}
