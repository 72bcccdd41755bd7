package cfg

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// PartHandlers ends a block where an exception is handled no more, so that a dispatch
// loop can leave the clause there. Elsewhere the code behind may be part of the block:
// the end that the compiler has copied there.
//
//	POP_EXCEPT            POP_EXCEPT
//	LOAD_GLOBAL f    →
//	CALL 0                LOAD_GLOBAL f
//	…                     …
//
// A name that is cleared there is part of the clause.
func PartHandlers(g *Graph) {
	for k := 0; k < len(g.Blocks); k++ {
		b := g.Blocks[k]
		for i := range b.Instrs {
			if b.Instrs[i].Op != opcode.PopExcept || i+1 == len(b.Instrs) || onlyLeaves(b.Instrs[i+1:]) {
				continue
			}
			rest := g.blockAt(place{b, i + 1})
			rest.Apart, rest.Handmade = true, b.Handmade
			break
		}
	}
	g.ComputePreds()
}

// onlyLeaves reports whether instructions do nothing but clear the clause's name and
// leave the function with a value from before.
func onlyLeaves(list []bytecode.Instr) bool {
	for i := range list {
		switch op := list[i].Op; op {
		case opcode.Nop, opcode.Pop, opcode.Swap, opcode.Rot, opcode.LoadConst, opcode.Return, opcode.Jump, opcode.PopBlock:
		default:
			if !op.Deletes() && !(op.Stores() && i+1 < len(list) && list[i+1].Op.Deletes()) {
				return false
			}
		}
	}
	return true
}
