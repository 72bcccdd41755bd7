package cfg

import (
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// breakCopies marks where a `break` drops the iterator of its loop in front of a
// copy of the exit behind the loop (3.10+):
//
//	break             POP_TOP          line 4
//	...
//	return a, b       LOAD_FAST a      line 7
//	                  ...
//	                  RETURN_VALUE
//
// A `return` in the loop computes its value before it drops the iterator, and a
// constant is loaded on the line where it is dropped. What looks the same, an
// expression statement on several lines, leaves another stack.
func breakCopies(g *Graph) (changed bool) {
	if !g.Func.Code.Version.CopiesExitBlocks() {
		return false
	}
	for _, b := range append([]*Block(nil), g.Blocks...) {
		if l := b.Last(); b.Dead || l == nil || l.Op != opcode.Return && l.Op != opcode.Raise {
			continue
		}
		if i := dropsIterator(b, g.Func.Code.Version); i >= 0 && !g.Choices.Other(copiedBreak, b.Instrs[i].Offset) {
			k := g.blockAt(place{b, i + 1})
			b.Leaps, k.Apart = opcode.BreakLoop, true
			changed = true
		}
	}
	return changed
}

// dropsIterator returns the number of the last POP_TOP or POP_ITER in b that drops
// an iterator for a `break`, by its line and, where columns are known, its width,
// or -1.
func dropsIterator(b *Block, v pyc.Version) int {
	for i := len(b.Instrs) - 2; i >= 0; i-- {
		in, next := &b.Instrs[i], &b.Instrs[i+1]
		if in.Op != opcode.Pop && in.Op != opcode.PopIter || in.Pos.Line <= 0 || next.Pos.Line <= 0 || next.Pos.Line == in.Pos.Line || next.Op == opcode.Pop || next.Op == opcode.Return {
			continue
		}
		if v.HasColumns() && (in.Pos.EndLine != in.Pos.Line || in.Pos.EndCol-in.Pos.Col != int32(len("break"))) {
			continue
		}
		first := i // a POP_TOP for each slot, or one POP_ITER
		for first > 0 && in.Op == opcode.Pop && i-first < v.IteratorSlots()-1 && b.Instrs[first-1].Op == opcode.Pop && b.Instrs[first-1].Pos == in.Pos {
			first--
		}
		if first == 0 || b.Instrs[first-1].Pos.Line != in.Pos.Line && b.Instrs[first-1].Op != opcode.Rot {
			return i
		}
	}
	return -1
}
