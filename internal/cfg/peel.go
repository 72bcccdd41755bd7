package cfg

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// PeelResumed makes loops of functions that are entered in the middle of one.
//
// torch.compile's resume functions jump into the body of the loop in which the
// graph broke, with the running iterator on the stack. The rest of that turn is
// copied in front of the loop, which is then entered at its head:
//
//	jump M                            M': rest of the body
//	F: ForIter … M: rest; jump F  →   F: ForIter … M: rest; jump F
func PeelResumed(g *Graph) {
	if !entersAtOnce(g.Entry) {
		return
	}
	for turn := range 8 { // one turn of each loop around, from the outermost
		if !peelOne(g) {
			return
		}
		markIterator(g.Entry, turn)
	}
}

// markIterator says of the n-th value that the entry puts on the stack that it is
// a running iterator: iter() of one is itself.
func markIterator(b *Block, n int) {
	for i := range b.Instrs {
		if b.Instrs[i].Op != opcode.LoadFast {
			continue
		}
		if n--; n >= 0 {
			continue
		}
		get := b.Instrs[i]
		get.Op, get.Name, get.Arg = opcode.GetIter, "", 1
		b.Instrs = append(b.Instrs[:i+1:i+1], append([]bytecode.Instr{get}, b.Instrs[i+1:]...)...)
		return
	}
}

// entersAtOnce reports whether b only puts arguments on the stack.
func entersAtOnce(b *Block) bool {
	last := b.Last()
	if last == nil || last.Op != opcode.Jump {
		return false
	}
	for i := range b.Instrs {
		switch b.Instrs[i].Op {
		case opcode.CopyFreeVars, opcode.Resume, opcode.MakeCell, opcode.LoadFast, opcode.LoadConst, opcode.StoreFast, opcode.GetIter, opcode.Nop, opcode.Jump, opcode.PushNull:
		default:
			return false
		}
	}
	return true
}

func peelOne(g *Graph) bool {
	tree, num := g.dominators()
	for _, head := range g.Blocks {
		last := head.Last()
		if head.Dead || last == nil || last.Op != opcode.ForIter {
			continue
		}
		cycle := g.cycleOf(head)
		if cycle == nil {
			continue
		}
		entry := entryOf(cycle)
		if entry == nil || entry == head {
			continue
		}
		enters := false
		for _, p := range head.Preds {
			if l := p.Last(); l != nil && l.Op == opcode.GetIter || tree.Dominates(num[head], num[p]) {
				enters = true // a loop like any other, inside of this cycle
			}
		}
		if !enters && peel(g, cycle, entry, head) {
			return true
		}
	}
	return false
}

// cycleOf returns the blocks that head reaches and that reach head, if head is
// one of them.
func (g *Graph) cycleOf(head *Block) map[*Block]bool {
	walk := func(next func(*Block, func(*Block))) map[*Block]bool {
		seen := map[*Block]bool{}
		work := []*Block{head}
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			next(b, func(s *Block) {
				if !seen[s] && !s.Dead {
					seen[s] = true
					work = append(work, s)
				}
			})
		}
		return seen
	}
	down := walk((*Block).Succs)
	up := walk(func(b *Block, f func(*Block)) {
		for _, p := range b.Preds {
			f(p)
		}
	})
	if !down[head] {
		return nil
	}
	for b := range down {
		if !up[b] {
			delete(down, b)
		}
	}
	return down
}

// entryOf returns the one block through which the cycle is entered.
func entryOf(cycle map[*Block]bool) *Block {
	var entry *Block
	for b := range cycle {
		for _, p := range b.Preds {
			if !cycle[p] {
				if entry != nil && entry != b {
					return nil
				}
				entry = b
			}
		}
	}
	return entry
}

// peel copies what lies between entry and head in front of the loop.
func peel(g *Graph, cycle map[*Block]bool, entry, head *Block) bool {
	copies := map[*Block]*Block{}
	for b, more := range Walk(entry) {
		if b == head || !cycle[b] {
			continue
		}
		if b.Exc != entry.Exc || len(b.HandlerOf) > 0 {
			return false
		}
		c := *b
		c.Instrs = append(c.Instrs[:0:0], b.Instrs...)
		copies[b] = &c
		b.Succs(more)
	}
	to := func(s *Block) *Block {
		if c := copies[s]; c != nil {
			return c
		}
		return s
	}
	for _, c := range copies {
		c.Next, c.Taken = to(c.Next), to(c.Taken)
	}
	var out []*Block
	for _, b := range g.Blocks {
		out = append(out, b)
		if cycle[b] || b.Dead {
			continue
		}
		b.Next, b.Taken = to(b.Next), to(b.Taken)
		if b == g.Entry {
			for _, x := range g.Blocks {
				if c := copies[x]; c != nil {
					out = append(out, c)
				}
			}
		}
	}
	g.Blocks = out
	for i, b := range g.Blocks {
		b.ID = i
	}
	g.ComputePreds()
	return true
}
