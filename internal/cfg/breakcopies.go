package cfg

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// breakCopies marks where a `break` drops the iterator of its loop in front of a
// copy of the exit behind the loop, which in a finally clause raises the exception again (3.10+):
//
//	break             POP_TOP          line 4
//	...
//	return a, b       LOAD_FAST a      line 7
//	                  ...
//	                  RETURN_VALUE
//
// A `return` in the loop computes its value before it drops the iterator, and a
// constant is loaded on the line where it is dropped. What looks the same, the end of an
// expression statement, drops no iterator.
func breakCopies(g *Graph) (changed bool) {
	if !g.Func.Code.Version.CopiesExitBlocks() {
		return false
	}
	var loops *iterators
	for _, b := range append([]*Block(nil), g.Blocks...) {
		list, n, exit := b.Instrs, len(b.Instrs), b
		if b.Ends != nil && n > 1 && list[n-1].Op == opcode.PopBlock && b.Next != nil {
			exit = b.Next
		}
		if l := exit.Last(); b.Dead || l == nil || !leaves(l.Op) {
			continue
		}
		if exit != b {
			// The protected statement around the loop ends with it; its end bears the line of what comes before.
			n--
			list = append(list[:n:n], exit.Instrs...)
		}
		i := dropsIterator(list, g.Func.Code.Version)
		if i < 0 || i >= n {
			continue
		}
		if loops == nil {
			loops = &iterators{g, levels(g)}
		}
		if loops.onTop(b, i) && !g.Choices.Other(copiedBreak, b.Instrs[i].Offset) {
			if b.Instrs[i+1].Op != opcode.PopBlock {
				k := g.blockAt(place{b, i + 1})
				k.Apart, changed = true, true
			}
			b.Leaps = opcode.BreakLoop
		}
	}
	return changed
}

// dropsIterator returns the number of the last POP_TOP or POP_ITER in list that drops
// an iterator for a `break`, by its line and, where columns are known, its width,
// or -1.
func dropsIterator(list []bytecode.Instr, v pyc.Version) int {
	for i := len(list) - 2; i >= 0; i-- {
		in, next := &list[i], &list[i+1]
		if in.Op != opcode.Pop && in.Op != opcode.PopIter || in.Pos.Line <= 0 || next.Pos.Line <= 0 || next.Pos.Line == in.Pos.Line || next.Op == opcode.Pop || next.Op == opcode.Return || next.Op == opcode.Reraise {
			continue
		}
		if v.HasColumns() && (in.Pos.EndLine != in.Pos.Line || in.Pos.EndCol-in.Pos.Col != int32(len("break"))) {
			continue
		}
		first := i // a POP_TOP for each slot, or one POP_ITER
		for first > 0 && in.Op == opcode.Pop && i-first < v.IteratorSlots()-1 && list[first-1].Op == opcode.Pop && list[first-1].Pos == in.Pos {
			first--
		}
		if first == 0 || leavesClause(list[:first], in.Pos) || list[first-1].Pos.Line != in.Pos.Line && list[first-1].Op != opcode.Rot {
			return i
		}
	}
	return -1
}

// leavesClause reports whether list ends by leaving an except clause at the place of a jump.
//
//	except E as e:     POP_EXCEPT
//	    break          LOAD_CONST None; STORE e; DELETE e
//	                   POP_TOP                              the iterator
func leavesClause(list []bytecode.Instr, jump bytecode.Pos) bool {
	fromEnd := func(k int) opcode.Op {
		if k > len(list) || list[len(list)-k].Pos != jump {
			return opcode.Invalid
		}
		return list[len(list)-k].Op
	}
	if fromEnd(1).Deletes() && fromEnd(2).Stores() && fromEnd(3) == opcode.LoadConst {
		return fromEnd(4) == opcode.PopExcept
	}
	return fromEnd(1) == opcode.PopExcept
}

// iterators tells where the iterators of loops lie.
type iterators struct {
	g   *Graph
	all map[*Block]outLevels
}

// onTop reports whether the instruction i of b drops an iterator, or the last slot of one: a loop whose iterator lies
// there has led to b, and nothing has dropped it on the way.
func (s *iterators) onTop(b *Block, i int) bool {
	drops := s.all[b].in
	for k := range i + 1 {
		drops = s.g.behind(s.g.Func.Code.Version, drops, &b.Instrs[k], false)
	}
	below := func(x *Block) bool { return s.all[x].in.from != drops.from || s.all[x].in.height <= drops.height }
	for h := range s.all {
		if h.Last() == nil || h.Last().Op != opcode.ForIter || s.all[h].taken != drops {
			continue
		}
		for x, more := range Walk(h.Next) {
			if x == b {
				return true
			}
			if !below(x) {
				x.Succs(more)
				if x.Exc != nil {
					more(x.Exc.Handler)
				}
			}
		}
	}
	return false
}
