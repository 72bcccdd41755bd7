package cfg

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// DropFirstSent drops what a generator or coroutine is first sent. Dynamo leaves the
// compiler's POP_TOP out, so that the None lies below everything else to the end.
//
//	RETURN_GENERATOR; RESUME   →   RETURN_GENERATOR; POP_TOP; RESUME
func DropFirstSent(g *Graph) {
	ins := g.Entry.Instrs
	for i := range ins {
		if ins[i].Op != opcode.ReturnGenerator || i+1 < len(ins) && ins[i+1].Op == opcode.Pop {
			continue
		}
		pop := ins[i]
		pop.Op, pop.Name, pop.Arg = opcode.Pop, "", 0
		g.Entry.Instrs = slices.Concat(ins[:i+1], []bytecode.Instr{pop}, ins[i+1:])
		return
	}
}
