package cfg

import (
	"fmt"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

func load(name string) bytecode.Instr { return bytecode.Instr{Op: opcode.LoadFast, Name: name} }
func store(name string) bytecode.Instr {
	return bytecode.Instr{Op: opcode.StoreFast, Name: name}
}
func op(o opcode.Op, arg int) bytecode.Instr { return bytecode.Instr{Op: o, Arg: arg} }

func list(ins []bytecode.Instr) string {
	var out []string
	for _, in := range ins {
		s := in.Op.String()
		if in.Name != "" {
			s += " " + in.Name
		} else if in.Arg != 0 {
			s += fmt.Sprint(" ", in.Arg)
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

// TestFoldCopies reads copies in place of temporaries where, and only where, both
// still hold the same value.
func TestFoldCopies(t *testing.T) {
	ret := op(opcode.Return, 0)
	for _, c := range []struct {
		name     string
		in, want []bytecode.Instr
	}{
		{
			"a chain",
			[]bytecode.Instr{load("x"), store("%t1"), load("%t1"), store("%t2"), load("%t2"), ret},
			[]bytecode.Instr{load("x"), ret},
		},
		{
			"the variable is stored in between",
			[]bytecode.Instr{load("x"), store("%t1"), load("y"), store("x"), load("%t1"), ret},
			[]bytecode.Instr{load("x"), store("%t1"), load("y"), store("x"), load("%t1"), ret},
		},
		{
			"the variable is deleted in between",
			[]bytecode.Instr{load("x"), store("%t1"), {Op: opcode.DeleteFast, Name: "x"}, load("%t1"), ret},
			[]bytecode.Instr{load("x"), store("%t1"), {Op: opcode.DeleteFast, Name: "x"}, load("%t1"), ret},
		},
		{
			"a captured variable may change at any call",
			[]bytecode.Instr{load("cell"), store("%t1"), load("%t1"), ret},
			[]bytecode.Instr{load("cell"), store("%t1"), load("%t1"), ret},
		},
		{
			"the program's name for a value is read from then on",
			[]bytecode.Instr{load("f"), op(opcode.CallFunction, 0), store("%t1"), load("%t1"), store("x"), load("%t1"), ret},
			[]bytecode.Instr{load("f"), op(opcode.CallFunction, 0), store("%t1"), load("%t1"), store("x"), load("x"), ret},
		},
		{
			"a list for nobody",
			[]bytecode.Instr{load("x"), load("y"), op(opcode.BuildList, 2), store("%t1"), load("x"), ret},
			[]bytecode.Instr{load("x"), ret},
		},
		{
			"a call for nobody",
			[]bytecode.Instr{load("f"), op(opcode.CallFunction, 0), store("%t1"), load("x"), ret},
			[]bytecode.Instr{load("f"), op(opcode.CallFunction, 0), store("%t1"), load("x"), ret},
		},
	} {
		b := &Block{Instrs: c.in}
		g := graphOf(b)
		foldCopies(g)
		if got, want := list(b.Instrs), list(c.want); got != want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, want)
		}
	}
}

// graphOf makes a graph of a function that captures the variable cell.
func graphOf(blocks ...*Block) *Graph {
	code := &pyc.Code{Version: pyc.V313, LocalsPlusNames: []string{"x", "y", "f", "cell"}, LocalsPlusKinds: []pyc.LocalKind{pyc.KindLocal, pyc.KindLocal, pyc.KindLocal, pyc.KindCell}}
	for i, b := range blocks {
		b.ID = i
	}
	return &Graph{Func: &bytecode.Func{Code: code}, Blocks: blocks, Entry: blocks[0]}
}

// TestFoldCopiesAcrossBlocks lets a copy pass a join only if all ways bring it, and
// an exception only if nothing in the protected block can have undone it.
func TestFoldCopiesAcrossBlocks(t *testing.T) {
	ret := op(opcode.Return, 0)
	last := &Block{Instrs: []bytecode.Instr{load("%t1"), ret}}
	arm := &Block{Instrs: []bytecode.Instr{load("y"), store("x"), op(opcode.Jump, 0)}, Next: last}
	first := &Block{Instrs: []bytecode.Instr{load("x"), store("%t1"), load("y"), op(opcode.PopJumpIfFalse, 0)}, Next: arm, Taken: last}
	g := graphOf(first, arm, last)
	foldCopies(g)
	if got := list(last.Instrs); got != list([]bytecode.Instr{load("%t1"), ret}) {
		t.Errorf("one arm stores x, and still: %s", got)
	}

	last.Instrs[0] = load("%t1")
	arm.Instrs[1] = store("y")
	foldCopies(g)
	if got := list(last.Instrs); got != list([]bytecode.Instr{load("x"), ret}) {
		t.Errorf("no arm stores x, and still: %s", got)
	}

	handler := &Block{Instrs: []bytecode.Instr{load("%t1"), ret}}
	r := &Region{Handler: handler}
	body := &Block{Instrs: []bytecode.Instr{load("y"), store("x"), load("x"), ret}, Exc: r}
	first = &Block{Instrs: []bytecode.Instr{load("x"), store("%t1")}, Next: body}
	g = graphOf(first, body, handler)
	g.Regions = []*Region{r}
	foldCopies(g)
	if got := list(handler.Instrs); got != list([]bytecode.Instr{load("%t1"), ret}) {
		t.Errorf("the protected block stores x, and still: %s", got)
	}
}
