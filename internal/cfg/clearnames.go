package cfg

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// clearNames removes the end of `except E as e` (3.11+): on every way out of the
// clause the compiler forgets e.
//
//	POP_EXCEPT; LOAD_CONST None; STORE_FAST e; DELETE_FAST e   →   POP_EXCEPT
//
// A `return` in the clause has its value on the stack meanwhile, which nothing
// may separate from the return. It runs before hideRegions, whose hidden
// handlers do the same on an exception and tell the names.
func clearNames(g *Graph) {
	if !g.Func.Code.Version.HasExceptionTable() {
		return
	}
	names := map[string]bool{}
	for _, r := range g.Regions {
		if ops := r.Handler.Instrs; hiddenHandler(r.Handler, g) {
			for i := range ops {
				if ops[i].Op.Deletes() {
					names[ops[i].Name] = true
				}
			}
		}
	}
	if len(names) == 0 {
		return
	}
	for _, b := range g.Blocks {
		if b.Dead {
			continue
		}
		for i := 0; i+2 < len(b.Instrs); i++ {
			in := b.Instrs[i : i+3]
			if _, none := in[0].Const.(pyc.None); !none || in[0].Op != opcode.LoadConst || !in[1].Op.Stores() || !in[2].Op.Deletes() ||
				in[1].Name != in[2].Name || !names[in[1].Name] || !afterPopExcept(b, i) {
				continue
			}
			b.Instrs = append(append([]bytecode.Instr(nil), b.Instrs[:i]...), b.Instrs[i+3:]...)
			if len(b.Instrs) == 0 {
				nop := in[0]
				nop.Op, nop.Const = opcode.Nop, nil
				b.Instrs = []bytecode.Instr{nop}
			}
		}
	}
}

// afterPopExcept reports whether POP_EXCEPT comes right before instruction i.
func afterPopExcept(b *Block, i int) bool {
	for i--; i >= 0; i-- {
		if b.Instrs[i].Op != opcode.Nop {
			return b.Instrs[i].Op == opcode.PopExcept
		}
	}
	if len(b.Preds) == 0 || len(b.HandlerOf) > 0 {
		return false
	}
	for _, p := range b.Preds {
		k := len(p.Instrs) - 1
		for k >= 0 && (p.Instrs[k].Op == opcode.Nop || p.Instrs[k].Op == opcode.Jump) {
			k--
		}
		if k < 0 || p.Instrs[k].Op != opcode.PopExcept {
			return false
		}
	}
	return true
}
