package cfg

import "github.com/thuml/depyf/internal/opcode"

// genCalls folds the two paths that 3.14+ makes of all, any and tuple (3.15:
// also list and set) of a generator expression back into the call:
//
//	f; COPY 1; LOAD_COMMON_CONSTANT all; IS_OP; POP_JUMP_IF_FALSE slow
//	POP_TOP; an inlined loop over the generator       (f is the real one)
//	slow: PUSH_NULL; generator; CALL 1                (f is something else)
//
// The slow path is the call as it is written, so the test goes and the fast
// path dies.
func genCalls(g *Graph) (changed bool) {
	if !g.Func.Code.Version.InlinesAllAny() {
		return false
	}
	for _, b := range g.Blocks {
		n := len(b.Instrs)
		if n < 4 || b.Dead {
			continue
		}
		t := b.Instrs[n-4:]
		if t[3].Op != opcode.PopJumpIfFalse || t[2].Op != opcode.IsOp || t[1].Op != opcode.LoadCommon ||
			t[1].Arg == opcode.CommonAssertionError || t[0].Op != opcode.Copy {
			continue
		}
		b.Instrs = b.Instrs[: n-4 : n-4]
		b.Next, b.Taken = b.Taken, nil
		changed = true
	}
	return changed
}
