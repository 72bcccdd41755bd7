package cfg

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// readGuarded reads a case that only its guard can refuse, with the subject on
// the stack:
//
//	COPY 1; STORE x         case x if guard:        (case _ has neither)
//	…guard…; POP_JUMP_IF_FALSE F
//	POP_TOP; body
//	F: the next case
//
// The guard is left as it is. It does not touch the subject, as the test of
// `if (x := f()) > 1` does: of its ends one drops the subject, and the other is the
// next case.
func readGuarded(p place, v pyc.Version) (readCase, bool) {
	c := readCase{start: p, any: true, guarded: true, pattern: &pyast.MatchAs{}}
	q := skip(p)
	if q.i+1 < len(q.b.Instrs) && q.b.Instrs[q.i].Op == opcode.Copy && q.b.Instrs[q.i].Arg == 1 {
		switch next := &q.b.Instrs[q.i+1]; {
		case next.Op.Stores():
			c.pattern = &pyast.MatchAs{Name: next.Name}
		case next.Op != opcode.Pop:
			return c, false
		}
		q.i += 2
	}
	c.body = q
	g := guardEnds{v: v, start: q}
	ok := g.find(false)
	if !ok || g.fail == nil {
		// `case _ if guard` has nothing in front of its guard (3.12+): a guard on a
		// line of its own is that of another case, which means the same.
		g = guardEnds{v: v, start: q}
		ok = g.find(true)
	}
	if !ok || g.fail == nil || g.body == nil {
		return c, false
	}
	c.fail = place{g.fail, 0}
	return c, true
}

// guardEnds finds the two blocks in which a guard ends.
type guardEnds struct {
	v          pyc.Version
	start      place
	body, fail *Block
}

// mostGuard bounds the blocks of a guard.
const mostGuard = 200

// find follows the guard. Where lines is set, what stands on a later line than the test in
// front is the next case, though it does not look like one. It reports whether there is
// one body and at most one next case.
func (g *guardEnds) find(lines bool) bool {
	old := g.v.MatchPushesBool()
	seen := map[*Block]bool{}
	work := []*Block{g.start.b}
	depth := map[*Block]int{g.start.b: 0} // of the stack above the subject
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		if seen[b] {
			continue
		}
		seen[b] = true
		instrs := b.Instrs
		if b == g.start.b {
			instrs = instrs[g.start.i:]
		} else if depth[b] == 0 {
			end := &g.fail
			switch {
			case startsWithPop(b):
				end = &g.body
			case startsCase(b, old):
			case lines && g.below(b):
			default:
				end = nil
			}
			if end != nil {
				if *end != nil && *end != b {
					return false
				}
				*end = b
				continue
			}
		}
		n, ok := above(g.v, instrs, depth[b])
		if !ok || len(seen) > mostGuard || b.Next == nil {
			return false
		}
		taken := n
		if l := b.Last(); b.Taken != nil {
			pop, push := bytecode.StackEffect(g.v, l, false)
			taken += pop - push
			pop, push = bytecode.StackEffect(g.v, l, true)
			taken += push - pop
			work = reach(work, depth, b.Taken, taken)
		}
		work = reach(work, depth, b.Next, n)
	}
	return true
}

func reach(work []*Block, depth map[*Block]int, b *Block, n int) []*Block {
	if _, known := depth[b]; !known {
		depth[b] = n
	}
	return append(work, b)
}

// below reports whether all tests that lead to b stand on lines above it.
func (g *guardEnds) below(b *Block) bool {
	f := skip(place{b, 0})
	if f.i == len(f.b.Instrs) {
		return false
	}
	for _, p := range b.Preds {
		if l := p.Last(); l != nil && f.b.Instrs[f.i].Pos.Line <= l.Pos.Line {
			return false
		}
	}
	return true
}

// above follows n values above the subject through instructions that do not touch it.
func above(v pyc.Version, instrs []bytecode.Instr, n int) (behind int, ok bool) {
	for i := range instrs {
		pop, push := bytecode.StackEffect(v, &instrs[i], false)
		switch instrs[i].Op {
		case opcode.Copy, opcode.Swap, opcode.Rot:
			pop, push = max(pop, instrs[i].Arg), max(pop, instrs[i].Arg)+push-pop // reads as deep as that
		}
		if pop > n {
			return 0, false
		}
		n += push - pop
	}
	return n, true
}

// startsCase reports whether a case begins at b.
func startsCase(b *Block, old bool) bool {
	p := skip(place{b, 0})
	if p.i == len(p.b.Instrs) {
		return false
	}
	if in := &p.b.Instrs[p.i]; in.Op == opcode.Copy && in.Arg == 1 {
		return true
	}
	_, _, ok := readOne(p, old)
	return ok
}

func startsWithPop(b *Block) bool {
	p := skip(place{b, 0})
	return p.i < len(p.b.Instrs) && p.b.Instrs[p.i].Op == opcode.Pop
}
