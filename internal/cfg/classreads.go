package cfg

import (
	"slices"

	"github.com/thuml/depyf/internal/opcode"
)

// classReads makes one instruction of the two with which a class body reads a variable that a
// function around it may have: a name is one load for all that reads patterns and operands.
//
//	LOAD_LOCALS; LOAD_FROM_DICT_OR_DEREF x   →   LOAD_CLASSDEREF x, as CPython 3.11 and before have it
//
// See codegen_nameop in CPython's Python/compile.c (3.12+).
func classReads(g *Graph) {
	if g.Func.Code.IsFunction() {
		return
	}
	for _, b := range g.Blocks {
		first := true // the instructions of the block are those of the code until then
		for i := 0; i+1 < len(b.Instrs); i++ {
			if b.Instrs[i].Op != opcode.LoadLocals || b.Instrs[i+1].Op != opcode.LoadFromDictOrDeref {
				continue
			}
			if first {
				b.own()
				first = false
			}
			b.Instrs[i+1].Op, b.Instrs[i+1].Offset = opcode.LoadClassDeref, b.Instrs[i].Offset
			b.Instrs = slices.Delete(b.Instrs, i, i+1)
		}
	}
}
