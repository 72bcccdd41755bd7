package cfg

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// asyncFor37 gives 3.7's `async for` the shape of a plain `for`. There the end
// of the loop is an exception that the code itself tests for:
//
//	loop:  SETUP_EXCEPT h
//	       GET_ANEXT; None; YIELD_FROM; store; POP_BLOCK; jump body
//	h:     DUP_TOP; LOAD_GLOBAL StopAsyncIteration; COMPARE_OP exception match
//	       POP_JUMP_IF_TRUE end
//	       END_FINALLY
//	body:  body; jump loop
//	end:   POP_TOP×3; POP_EXCEPT; POP_TOP; what follows the loop
//
// becomes FOR_ITER (Flag: asynchronous) with end behind its POPs.
func asyncFor37(g *Graph) (changed bool) {
	if !g.Func.Code.Version.HasLoopBlocks() {
		return false
	}
	for _, r := range g.Regions {
		h := r.Handler
		if r.Kind != RegionExcept || h.Dead || len(h.Instrs) != 4 || h.Instrs[0].Op != opcode.Copy ||
			h.Instrs[1].Name != "StopAsyncIteration" || h.Instrs[2].Op != opcode.ExcMatch || h.Instrs[3].Op != opcode.PopJumpIfTrue {
			continue
		}
		end := h.Taken
		if end == nil || !startsWith(end, opcode.Pop, opcode.Pop, opcode.Pop, opcode.PopExcept, opcode.Pop) {
			continue
		}
		for _, b := range slices.Clone(g.Blocks) {
			if b.Exc == r {
				changed = nextAwaited(g, b, end) || changed
			}
		}
		if !changed {
			continue
		}
		end.Instrs = end.Instrs[5:]
		if len(end.Instrs) == 0 {
			end.Instrs = []bytecode.Instr{{Op: opcode.Nop, Target: -1, Pos: bytecode.NoPos}}
		}
		dissolve(g, map[*Region]bool{r: true})
	}
	return changed
}

// startsWith reports whether the block begins with these instructions.
func startsWith(b *Block, ops ...opcode.Op) bool {
	if len(b.Instrs) < len(ops) {
		return false
	}
	for i, op := range ops {
		if b.Instrs[i].Op != op {
			return false
		}
	}
	return true
}
