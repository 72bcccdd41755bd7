package cfg

import "github.com/thuml/depyf/internal/opcode"

// tail finds the part of Dynamo's code that a compiler made.
//
// Where Dynamo cannot go on, in the middle of a statement that it cannot resume, it
// compiles what it has and jumps into the function's own code, which follows
// unchanged:
//
//	head: calls of graphs, stores of their results; jump J
//	J:    the rest of the function
//
// The tail is what can be reached from J. Dynamo jumps where the stack is empty,
// which Unshuffle checks, and nothing of the head is met again behind it. Its own
// instructions have a line at most; the compiler's have columns (3.11+).
func tail(g *Graph) (entry *Block, blocks map[*Block]bool) {
	tree, num := g.dominators()
	for _, i := range tree.RPO {
		b := g.Blocks[i]
		if b == g.Entry || len(b.HandlerOf) > 0 || !jumpedTo(b) {
			continue
		}
		if in := b.Instrs[0]; g.Func.Code.Version.HasExceptionTable() && in.Pos.Col < 0 {
			continue
		}
		if set := g.from(b); written(set) && dominated(tree, num, b, set) {
			return b, set
		}
	}
	return nil, nil
}

// jumpedTo reports whether one jump leads to b from what lies before it.
func jumpedTo(b *Block) bool {
	n := 0
	for _, p := range b.Preds {
		if last := p.Last(); last != nil && last.Op == opcode.Jump && last.Pos.Col < 0 {
			n++
		}
	}
	return n == 1
}

// from returns the blocks that b reaches, handlers included.
func (g *Graph) from(b *Block) map[*Block]bool {
	set := map[*Block]bool{}
	for x, more := range Walk(b) {
		set[x] = true
		x.Succs(more)
		for r := x.Exc; r != nil; r = r.Parent {
			more(r.Handler)
		}
	}
	return set
}

// written reports whether no instruction of the blocks reads what only Dynamo
// writes.
func written(set map[*Block]bool) bool {
	for b := range set {
		for i := range b.Instrs {
			switch in := &b.Instrs[i]; in.Op {
			case opcode.LoadGlobal:
				if StableGlobal(in.Name) {
					return false
				}
			case opcode.LoadFast:
				if scratchLocal.MatchString(in.Name) && in.Pos.Col < 0 {
					return false
				}
			}
		}
	}
	return true
}

func dominated(tree *Tree, num map[*Block]int, b *Block, set map[*Block]bool) bool {
	for x := range set {
		if !tree.Dominates(num[b], num[x]) {
			return false
		}
	}
	return true
}
