package cfg

import (
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// TestNoContainerInItself refuses code that puts a list into itself: the text of such
// a display would have no end.
func TestNoContainerInItself(t *testing.T) {
	zero := bytecode.Instr{Op: opcode.LoadConst, Const: pyc.NewInt(0)}
	for name, ins := range map[string][]bytecode.Instr{
		"append":            {op(opcode.BuildList, 0), op(opcode.Copy, 1), op(opcode.ListAppend, 1)},
		"extend by a tuple": {op(opcode.BuildList, 0), op(opcode.Copy, 1), op(opcode.BuildTuple, 1), op(opcode.ListExtend, 1)},
		"store an item":     {load("x"), op(opcode.BuildList, 1), op(opcode.Copy, 1), op(opcode.Copy, 2), zero, op(opcode.StoreSubscr, 0)},
		"by another list":   {op(opcode.BuildList, 0), op(opcode.Copy, 1), op(opcode.BuildList, 1), op(opcode.ListAppend, 1)},
	} {
		code := &pyc.Code{Version: pyc.V312, LocalsPlusNames: []string{"x"}, LocalsPlusKinds: []pyc.LocalKind{pyc.KindLocal}}
		b := &Block{Instrs: append(ins, op(opcode.Return, 0))}
		g := &Graph{Func: &bytecode.Func{Code: code, Instrs: b.Instrs}, Blocks: []*Block{b}, Entry: b}
		if _, err := Unshuffle(g, true, false); err == nil || !strings.Contains(err.Error(), "part of itself") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
