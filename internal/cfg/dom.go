package cfg

// Tree is a dominator tree over dense node numbers.
type Tree struct {
	Idom     []int   // immediate dominator, -1 for the root and unreachable nodes
	Children [][]int // in reverse post-order
	Order    []int   // reverse post-order number, -1 when unreachable
	RPO      []int   // nodes in reverse post-order
}

// Dominators computes the dominator tree of the graph given by succs, with the
// iterative algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance
// Algorithm", 2001), which is the quickest for graphs of this size.
func Dominators(n, root int, succs func(int, func(int))) *Tree {
	t := &Tree{Idom: make([]int, n), Order: make([]int, n), Children: make([][]int, n)}
	for i := range t.Idom {
		t.Idom[i], t.Order[i] = -1, -1
	}
	// Post-order by an explicit stack: functions of 200,000 instructions exist.
	type item struct {
		node int
		next []int
	}
	seen := make([]bool, n)
	preds := make([][]int, n)
	expand := func(v int) item {
		var out []int
		succs(v, func(s int) {
			out = append(out, s)
			preds[s] = append(preds[s], v)
		})
		return item{v, out}
	}
	seen[root] = true
	stack := []item{expand(root)}
	var post []int
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if len(top.next) == 0 {
			post = append(post, top.node)
			stack = stack[:len(stack)-1]
			continue
		}
		// The last successor first, so that the reverse post-order visits the
		// first successor's side first.
		s := top.next[len(top.next)-1]
		top.next = top.next[:len(top.next)-1]
		if !seen[s] {
			seen[s] = true
			stack = append(stack, expand(s))
		}
	}
	t.RPO = make([]int, len(post))
	for i, v := range post {
		t.RPO[len(post)-1-i] = v
	}
	for i, v := range t.RPO {
		t.Order[v] = i
	}
	t.Idom[root] = root
	for changed := true; changed; {
		changed = false
		for _, v := range t.RPO[1:] {
			best := -1
			for _, p := range preds[v] {
				if t.Idom[p] < 0 {
					continue
				}
				if best < 0 {
					best = p
				} else {
					best = t.meet(best, p)
				}
			}
			if best >= 0 && t.Idom[v] != best {
				t.Idom[v] = best
				changed = true
			}
		}
	}
	t.Idom[root] = -1
	for _, v := range t.RPO {
		if p := t.Idom[v]; p >= 0 {
			t.Children[p] = append(t.Children[p], v)
		}
	}
	return t
}

func (t *Tree) meet(a, b int) int {
	for a != b {
		for t.Order[a] > t.Order[b] {
			a = t.Idom[a]
		}
		for t.Order[b] > t.Order[a] {
			b = t.Idom[b]
		}
	}
	return a
}

// Dominates reports whether a dominates b (every node dominates itself).
func (t *Tree) Dominates(a, b int) bool {
	if t.Order[a] < 0 || t.Order[b] < 0 {
		return false
	}
	for t.Order[b] > t.Order[a] {
		b = t.Idom[b]
	}
	return a == b
}

// dominators is the dominator tree of g, over normal edges and those to the
// handlers, and the number of each block in it.
func (g *Graph) dominators() (tree *Tree, num map[*Block]int) {
	num = map[*Block]int{}
	for i, b := range g.Blocks {
		num[b] = i
	}
	tree = Dominators(len(g.Blocks), num[g.Entry], func(i int, f func(int)) {
		b := g.Blocks[i]
		b.Succs(func(s *Block) { f(num[s]) })
		for r := b.Exc; r != nil; r = r.Parent {
			f(num[r.Handler])
		}
	})
	return tree, num
}
