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
// The guard is left as it is; it ends at the test of which one side drops the
// subject. It does not touch the subject, as the test of `if (x := f()) > 1` does.
func readGuarded(p place, v pyc.Version) (readCase, bool) {
	old := v.MatchPushesBool()
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
	seen := map[*Block]bool{}
	work := []*Block{q.b}
	depth := map[*Block]int{q.b: 0} // of the stack above the subject
	for len(work) > 0 && len(seen) < 20 {
		b := work[0]
		work = work[1:]
		if seen[b] {
			continue
		}
		seen[b] = true
		instrs := b.Instrs
		if b == q.b {
			instrs = instrs[q.i:]
		}
		n, ok := above(v, instrs, depth[b])
		if !ok {
			return c, false
		}
		for _, s := range []*Block{b.Next, b.Taken} {
			if s != nil && !seen[s] {
				depth[s] = n
			}
		}
		l := b.Last()
		if b.Taken == nil {
			if b.Next != nil && (l == nil || !l.Op.Exits()) {
				work = append(work, b.Next)
			}
			continue
		}
		good, bad := b.Next, b.Taken
		switch l.Op {
		case opcode.PopJumpIfFalse, opcode.PopJumpIfNone, opcode.PopJumpIfNotNone:
		case opcode.PopJumpIfTrue:
			if !startsWithPop(good) {
				good, bad = bad, good
			}
		default:
			return c, false
		}
		if !startsWithPop(good) && startsWithPop(bad) {
			good, bad = bad, good // `a or b`: the first leads to the body by a jump
		}
		if !startsWithPop(good) {
			work = append(work, good, bad)
			continue
		}
		// `case _ if guard` has nothing in front of its guard (3.12+): a guard on a
		// line of its own is that of another case, which means the same.
		if f := skip(place{bad, 0}); !startsCase(bad, old) && (f.i == len(f.b.Instrs) || f.b.Instrs[f.i].Pos.Line <= l.Pos.Line) {
			work = append(work, bad) // the guard goes on
			continue
		}
		c.fail = place{bad, 0}
		return c, true
	}
	return c, false
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
