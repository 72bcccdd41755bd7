package cfg

import "github.com/thuml/depyf/internal/opcode"

// unthread removes the steps that only the encoding of jumps needs: from 3.12
// on conditional jumps go forward only, and 3.14+ marks the side not taken.
//
//	POP_JUMP_IF_TRUE body                POP_JUMP_IF_FALSE loop
//	NOT_TAKEN; JUMP_BACKWARD loop   →
//
// A jump on a line of its own is a `continue` of the source and stays. Before 3.12 a test leads to a jump
// only where a constant is tested behind it, in one expression:
//
//	a if ("x" if b else c) else d      LOAD b; POP_JUMP_IF_FALSE c; JUMP_FORWARD a; c: …
func unthread(g *Graph) (changed bool) {
	within := !g.Func.Code.Version.JumpsForwardOnly()
	for _, b := range g.Blocks {
		if b.Dead || b.Taken == nil || b.Next == nil {
			continue
		}
		if last := b.Last(); last.Op == opcode.ForIter || last.Op == opcode.Send {
			continue
		}
		for _, slot := range []**Block{&b.Next, &b.Taken} {
			for steps := 0; steps < 10; steps++ {
				t := *slot
				if t.Next == nil || t.Taken != nil || len(t.HandlerOf) > 0 || t.Next == t || !empty(t, b.Last().Pos.Line) {
					break
				}
				if within && (len(t.Next.Instrs) == 0 || t.Next.Instrs[0].Pos.Line != b.Last().Pos.Line || t.Exc != t.Next.Exc) {
					break
				}
				*slot = t.Next
				changed = true
			}
		}
	}
	return changed
}

// empty reports whether a block does nothing but jump, and belongs to the line.
func empty(b *Block, line int32) bool {
	for i := range b.Instrs {
		in := &b.Instrs[i]
		switch in.Op {
		case opcode.Nop, opcode.Jump:
			if in.Pos.Line > 0 && in.Pos.Line != line {
				return false
			}
		default:
			return false
		}
	}
	return true
}
