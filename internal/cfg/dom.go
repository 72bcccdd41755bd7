package cfg

import (
	"slices"
	"sync"
)

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
	numbers := make([]int, 3*n) // most functions have a handful of blocks: what counts is how often memory is asked for
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
	w := domScratches.Get().(*domScratch)
	defer domScratches.Put(w)
	w.reset(n)
	push := func(v int) {
		w.seen[v] = true
		first := len(w.arcs)
		succs(v, w.arc)
		it := arcsOf{v, first, len(w.arcs)}
		w.from, w.stack = append(w.from, it), append(w.stack, it)
	}
	push(root)
	post := list()[:0]
	for len(w.stack) > 0 {
		top := &w.stack[len(w.stack)-1]
		if top.rest == top.first {
			post = append(post, top.node)
			w.stack = w.stack[:len(w.stack)-1]
			continue
		}
		// The last successor first, so that the reverse post-order visits the
		// first successor's side first.
		top.rest--
		if s := w.arcs[top.rest]; !w.seen[s] {
			push(s)
		}
	}
	slices.Reverse(post)
	t.RPO = post
	for i, v := range t.RPO {
		t.Order[v] = i
	}
	preds := room(w.count)
	for _, it := range w.from {
		for _, s := range w.arcs[it.first:it.rest] {
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
	kids := w.count
	clear(kids)
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

// domScratch is what [Dominators] works with and does not return.
type domScratch struct {
	seen  []bool
	arcs  []int     // where they lead, by the node they begin at
	from  []arcsOf  // whose arcs they are, in their order
	stack []arcsOf  // the nodes on the way
	count []int     // of each node: how many arcs lead to it, or how many children it has
	arc   func(int) // notes an arc
}

// arcsOf are the arcs of a node: those from first to rest are left.
type arcsOf struct{ node, first, rest int }

var domScratches = sync.Pool{New: func() any {
	w := new(domScratch)
	w.arc = func(s int) {
		w.arcs = append(w.arcs, s)
		w.count[s]++
	}
	return w
}}

func (w *domScratch) reset(n int) {
	w.seen, w.count = slices.Grow(w.seen[:0], n)[:n], slices.Grow(w.count[:0], n)[:n]
	clear(w.seen)
	clear(w.count)
	w.arcs, w.from, w.stack = w.arcs[:0], w.from[:0], w.stack[:0]
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
