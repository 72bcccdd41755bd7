package lift

import (
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pyast"
)

// TestCheck rejects graphs that break an invariant, each in one place.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(g *Graph)
		want  string
	}{
		{"a sound graph", func(*Graph) {}, ""},
		{"an entry outside", func(g *Graph) { g.Entry = &Block{} }, "the entry is none of the blocks"},
		{"an edge outside", func(g *Graph) { g.Blocks[1].Next = &Block{ID: 7} }, "b1: an edge leads to b7, which is not in the graph"},
		{"a block that was joined", func(g *Graph) { g.Blocks[2].Gone = true }, "b2: it has been joined with another"},
		{"a branch without test", func(g *Graph) { g.Blocks[0].Term.Cond = nil }, "b0: its branch lacks a test or a way"},
		{"a branch with one way", func(g *Graph) { g.Blocks[0].False = nil }, "b0: its branch lacks a test or a way"},
		{"a loop without iterator", func(g *Graph) { g.Blocks[0].Term.Kind = For }, "b0: its loop lacks an iterator or a way"},
		{"a statement that is none", func(g *Graph) { g.Blocks[1].Stmts[0] = nil }, "b1: one of its statements is none"},
		{"an item below the stack", func(g *Graph) { g.Blocks[2].Term.Value = slot(1) }, "b2: item 1 of a stack of 1 is used"},
		{"an item in a statement", func(g *Graph) { g.Blocks[1].Stmts[0] = pyast.ES(pyast.CallE(pyast.N("f"), slot(0))) }, "b1: item 0 of a stack of 0 is used"},
		{"an item in a marker", func(g *Graph) { g.Blocks[1].Stmts[0] = &Marker{Kind: MarkAdd, Args: []pyast.Expr{slot(3)}} }, "b1: item 3 of a stack of 0 is used"},
	} {
		last := &Block{ID: 2, In: []*Value{nil}, Term: Term{Kind: Return, Value: slot(0)}}
		body := &Block{ID: 1, Stmts: []pyast.Stmt{pyast.ES(pyast.CallE(pyast.N("f")))}, Term: Term{Kind: Goto}, Next: last}
		first := &Block{ID: 0, Term: Term{Kind: Branch, Cond: pyast.N("x")}, True: body, False: last}
		g := &Graph{Blocks: []*Block{first, body, last}, Entry: first}
		c.spoil(g)
		err := g.Check()
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}
