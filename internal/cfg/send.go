package cfg

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// sendLoops replaces the loop that 3.11+ makes of await and yield from
//
//	loop: SEND end; YIELD_VALUE; RESUME; JUMP_BACKWARD_NO_INTERRUPT loop
//	end:  [END_SEND]
//
// by the single YIELD_FROM that 3.7-3.10 use. Arg is 1 for an await.
func sendLoops(g *Graph) (changed bool) {
	if g.Func.Code.Version.HasBlockStack() {
		// There the kind shows in what made the receiver.
		for _, b := range g.Blocks {
			await := false
			for i := range b.Instrs {
				switch b.Instrs[i].Op {
				case opcode.GetAwaitable:
					await = true
				case opcode.GetYieldFromIter:
					await = false
				case opcode.GetAnext:
					await = true
				case opcode.YieldFrom:
					if await {
						b.own()
						b.Instrs[i].Arg = 1
					}
				}
			}
		}
		return false
	}
	for _, b := range g.Blocks {
		last := b.Last()
		if last == nil || last.Op != opcode.Send || b.Dead {
			continue
		}
		end := b.Taken
		await := isAwait(b)
		in := bytecode.Instr{Op: opcode.YieldFrom, Target: -1, Offset: last.Offset, Pos: last.Pos}
		if await {
			in.Arg = 1
		}
		in.Flag = last.Arg == 2 // 3.15: a NULL lies above the receiver
		b.Instrs = append(b.Instrs[:len(b.Instrs)-1:len(b.Instrs)-1], in)
		b.Next, b.Taken = end, nil
		for i := range end.Instrs {
			if op := end.Instrs[i].Op; op == opcode.EndSend {
				end.Instrs = append(append([]bytecode.Instr(nil), end.Instrs[:i]...), end.Instrs[i+1:]...)
				break
			} else if op != opcode.Nop {
				break
			}
		}
		changed = true
	}
	return changed
}

// isAwait looks for what made the receiver: in the block itself, or in its
// predecessor when the SEND heads a block of its own.
func isAwait(b *Block) bool {
	for _, x := range append([]*Block{b}, b.Preds...) {
		for i := len(x.Instrs) - 1; i >= 0; i-- {
			switch x.Instrs[i].Op {
			case opcode.GetAwaitable, opcode.GetAnext:
				return true
			case opcode.GetYieldFromIter:
				return false
			}
		}
	}
	return false
}
