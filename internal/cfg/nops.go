package cfg

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// behindNops is the index of the first instruction from i on that is no NOP, or how many there are.
func behindNops(list []bytecode.Instr, i int) int {
	for i < len(list) && list[i].Op == opcode.Nop {
		i++
	}
	return i
}

// FirstOp is the first operation of a block but for those that do nothing, or NOP.
func (b *Block) FirstOp() opcode.Op {
	if i := behindNops(b.Instrs, 0); i < len(b.Instrs) {
		return b.Instrs[i].Op
	}
	return opcode.Nop
}

// firstIndex is the index of the first instruction that does something, or -1.
func firstIndex(b *Block) int {
	for i := range b.Instrs {
		switch b.Instrs[i].Op {
		case opcode.Nop, opcode.EndFor:
		default:
			return i
		}
	}
	return -1
}
