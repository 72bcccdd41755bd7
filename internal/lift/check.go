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

// checkHoles reports the use of an item that the stack did not have when the block
// began: nothing will fill its place.
func (b *Block) checkHoles() error {
	var err error
	inside := func(n pyast.Node) bool {
		if h, ok := n.(*pyast.Hole); ok && h.Kind == pyast.StackItem && h.N >= len(b.In) && err == nil {
			err = fmt.Errorf("item %d of a stack of %d is used", h.N, len(b.In))
		}
		return err == nil
	}
	for _, s := range b.Stmts {
		inspectStmt(s, inside)
	}
	for _, e := range []pyast.Expr{b.Term.Cond, b.Term.Value, b.Term.Cause} {
		if e != nil {
			pyast.Inspect(e, inside)
		}
	}
	return err
}
