package cfg

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
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

// UnboundAtEntry takes out the stores of NULL with which a resume function makes
// variables unbound that are so at entry: those of comprehensions whose values are
// on the stack. They stand behind the contexts that it enters.
func UnboundAtEntry(g *Graph) {
	args := g.Func.Code.VarNames()
	args = args[:min(len(args), g.Func.Code.ArgCount+g.Func.Code.KwOnlyArgCount)]
	var before []bytecode.Instr
	for b := g.Entry; b != nil; b = b.Next {
		var out []bytecode.Instr
		ins := b.Instrs
		for i := 0; i < len(ins); i++ {
			if ins[i].Op == opcode.PushNull && i+1 < len(ins) && ins[i+1].Op == opcode.StoreFast && !slices.Contains(args, ins[i+1].Name) && !storesBefore(before, ins[i+1].Name) {
				i++
				continue
			}
			out = append(out, ins[i])
			before = append(before, ins[i])
		}
		if len(out) > 0 {
			b.Instrs = out
		}
		if b.Taken != nil || b.Next == nil || b.Next == g.Entry || len(b.Next.Preds) != 1 {
			return // the function's own code
		}
	}
}

func storesBefore(ins []bytecode.Instr, name string) bool {
	return slices.ContainsFunc(ins, func(in bytecode.Instr) bool { return in.Op == opcode.StoreFast && in.Name == name })
}
