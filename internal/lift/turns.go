package lift

import (
	"iter"
	"slices"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/opcode"
)

// turns are the blocks of g whose SETUP_LOOP (3.7) opens a while loop that is always left in its first
// turn: no edge tells of it. A for loop has its FOR_ITER, with nothing but an expression in front.
//
//	SETUP_LOOP end
//	...                     no jump leads here again
//	BREAK_LOOP
//	end:
func turns(g *cfg.Graph) iter.Seq[*cfg.Block] {
	return func(yield func(*cfg.Block) bool) {
		var setup *cfg.Block
		done := func() bool {
			b := setup
			setup = nil
			return b == nil || b.Next == nil || b.Next.Dead || returnedTo(b.Next) || yield(b)
		}
		for _, b := range g.Blocks {
			if b.Dead {
				continue
			}
			for i := range b.Instrs {
				if b.Instrs[i].Op == opcode.ForIter {
					setup = nil
				}
			}
			if b.LoopEnd == nil {
				continue
			}
			if !done() {
				return
			}
			setup = b
		}
		done()
	}
}

// deadTurns are the blocks that a jump leads back to which nothing reaches, and the last block that jumps there: a loop
// that is always left in its first turn, where the compiler leaves the end of its body in the code (3.8, 3.9).
//
//	h: ...                  no other jump leads here again
//	...
//	JUMP out
//	JUMP h                  dead: the body ends here
func deadTurns(g *cfg.Graph) map[*cfg.Block]int {
	if v := g.Func.Code.Version; v.HasLoopBlocks() || v.DeadCodeRemoved() {
		return nil
	}
	var turns map[*cfg.Block]int
	for _, b := range g.Blocks {
		if l := b.Last(); !b.Dead || l == nil || l.Op != opcode.Jump || b.Next == nil {
			continue
		}
		if h := b.Next; !h.Dead && h.ID < b.ID && !returnedTo(h) {
			if turns == nil {
				turns = map[*cfg.Block]int{}
			}
			turns[h] = b.ID
		}
	}
	return turns
}

// returnedTo reports whether code behind b that runs leads to it.
func returnedTo(b *cfg.Block) bool {
	return slices.ContainsFunc(b.Preds, func(p *cfg.Block) bool { return !p.Dead && p.ID >= b.ID })
}
