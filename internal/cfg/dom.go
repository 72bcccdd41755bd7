package cfg

import "slices"

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
	numbers := make([]int, 5*n) // most functions have a handful of blocks: what counts is how often memory is asked for
	list := func() []int {
		l := numbers[:n:n]
		numbers = numbers[n:]
		return l
	}
	t := &Tree{Idom: list(), Order: list()}
	for i := range t.Idom {
		t.Idom[i], t.Order[i] = -1, -1
	}
	// Post-order by an explicit stack: functions of 200,000 instructions exist. The arcs
	// of all nodes lie in one slice: each function has several such trees, and slices of
	// its own for each node were an eighth of all objects that a decompilation allocates.
	type item struct{ node, first, rest int } // of its arcs those from first to rest are left
	seen := make([]bool, n)
	arcs := make([]int, 0, 2*n) // where they lead, by the node they begin at
	enters := list()            // how many lead to a node
	arc := func(s int) {
		arcs = append(arcs, s)
		enters[s]++
	}
	from := make([]item, 0, n) // whose arcs they are, in their order
	push := func(stack []item, v int) []item {
		seen[v] = true
		first := len(arcs)
		succs(v, arc)
		from = append(from, item{v, first, len(arcs)})
		return append(stack, from[len(from)-1])
	}
	stack := push(make([]item, 0, n), root)
	post := list()[:0]
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.rest == top.first {
			post = append(post, top.node)
			stack = stack[:len(stack)-1]
			continue
		}
		// The last successor first, so that the reverse post-order visits the
		// first successor's side first.
		top.rest--
		if s := arcs[top.rest]; !seen[s] {
			stack = push(stack, s)
		}
	}
	slices.Reverse(post)
	t.RPO = post
	for i, v := range t.RPO {
		t.Order[v] = i
	}
	preds := room(enters)
	for _, it := range from {
		for _, s := range arcs[it.first:it.rest] {
			preds[s] = append(preds[s], it.node)
		}
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
	kids := list()
	for _, v := range t.RPO {
		if p := t.Idom[v]; p >= 0 {
			kids[p]++
		}
	}
	t.Children = room(kids)
	for _, v := range t.RPO {
		if p := t.Idom[v]; p >= 0 {
			t.Children[p] = append(t.Children[p], v)
		}
	}
	return t
}

// room makes lists of known lengths, which lie in one slice.
func room(lengths []int) [][]int {
	sum := 0
	for _, n := range lengths {
		sum += n
	}
	all, out := make([]int, sum), make([][]int, len(lengths))
	for i, n := range lengths {
		out[i], all = all[:0:n], all[n:]
	}
	return out
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
