package cfg

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// asyncFor gives `async for` the shape of a plain `for`. From 3.8 on its end is
// an exception:
//
//	loop: [region -> end] GET_ANEXT; None; YIELD_FROM [region ends]
//	      store; body; jump loop
//	end:  END_ASYNC_FOR; what follows the loop
//
// becomes
//
//	loop: FOR_ITER (Flag: asynchronous); taken: what follows the loop
//	      store; body; jump loop
//
// so that everything behind this pass knows one kind of loop only. It runs
// after sendLoops, which has made one YIELD_FROM of the SEND loop.
func asyncFor(g *Graph) (changed bool) {
	for _, h := range slices.Clone(g.Blocks) { // the list grows
		i := firstIndex(h)
		if h.Dead || i < 0 || h.Instrs[i].Op != opcode.EndAsyncFor || len(h.HandlerOf) == 0 {
			continue
		}
		ours := map[*Region]bool{}
		for _, r := range h.HandlerOf {
			ours[r] = true
		}
		for _, b := range slices.Clone(g.Blocks) {
			if b.Exc != nil && ours[b.Exc] && !b.Dead {
				changed = nextAwaited(g, b, h) || changed
			}
		}
		if !changed {
			continue
		}
		h.Instrs = append(append([]bytecode.Instr(nil), h.Instrs[:i]...), h.Instrs[i+1:]...)
		if len(h.Instrs) == 0 {
			h.Instrs = []bytecode.Instr{{Op: opcode.Nop, Target: -1, Pos: bytecode.NoPos}}
		}
		dissolve(g, ours)
	}
	return changed
}

// nextAwaited makes the step of an asynchronous loop in b, from GET_ANEXT to the end of what awaits it, the head of a
// for loop, which goes to h when nothing is left. It reports whether there is one.
func nextAwaited(g *Graph, b, h *Block) bool {
	at, last := -1, -1
	for k := range b.Instrs {
		switch b.Instrs[k].Op {
		case opcode.GetAnext:
			at = k
		case opcode.YieldFrom:
			if at >= 0 && last < 0 {
				last = k // a later one awaits something else
			}
		}
	}
	if at < 0 {
		return false
	}
	// What follows the await: in the same block (3.7-3.10), or behind it.
	tail := b
	for steps := 0; last < 0 && steps < 4 && tail.Next != nil && tail.Taken == nil; steps++ {
		tail = tail.Next
		last = slices.IndexFunc(tail.Instrs, func(in bytecode.Instr) bool { return in.Op == opcode.YieldFrom })
	}
	if last < 0 {
		return false
	}
	next := tail.Next
	if len(tail.Instrs) > last+1 {
		next = g.blockAt(place{tail, last + 1}) // with all that is noted about where the block ends
	}
	in := bytecode.Instr{Op: opcode.ForIter, Arg: 1, Flag: true, Target: -1, Offset: b.Instrs[at].Offset, Pos: b.Instrs[at].Pos}
	b.Instrs = append(b.Instrs[:at:at], in)
	b.Next, b.Taken = next, h
	return true
}

// dissolve takes regions away that no statement of the source is.
func dissolve(g *Graph, ours map[*Region]bool) {
	for r := range ours {
		if r.Setup == nil {
			continue
		}
		if l := r.Setup.Last(); l != nil && l.Op.SetsUp() {
			nop := *l
			nop.Op, nop.Target = opcode.Nop, -1
			r.Setup.Instrs = append(r.Setup.Instrs[:len(r.Setup.Instrs)-1:len(r.Setup.Instrs)-1], nop)
		}
	}
	for _, b := range g.Blocks {
		for b.Exc != nil && ours[b.Exc] {
			b.Exc = b.Exc.Parent
		}
	}
	for _, r := range g.Regions {
		for r.Parent != nil && ours[r.Parent] {
			r.Parent = r.Parent.Parent
		}
	}
}

// insertAfter puts a new block into the layout behind another. It shares the
// other's ID: IDs only order blocks.
func (g *Graph) insertAfter(b, n *Block) {
	for i, x := range g.Blocks {
		if x == b {
			g.Blocks = slices.Concat(g.Blocks[:i+1], []*Block{n}, g.Blocks[i+1:])
			return
		}
	}
}
