package cfg

import (
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// TestCheck rejects graphs that break an invariant, each in one place.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(g *Graph)
		want  string
	}{
		{"a sound graph", func(*Graph) {}, ""},
		{"a block twice", func(g *Graph) { g.Blocks = append(g.Blocks, g.Blocks[1]) }, "b1 is in the list twice"},
		{"an entry outside", func(g *Graph) { g.Entry = &Block{} }, "the entry is none of the blocks"},
		{"an edge outside", func(g *Graph) { g.Blocks[1].Next = &Block{} }, "b1: an edge leads to a block that is not in the graph"},
		{"an edge to dead code", func(g *Graph) { g.Blocks[2].Dead = true }, "b2 behind it counts as unreachable"},
		{"a test with one way", func(g *Graph) { g.Blocks[0].Taken = nil }, "b0: PopJumpIfFalse lacks a way"},
		{"a second way without a test", func(g *Graph) { g.Blocks[1].Taken = g.Blocks[2] }, "b1: StoreFast has a second way"},
		{"a return that goes on", func(g *Graph) { g.Blocks[2].Next = g.Blocks[0] }, "b2: Return goes on"},
		{"a jump in the middle", func(g *Graph) { g.Blocks[0].Instrs[0] = op(opcode.Jump, 0) }, "b0: control leaves at Jump, which is not its last"},
		{"a region without number", func(g *Graph) { g.Regions = nil }, "b1: its region is not in the graph"},
		{"a region of another number", func(g *Graph) { g.Regions[0].ID = 1 }, "region 1 is at place 0"},
		{"a region in itself", func(g *Graph) { g.Regions[0].Parent = g.Regions[0] }, "r0 lies in itself"},
		{"a handler outside", func(g *Graph) { g.Regions[0].Handler = &Block{} }, "b1: the handler of r0 is not in the graph"},
		{"a dead handler", func(g *Graph) { g.Regions[0].Handler.Dead = true }, "b1: the handler of r0 counts as unreachable"},
	} {
		ret := op(opcode.Return, 0)
		last := &Block{Instrs: append([]bytecode.Instr{load("x")}, ret)}
		handler := &Block{Instrs: append([]bytecode.Instr{load("x")}, ret)}
		r := &Region{Handler: handler}
		body := &Block{Instrs: append([]bytecode.Instr{load("y")}, store("x")), Next: last, Exc: r}
		first := &Block{Instrs: append([]bytecode.Instr{load("x")}, op(opcode.PopJumpIfFalse, 0)), Next: body, Taken: last}
		g := graphOf(first, body, last, handler)
		g.Regions = append(g.Regions, r)
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
