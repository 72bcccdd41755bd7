package cfg

import "github.com/thuml/depyf/internal/opcode"

// classReads makes one instruction of the two with which a class body reads a variable that a
// function around it may have: a name is one load for all that reads patterns and operands.
//
//	LOAD_LOCALS; LOAD_FROM_DICT_OR_DEREF x   →   LOAD_CLASSDEREF x, as CPython 3.11 and before have it
//
// See codegen_nameop in CPython's Python/compile.c (3.12+).
func classReads(g *Graph) error {
	for _, b := range g.Blocks {
		out := b.Instrs[:0:0]
		for i := range b.Instrs {
			in := b.Instrs[i]
			if n := len(out); n > 0 && in.Op == opcode.LoadFromDictOrDeref && out[n-1].Op == opcode.LoadLocals {
				in.Op, in.Offset = opcode.LoadClassDeref, out[n-1].Offset
				out[n-1] = in
				continue
			}
			out = append(out, in)
		}
		b.Instrs = out
	}
	return nil
}
