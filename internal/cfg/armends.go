package cfg

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// armEnds joins the copies of the end of a statement in whose expression the way parts.
// The compiler copies a short exit into each arm, and with it what stands in front:
//
//	    LOAD x; LOAD b; POP_JUMP_IF_FALSE f         x += a if b else c
//	    LOAD a; BINARY_OP +=; STORE x; RERAISE      (at the end of a finally body)
//	f:  LOAD c; BINARY_OP +=; STORE x; RERAISE
//
// Places tell these from the copies of a whole finally body, which have equal places,
// too: here the test at which the two ways part stands within the place of an instruction
// that both have. Without columns no place says that (up to 3.10, and code without tables).
func (e *exits) armEnds() bool {
	if !e.v.HasColumns() {
		return false
	}
	changed := false
	var dom *domTree
	for _, list := range e.g.onOneLine(e.armsByLine()) {
		for i := 0; i < len(list); i++ {
			for j := i + 1; j < len(list); j++ {
				a, b := list[i], list[j]
				n, apart := e.sharedEnd(a, b)
				if n == 0 {
					continue
				}
				if dom == nil {
					dom = newDomTree(e.g)
				}
				common := a.Instrs[len(a.Instrs)-n:]
				if !apart {
					common = common[:n-1]
				}
				if parts := dom.parts(a, b); parts == nil || !parts.Op.Conditional() || !within(parts.Pos, common) {
					continue
				}
				list[j] = e.meet(a, b, n)
				e.g.ComputePreds()
				list = append(list[:i], list[i+1:]...)
				dom, changed = nil, true
				i--
				break
			}
		}
	}
	return changed
}

// armsByLine lists the blocks that may be ends of arms, with the line of their last instruction.
func (e *exits) armsByLine() (ends []lineEnd) {
	for i, b := range e.g.Blocks {
		last := len(b.Instrs) - 1
		exit := exitOf(b)
		if exit == b {
			last-- // what the function is left with says nothing
		}
		if b.Dead || exit == nil || last < 0 {
			continue
		}
		if at := b.Instrs[last].Pos.Line; at > 0 && !behindExit(e.v, b) {
			ends = append(ends, lineEnd{at, i})
		}
	}
	return ends
}

// sharedEnd is how many instructions at the ends of two arms are the same, 0 where they tell nothing; apart: the exits
// are blocks of their own.
func (e *exits) sharedEnd(a, b *Block) (n int, apart bool) {
	n, apart = e.commonEnd(a, b), exitOf(a) != a
	if n < 2 && !apart || n < 1 || a.Exc != b.Exc || apart != (exitOf(b) != b) || apart && !sameLeaving(a.Next, b.Next) {
		return 0, apart
	}
	return n, apart
}

// domTree is the tree of dominators of a graph.
type domTree struct {
	g    *Graph
	tree *Tree
	num  map[*Block]int
}

func newDomTree(g *Graph) *domTree {
	tree, num := g.dominators()
	return &domTree{g, tree, num}
}

// parts is the instruction at which the ways to a and b part; nil where one of them is never reached.
func (d *domTree) parts(a, b *Block) *bytecode.Instr {
	for _, x := range []*Block{a, b} {
		if d.num[x] >= len(d.tree.Order) || d.tree.Order[d.num[x]] < 0 {
			return nil
		}
	}
	return d.g.Blocks[d.tree.meet(d.num[a], d.num[b])].Last()
}

// exitOf is the block in which the function is left behind b: b itself, or one that does
// nothing else, since what protects the expression ends in front of it. It is nil where
// there is none.
func exitOf(b *Block) *Block {
	l := b.Last()
	if l == nil {
		return nil
	}
	if leaves(l.Op) {
		return b
	}
	if n := b.Next; b.Taken == nil && n != nil && onlyReturns(n.Instrs) && len(n.Preds) == 1 {
		return n
	}
	return nil
}

// onlyReturns reports whether the instructions return, perhaps out of an except clause.
func onlyReturns(list []bytecode.Instr) bool {
	n := len(list)
	return (n == 1 || n == 2 && list[0].Op == opcode.PopExcept) && list[n-1].Op == opcode.Return
}

// sameLeaving reports whether two blocks that only return are copies of one.
func sameLeaving(a, b *Block) bool {
	return a.Exc == b.Exc && slices.EqualFunc(a.Instrs, b.Instrs, func(x, y bytecode.Instr) bool { return x.Pos == y.Pos && sameInstr(&x, &y) })
}

func leaves(op opcode.Op) bool {
	return op == opcode.Return || op == opcode.Raise || op == opcode.Reraise
}

// commonEnd counts the instructions at the ends of a and b that are the same and of the
// same place; what leaves may have none. The exit from a with block is copied like a
// finally body, and in 3.11 has the place of the whole statement: such ends are none.
func (e *exits) commonEnd(a, b *Block) int {
	n := 0
	for n < len(a.Instrs) && n < len(b.Instrs) {
		i, j := len(a.Instrs)-1-n, len(b.Instrs)-1-n
		x, y := &a.Instrs[i], &b.Instrs[j]
		same := (x.Pos == y.Pos || paired(a.Instrs, i) || paired(b.Instrs, j)) && (x.Pos.Line > 0 || n == 0) && sameInstr(x, y)
		if !same && !bothPlaceless(a, b, i, j) {
			break
		}
		n++
		if callsExit(e.v, a.Instrs[:len(a.Instrs)-n+1]) {
			return 0
		}
	}
	return n
}

// paired reports whether an instruction is the second half of one that the compiler made of
// two variables' (LOAD_FAST_LOAD_FAST, 3.13+), and so has the place of the first half.
func paired(list []bytecode.Instr, i int) bool {
	return i > 0 && list[i].Offset == list[i-1].Offset && list[i].Op == opcode.LoadFast && list[i-1].Op == opcode.LoadFast
}

// within reports whether a place lies within that of one of the instructions, and is not
// the same.
func within(p bytecode.Pos, list []bytecode.Instr) bool {
	return slices.ContainsFunc(list, func(in bytecode.Instr) bool { return p.Within(in.Pos) })
}
