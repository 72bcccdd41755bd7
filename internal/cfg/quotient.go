package cfg

import (
	"maps"
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// joinCopies makes one of what the compiler has copied, whatever it is: ways out of the
// function, tests of loops, ends of statements.
//
//	LOAD a; POP_JUMP_IF_FALSE e          t: LOAD a; POP_JUMP_IF_FALSE e
//	...                             →       ...
//	LOAD a; POP_JUMP_IF_TRUE b              jump t
//
// Two instructions are copies when they do the same at the same place of the source under the
// same protection, and so does everything behind them: the coarsest partition that their
// successors respect (Paige and Tarjan, Three partition refinement algorithms, 1987; here by
// rounds, since functions are small). What is left is bisimilar to the graph, so that joining
// too much costs the form of the text and never its meaning.
func joinCopies(g *Graph) (changed bool) {
	q := newQuotient(g)
	q.refine()
	q.choose()
	return q.join()
}

// quotient is a partition of the instructions of a graph. NOPs and jumps are edges.
type quotient struct {
	g           *Graph
	at          []place
	first       map[*Block]int // the number of a block's first instruction
	next, taken []int          // what comes behind, -1 for nothing
	class       []int
	stays       []int // by class: the member that stays
}

func newQuotient(g *Graph) *quotient {
	q := &quotient{g: g, first: map[*Block]int{}}
	for _, b := range g.Blocks {
		if b.Dead {
			continue
		}
		q.first[b] = len(q.at)
		for i := range b.Instrs {
			q.at = append(q.at, place{b, i})
		}
	}
	n := len(q.at)
	q.next, q.taken, q.class = make([]int, n), make([]int, n), make([]int, n)
	for k, p := range q.at {
		if p.i < len(p.b.Instrs)-1 {
			q.next[k], q.taken[k] = q.behind(place{p.b, p.i + 1}), -1
			continue
		}
		q.next[k], q.taken[k] = q.begin(p.b.Next), q.begin(p.b.Taken)
		if turned(p.b.Instrs[p.i].Op) {
			q.next[k], q.taken[k] = q.taken[k], q.next[k]
		}
	}
	return q
}

// turned reports whether a test is compared as its contrary.
func turned(op opcode.Op) bool { return inverse(op) != opcode.Invalid && inverse(op) < op }

// begin is behind for where a block begins.
func (q *quotient) begin(b *Block) int {
	if b == nil {
		return -1
	}
	return q.behind(place{b, 0})
}

// behind is the number of the first instruction at p or behind it that does something.
func (q *quotient) behind(p place) int {
	p = skip(p)
	if p.i >= len(p.b.Instrs) {
		return -1
	}
	return q.first[p.b] + p.i
}

// key is what members of one class have in common at first.
type key struct {
	op        opcode.Op
	arg       int
	flag      bool
	name      string
	pos       bytecode.Pos
	exc, ends *Region
	leaps     opcode.Op
	own       int // tells apart what is never a copy
}

func (q *quotient) key(k int) key {
	p := q.at[k]
	in := &p.b.Instrs[p.i]
	out := key{op: in.Op, arg: in.Arg, flag: in.Flag, name: in.Name, pos: in.Pos, exc: p.b.Exc}
	switch {
	case turned(in.Op):
		out.op, out.arg = inverse(in.Op), 0
	case in.Target >= 0, in.Op == opcode.LoadFast:
		out.arg = 0
	case in.Const != nil:
		out.arg = int(in.RawArg)<<8 | int(in.Raw)
	}
	if p.i == len(p.b.Instrs)-1 {
		out.ends, out.leaps = p.b.Ends, p.b.Leaps
	}
	if in.Op.SetsUp() || p.i == 0 && len(p.b.HandlerOf) > 0 {
		out.own = k + 1
	}
	return out
}

// refine parts the instructions into classes until none has members with successors of
// different classes.
func (q *quotient) refine() {
	classes := 0
	begin := map[key]int{}
	for k := range q.at {
		id := q.key(k)
		if _, ok := begin[id]; !ok {
			begin[id] = len(begin)
		}
		q.class[k] = begin[id]
	}
	classOf := func(k int) int {
		if k < 0 {
			return -1
		}
		return q.class[k]
	}
	for now := len(begin); now != classes; {
		classes = now
		split := map[[3]int]int{}
		fresh := make([]int, len(q.class))
		for k, c := range q.class {
			id := [3]int{c, classOf(q.next[k]), classOf(q.taken[k])}
			if _, ok := split[id]; !ok {
				split[id] = len(split)
			}
			fresh[k] = split[id]
		}
		q.class, now = fresh, len(split)
	}
	q.stays = make([]int, classes)
}

// choose says which member of each class stays: of a loop's test the first, which is its head; of
// others the last, where the statement stands.
func (q *quotient) choose() {
	for c := range q.stays {
		q.stays[c] = -1
	}
	returns := map[int]bool{} // classes that lead back to themselves
	for k, c := range q.class {
		if _, known := returns[c]; !known {
			returns[c] = q.returns(k)
		}
		if q.stays[c] < 0 || !returns[c] {
			q.stays[c] = k
		}
	}
}

// returns reports whether a way leads from an instruction back to its class.
func (q *quotient) returns(k int) bool {
	seen := make([]bool, len(q.stays))
	for x, more := range Walk(k) {
		for _, n := range [...]int{q.next[x], q.taken[x]} {
			switch {
			case n < 0 || seen[q.class[n]]:
			case q.class[n] == q.class[k]:
				return true
			default:
				seen[q.class[n]] = true
				more(n)
			}
		}
	}
	return false
}

// join lets every way to a copy lead to the one that stays.
func (q *quotient) join() bool {
	goes := func(k int) bool { return q.stays[q.class[k]] != k }
	cuts := map[*Block]map[int]bool{} // where blocks are split
	cut := func(p place) {
		if cuts[p.b] == nil {
			cuts[p.b] = map[int]bool{}
		}
		cuts[p.b][p.i] = true
	}
	into := map[int]place{} // by the offset of the first instruction that goes: what stays in its place
	for b, first := range q.first {
		gone := false
		for i := range b.Instrs {
			if op := b.Instrs[i].Op; op == opcode.Nop || op == opcode.Jump || goes(first+i) == gone {
				continue
			}
			cut(place{b, i})
			if gone = !gone; gone {
				stay := q.at[q.stays[q.class[first+i]]]
				into[b.Instrs[i].Offset] = stay
				cut(stay)
			}
		}
	}
	if len(into) == 0 {
		return false
	}
	targets := map[int]place{}
	for offset, p := range into {
		targets[offset] = place{nil, p.b.Instrs[p.i].Offset}
	}
	for _, b := range slices.Clone(q.g.Blocks) {
		for _, i := range slices.Backward(slices.Sorted(maps.Keys(cuts[b]))) {
			q.g.blockAt(place{b, i})
		}
	}
	begins := map[int]*Block{}
	for _, b := range q.g.Blocks {
		if len(b.Instrs) > 0 {
			begins[b.Instrs[0].Offset] = b
		}
	}
	for _, b := range q.g.Blocks {
		if len(b.Instrs) == 0 {
			continue
		}
		if p, is := targets[b.Instrs[0].Offset]; is && begins[b.Instrs[0].Offset] == b {
			b.Instrs, b.Next, b.Taken = nil, begins[p.i], nil
			b.Ends, b.Leaves, b.Caught, b.Leaps = nil, nil, false, opcode.Invalid
		}
	}
	return true
}
