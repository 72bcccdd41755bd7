package cfg

import (
	"slices"

	"github.com/thuml/depyf/internal/opcode"
)

// reraiseCopies gives the handler of a finally clause one RERAISE. The compiler
// copies it to every way that leads there, as it leaves the function:
//
//	POP_JUMP_IF_FALSE f              POP_JUMP_IF_FALSE r
//	POP_JUMP_IF_FALSE g              POP_JUMP_IF_FALSE r
//	…                            →   …
//	f: RERAISE                       r: RERAISE
//	g: RERAISE
func reraiseCopies(g *Graph) (changed bool) {
	if !g.Func.Code.Version.CopiesExitBlocks() {
		return false
	}
	var heights map[*Block]outLevels // of the stack: each of these ends lets go of an exception of its own
	for _, h := range append([]*Block(nil), g.Blocks...) {
		if h.Dead || len(h.HandlerOf) == 0 || !finallyHandler(h) {
			continue
		}
		ends := reraises(h)
		for i, b := range ends {
			for _, end := range ends[i+1:] {
				if b.Exc != end.Exc || b.Last().Arg != end.Last().Arg {
					continue
				}
				if heights == nil {
					heights = levels(g)
				}
				if heights[b].in != heights[end].in {
					continue
				}
				for _, p := range b.Preds {
					for _, slot := range []**Block{&p.Next, &p.Taken} {
						if *slot == b {
							*slot = end
							changed = true
						}
					}
				}
				break
			}
		}
	}
	return changed
}

// finallyHandler reports whether h is the handler of a finally clause: it asks
// nothing of the exception and does not drop it.
func finallyHandler(h *Block) bool {
	if k := h.HandlerOf[0].Kind; k != RegionTable {
		return k == RegionFinally
	}
	for i := range h.Instrs {
		switch h.Instrs[i].Op {
		case opcode.CheckExcMatch, opcode.WithExceptStart:
			return false
		}
	}
	return firstOp(h) != opcode.Pop
}

// branchesOnly reports whether only tests lead to b.
func branchesOnly(b *Block) bool {
	for _, p := range b.Preds {
		if p.Taken == nil {
			return false
		}
	}
	return true
}

// reraises lists the blocks behind h that do nothing but RERAISE and that tests
// lead to, in layout order.
func reraises(h *Block) []*Block {
	var out []*Block
	for b, more := range Walk(h) {
		if b != h && branchesOnly(b) && skip(place{b, 0}).i == len(b.Instrs)-1 && b.Last().Op == opcode.Reraise {
			out = append(out, b)
		}
		b.Succs(more)
	}
	slices.SortFunc(out, func(a, b *Block) int { return a.ID - b.ID })
	return out
}
