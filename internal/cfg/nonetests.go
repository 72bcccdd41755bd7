package cfg

import (
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// NoneTests gives tests for None the form that compilers write (3.11+), which the
// passes for match statements and except* look for. Dynamo takes it apart:
//
//	LOAD_CONST None; IS_OP 0; POP_JUMP_IF_TRUE   →   POP_JUMP_IF_NONE
func NoneTests(g *Graph) {
	if !g.Func.Code.Version.HasExceptionTable() {
		return
	}
	for _, b := range g.Blocks {
		n := len(b.Instrs)
		if n < 3 || b.Instrs[n-3].Op != opcode.LoadConst || b.Instrs[n-2].Op != opcode.IsOp {
			continue
		}
		if _, none := b.Instrs[n-3].Const.(pyc.None); !none {
			continue
		}
		jump := b.Instrs[n-1]
		onTrue := jump.Op == opcode.PopJumpIfTrue
		if !onTrue && jump.Op != opcode.PopJumpIfFalse {
			continue
		}
		jump.Op = opcode.PopJumpIfNotNone
		if onTrue == (b.Instrs[n-2].Arg == 0) {
			jump.Op = opcode.PopJumpIfNone
		}
		b.Instrs = append(b.Instrs[:n-3:n-3], jump)
	}
}
