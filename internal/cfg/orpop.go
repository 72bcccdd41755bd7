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
// When both sides begin with a POP_TOP, either the value is that of a statement, whose
// end drops it (`a and f()`), or the jump led to a test of the same value that it decides
// (3.14+, `(a or b) and c`), and a plain POP_JUMP_IF_FALSE is left.
func orPop(g *Graph) (changed bool) {
	if !g.Func.Code.Version.SpellsOutOrPop() {
		return false
	}
	for i := 0; i < len(g.Blocks); i++ { // the list grows
		b := g.Blocks[i]
		k := keptTest(b)
		if k < 0 {
			continue
		}
		last := b.Instrs[len(b.Instrs)-1]
		next, nextPops := b.Next.pops()
		taken, takenPops := b.Taken.pops()
		switch {
		case nextPops && takenPops && decidesTest(b, taken):
			b.Next, b.Taken = g.splitPop(next), g.splitPop(taken)
		case nextPops:
			last.Op = opcode.JumpIfFalseOrPop + (last.Op - opcode.PopJumpIfFalse)
			b.Next = g.splitPop(next)
		case takenPops:
			// The value lives on where control falls through.
			if last.Op == opcode.PopJumpIfFalse {
				last.Op = opcode.JumpIfTrueOrPop
			} else {
				last.Op = opcode.JumpIfFalseOrPop
			}
			b.Next, b.Taken = g.splitPop(taken), next
		default:
			continue
		}
		b.Instrs = append(b.Instrs[:k:k], last)
		changed = true
	}
	return changed
}

// keptTest finds the COPY with which a block ends that tests a value and keeps it; -1
// where it does not.
func keptTest(b *Block) int {
	n := len(b.Instrs)
	if b.Dead || n < 2 || b.Next == nil || b.Taken == nil {
		return -1
	}
	if op := b.Instrs[n-1].Op; op != opcode.PopJumpIfFalse && op != opcode.PopJumpIfTrue {
		return -1
	}
	k := n - 2
	for k > 0 && (b.Instrs[k].Op == opcode.ToBool || b.Instrs[k].Op == opcode.Nop) {
		k--
	}
	if b.Instrs[k].Op != opcode.Copy || b.Instrs[k].Arg != 1 {
		return -1
	}
	return k
}

// decidesTest reports whether b's jump has gone past another test of the value, which
// falls through to where b leads.
func decidesTest(b, taken *Block) bool {
	for _, p := range taken.Preds {
		to := taken
		for p != b && idle(p) && len(p.Preds) == 1 && p.Next == to {
			p, to = p.Preds[0], p // NOT_TAKEN in a block of its own
		}
		if p != b && p.Next == to && keptTest(p) >= 0 {
			return true
		}
	}
	return false
}

// pops returns the block in which control begins with a POP_TOP behind which it goes on.
func (b *Block) pops() (*Block, bool) {
	for steps := 0; firstIndex(b) < 0 && b.Taken == nil && b.Next != nil && steps < 10; steps++ {
		b = b.Next // NOT_TAKEN in a block of its own
	}
	i := firstIndex(b)
	if i < 0 || b.Instrs[i].Op != opcode.Pop {
		return b, false
	}
	return b, len(b.Instrs) > i+1 || b.Next != nil && b.Taken == nil
}

// behindPop returns what is behind the POP_TOP that control begins with in b.
func (g *Graph) behindPop(b *Block) (*Block, bool) {
	if b == nil {
		return nil, false // the code ends
	}
	b, ok := b.pops()
	if !ok {
		return b, false
	}
	return g.splitPop(b), true
}

// splitPop splits a block behind the POP_TOP that it begins with and returns the
// second part.
func (g *Graph) splitPop(b *Block) *Block {
	i := firstIndex(b)
	if len(b.Instrs) == i+1 {
		return b.Next
	}
	rest := &Block{ID: b.ID, Instrs: b.Instrs[i+1:], Next: b.Next, Taken: b.Taken, Exc: b.Exc, Preds: []*Block{b}}
	b.Instrs = append([]bytecode.Instr(nil), b.Instrs[:i+1]...)
	b.Next, b.Taken = rest, nil
	rest.Succs(func(s *Block) {
		if k := slices.Index(s.Preds, b); k >= 0 {
			s.Preds[k] = rest
		}
	})
	// In place, unlike insertAfter: the caller counts blocks, it does not range over them.
	if k := slices.Index(g.Blocks, b); k >= 0 {
		g.Blocks = slices.Insert(g.Blocks, k+1, rest)
	}
	return rest
}
