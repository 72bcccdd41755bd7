package choice

import (
	"cmp"
	"container/heap"
	"slices"
)

// Outcome is what became of a run.
type Outcome struct {
	Right bool // the text is proven
	Agree int  // how much of the code agrees with its text; more is closer
	At    int  // the offset where they part, -1 where that is not known
}

// Search looks for decisions that lead to a proven text: best first, one decision changed
// at a time, those near the place where the code and its text part before others. try
// runs the passes with the decisions of a run and judges the text; it returns false to end
// the search. The result is a run to repeat the decisions with, nil where none is right.
func Search(tries int, try func(*Run) (Outcome, bool)) *Run {
	var open queue
	visit := func(script []int) (*Run, bool) {
		r := &Run{script: script}
		out, more := try(r)
		if out.Right {
			return &Run{script: script}, true
		}
		for _, n := range neighbours(r, out) {
			n.agree, n.order = out.Agree, open.next()
			heap.Push(&open, n)
		}
		return nil, !more
	}
	if found, end := visit(nil); end {
		return found
	}
	for n := 0; n < tries && len(open.list) > 0; n++ {
		if found, end := visit(heap.Pop(&open).(node).script); end {
			return found
		}
	}
	return nil
}

// node is a run to be tried.
type node struct {
	script []int
	depth  int // decisions that differ from the likeliest
	far    int // how far the one that was changed last is from where the code and its text part
	agree  int // of the run that it was made of
	order  int
}

// neighbours are the runs that differ from r by one more decision, behind the last one that was changed.
func neighbours(r *Run, out Outcome) []node {
	var list []node
	depth := 1
	for _, k := range r.script {
		if k > 0 {
			depth++
		}
	}
	for i := len(r.script); i < len(r.made); i++ {
		m := r.made[i]
		far := len(r.made) - i // what was decided last
		if m.At < 0 {
			far = 0 // about the whole of the code
		} else if out.At >= 0 {
			far = max(out.At-m.At, m.At-out.At)
		}
		for k := 1; k < m.N; k++ {
			script := make([]int, i+1)
			copy(script, r.script)
			script[i] = k
			list = append(list, node{script: script, depth: depth, far: far + k})
		}
	}
	slices.SortStableFunc(list, func(a, b node) int { return cmp.Compare(a.far, b.far) })
	return list
}

// queue is a heap of runs: those that came furthest first.
type queue struct {
	list []node
	n    int
}

func (q *queue) next() int {
	q.n++
	return q.n
}

func (q *queue) Len() int      { return len(q.list) }
func (q *queue) Swap(i, j int) { q.list[i], q.list[j] = q.list[j], q.list[i] }
func (q *queue) Push(x any)    { q.list = append(q.list, x.(node)) }
func (q *queue) Pop() any {
	n := len(q.list) - 1
	x := q.list[n]
	q.list = q.list[:n]
	return x
}

func (q *queue) Less(i, j int) bool {
	a, b := &q.list[i], &q.list[j]
	// A decision changed costs as much as a few instructions that agree gain.
	return cmp.Or(cmp.Compare(4*a.depth-a.agree, 4*b.depth-b.agree), cmp.Compare(a.far, b.far), cmp.Compare(a.order, b.order)) < 0
}
