package lift

import (
	"fmt"

	"github.com/thuml/depyf/internal/pyast"
)

// Check reports the first invariant of the lifted graph that is broken. It is run
// behind each pass in tests and in fuzzing. Edges may also lead to the blocks more.
func (g *Graph) Check(more ...*Block) error {
	in := make(map[*Block]bool, len(g.Blocks))
	for _, b := range g.Blocks {
		in[b] = true
	}
	if !in[g.Entry] {
		return fmt.Errorf("the entry is none of the blocks")
	}
	for _, b := range more {
		in[b] = true
	}
	for _, b := range g.Blocks {
		if err := b.check(in); err != nil {
			return fmt.Errorf("b%d: %w", b.ID, err)
		}
	}
	return nil
}

func (b *Block) check(in map[*Block]bool) error {
	if b.Gone {
		return fmt.Errorf("it has been joined with another and is still there")
	}
	t := &b.Term
	switch t.Kind {
	case Branch:
		if t.Cond == nil || b.True == nil || b.False == nil {
			return fmt.Errorf("its branch lacks a test or a way")
		}
	case For:
		if t.Iter == nil || b.True == nil || b.False == nil {
			return fmt.Errorf("its loop lacks an iterator or a way")
		}
	}
	for _, s := range b.Stmts {
		if s == nil {
			return fmt.Errorf("one of its statements is none")
		}
	}
	if err := b.checkHoles(); err != nil {
		return err
	}
	var err error
	b.Succs(func(s *Block) {
		if !in[s] {
			err = fmt.Errorf("an edge leads to b%d, which is not in the graph", s.ID)
		}
	})
	return err
}

// checkHoles reports an expression without Python that stands where nothing will fill
// it: an item that the stack did not have when the block began, or a question about the
// running exception that no branch asks.
func (b *Block) checkHoles() error {
	var err error
	inside := func(n pyast.Node) bool {
		h, ok := n.(*pyast.Hole)
		switch {
		case err != nil || !ok:
		case h.Kind == pyast.StackItem && h.N >= len(b.In):
			err = fmt.Errorf("item %d of a stack of %d is used", h.N, len(b.In))
		case h.Kind == pyast.ExceptionMatches, h.Kind == pyast.ExitSuppresses:
			err = fmt.Errorf("%v stands where no branch asks it", h.Kind)
		}
		return err == nil
	}
	each := func(e pyast.Expr) {
		if e != nil {
			pyast.Inspect(e, inside)
		}
	}
	for _, s := range b.Stmts {
		inspectStmt(s, inside)
	}
	t := &b.Term
	asked := t.Cond // of an asynchronous exit: `not await`
	if n, ok := asked.(*pyast.UnaryOp); ok && n.Op == pyast.Not {
		asked = n.Operand
	}
	if a, ok := asked.(*pyast.Await); ok {
		asked = a.Value
	}
	if h, ok := asked.(*pyast.Hole); ok && t.Kind == Branch && IsExcTest(h) {
		for _, a := range h.Args {
			each(a)
		}
	} else {
		each(t.Cond)
	}
	each(t.Value)
	each(t.Cause)
	return err
}
