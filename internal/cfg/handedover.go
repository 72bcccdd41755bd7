package cfg

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// BeginDisplays begins the displays that a resume function is given half done: each
// is copied into one of the function's own, which it is then.
//
//	LOAD_FAST ___stack0   →   BUILD_LIST 0; LOAD_FAST ___stack0; LIST_EXTEND 1
func BeginDisplays(g *Graph) {
	begins := bytecode.HandedOver(g.Func)
	if len(begins) == 0 {
		return
	}
	for _, b := range g.Blocks { // The prefix enters the with statements around the place once more.
		var out []bytecode.Instr
		for _, in := range b.Instrs {
			op := begins[in.Name]
			extend, ok := extends[op]
			if in.Op != opcode.LoadFast || !ok {
				out = append(out, in)
				continue
			}
			begin, more := in, in
			begin.Op, begin.Name, begin.Arg = op, "", 0
			more.Op, more.Name, more.Arg = extend, "", 1
			out = append(out, begin, in, more)
		}
		b.Instrs = out
	}
}

var extends = map[opcode.Op]opcode.Op{
	opcode.BuildList: opcode.ListExtend, opcode.BuildSet: opcode.SetUpdate, opcode.BuildMap: opcode.DictUpdate,
}
