package cfg

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// closeGaps gives conditional jumps in the middle of a statement the region of
// the instruction in front, which computes what they test. When the assembler
// turns a jump around, because conditional jumps go forward only, the new jump
// is in no row of the table: it cannot raise.
//
//	TO_BOOL                 r0
//	POP_JUMP_IF_TRUE        -       →  r0
//	NOT_TAKEN; JUMP         r0
func closeGaps(f *bytecode.Func, exc []*protRegion) {
	for i := 1; i < len(f.Instrs); i++ {
		if exc[i] == exc[i-1] {
			continue
		}
		quiet := f.Code.Version.JumpsTestBools()
		switch f.Instrs[i].Op {
		case opcode.PopJumpIfNone, opcode.PopJumpIfNotNone:
			quiet = true
		case opcode.PopJumpIfFalse, opcode.PopJumpIfTrue:
		default:
			continue
		}
		switch f.Instrs[i-1].Op {
		case opcode.IsOp, opcode.ContainsOp:
			quiet = true // the result is a bool
		case opcode.ToBool, opcode.Compare:
		default:
			if f.Instrs[i].Op != opcode.PopJumpIfNone && f.Instrs[i].Op != opcode.PopJumpIfNotNone {
				continue
			}
		}
		if quiet {
			exc[i] = exc[i-1]
		}
	}
}
