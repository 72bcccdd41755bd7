package cfg

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// orPop gives `and` and `or` back the instruction they had up to 3.11. From 3.12
// on JUMP_IF_X_OR_POP is spelled out, and its POP_TOP is shared or jumped to by
// others:
//
//	COPY 1; TO_BOOL; POP_JUMP_IF_FALSE T        JUMP_IF_FALSE_OR_POP T
//	POP_TOP; rest                           →   rest
//
// When both sides begin with the POP_TOP the value is not wanted at all and a
// plain POP_JUMP_IF_FALSE is left.
func orPop(g *Graph) error {
	if !g.Func.Code.Version.SpellsOutOrPop() {
		return nil
	}
	changed := false
	for i := 0; i < len(g.Blocks); i++ { // the list grows
		b := g.Blocks[i]
		n := len(b.Instrs)
		if b.Dead || n < 2 || b.Next == nil || b.Taken == nil {
			continue
		}
		last := b.Instrs[n-1]
		if last.Op != opcode.PopJumpIfFalse && last.Op != opcode.PopJumpIfTrue {
			continue
		}
		k := n - 2
		for k > 0 && (b.Instrs[k].Op == opcode.ToBool || b.Instrs[k].Op == opcode.Nop) {
			k--
		}
		if b.Instrs[k].Op != opcode.Copy || b.Instrs[k].Arg != 1 {
			continue
		}
		next, nextPops := g.behindPop(b.Next)
		taken, takenPops := g.behindPop(b.Taken)
		switch {
		case nextPops && takenPops:
			b.Next, b.Taken = next, taken
		case nextPops:
			last.Op = opcode.JumpIfFalseOrPop + (last.Op - opcode.PopJumpIfFalse)
			b.Next = next
		case takenPops:
			// The value lives on where control falls through.
			if last.Op == opcode.PopJumpIfFalse {
				last.Op = opcode.JumpIfTrueOrPop
			} else {
				last.Op = opcode.JumpIfFalseOrPop
			}
			b.Next, b.Taken = taken, b.Next
		default:
			continue
		}
		b.Instrs = append(b.Instrs[:k:k], last)
		changed = true
	}
	if changed {
		g.ComputePreds()
	}
	return nil
}

// behindPop splits a block that begins with POP_TOP behind it and returns the
// second part.
func (g *Graph) behindPop(b *Block) (*Block, bool) {
	if b == nil {
		return nil, false // the code ends
	}
	for steps := 0; firstIndex(b) < 0 && b.Taken == nil && b.Next != nil && steps < 10; steps++ {
		b = b.Next // NOT_TAKEN in a block of its own
	}
	i := firstIndex(b)
	if i < 0 || b.Instrs[i].Op != opcode.Pop {
		return b, false
	}
	if len(b.Instrs) == i+1 {
		if b.Next != nil && b.Taken == nil {
			return b.Next, true
		}
		return b, false
	}
	rest := &Block{ID: b.ID, Instrs: b.Instrs[i+1:], Next: b.Next, Taken: b.Taken, Exc: b.Exc, Preds: []*Block{b}}
	b.Instrs = append([]bytecode.Instr(nil), b.Instrs[:i+1]...)
	b.Next, b.Taken = rest, nil
	// In place, unlike insertAfter: the caller counts blocks, it does not range over them.
	if k := slices.Index(g.Blocks, b); k >= 0 {
		g.Blocks = slices.Insert(g.Blocks, k+1, rest)
	}
	return rest, true
}
