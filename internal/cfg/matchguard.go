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
// `if (x := f()) > 1` does: it goes on until the subject is dropped, which is where the
// body begins, and to the next case leads what cannot come to that body any more.
//
// A guard that is a constant and true leaves nothing but the drop of the subject. In the first case that is
// the code of `(x := subject)`; nothing but `case _` drops the copy (≤3.11).
func readGuarded(p place, v pyc.Version, first bool) (readCase, bool) {
	var pattern pyast.Pattern = &pyast.MatchAs{}
	q, known := skip(p), !first
	if q.i+1 < len(q.b.Instrs) && q.b.Instrs[q.i].Op == opcode.Copy && q.b.Instrs[q.i].Arg == 1 {
		var base pyast.Pattern
		if at := q.b.Instrs[q.i+1:]; len(at) > 2 && at[0].Op == opcode.Copy && at[0].Arg == 1 && at[1].Op == opcode.Pop {
			base = &pyast.MatchAs{} // `case _ as x if guard` (≤3.11)
			q.i += 2
		}
		next := &q.b.Instrs[q.i+1]
		switch {
		case next.Op.Stores():
			pattern = &pyast.MatchAs{Pattern: base, Name: next.Name}
		case next.Op != opcode.Pop || base != nil:
			return readCase{}, false
		}
		known = known || base != nil || next.Op == opcode.Pop
		q.i += 2
	}
	c, ok := guarded(p, q, v, known)
	c.pattern = pattern
	return c, ok
}

// guarded is the case at p, which matches anything, and whose guard begins at body. Where it is known for a case, a constant
// may decide its guard. One that is true leaves out the cases behind it, and one that is false the body: all tests that are left
// lead to one place, which drops the subject or looks at it.
func guarded(p, body place, v pyc.Version, known bool) (readCase, bool) {
	if known && popsAt(body) && body != skip(p) {
		behind := place{body.b, body.i + 1}
		return readCase{start: p, body: behind, fail: behind, last: true, any: true, always: true}, true
	}
	g := guard{v: v, start: body, depth: map[*Block]int{body.b: 0}, from: map[*Block][]*Block{}, looks: map[*Block]bool{}}
	c := readCase{start: p, body: body, any: true, guarded: true}
	ends, ok := g.ends()
	switch {
	case !known && (len(ends) == 0 || g.body == nil || g.looks[body.b] /* at once */):
		return c, false
	case !ok || len(ends) > 1 || ends[body.b]:
		// A guard that is false for the compiler leaves nothing: what stands here is the next case's.
		return readCase{start: p, body: body, fail: body, any: true, never: true}, known && body != skip(p)
	case len(ends) == 0:
		c.always, c.fail = true, body
		return c, g.body != nil
	}
	for b := range ends {
		c.fail = place{b, 0}
	}
	c.never = g.body == nil
	return c, true
}

// readRefused reads the last case with a test where that is only a guard's:
//
//	POP_TOP; …guard…; POP_JUMP_IF_FALSE F     case _ if guard:
//	body
//	F: NOP; body                              case _:
//
// Without the guard the case before would be the last one, and not have kept the subject.
func readRefused(p place) (readCase, bool) {
	q := skip(p)
	if q.i >= len(q.b.Instrs) || q.b.Instrs[q.i].Op != opcode.Pop {
		return readCase{}, false
	}
	q.i++
	return readCase{start: p, body: q, fail: q, last: true, any: true, guarded: true, pattern: &pyast.MatchAs{}}, true
}

// guard is what is reached from the beginning of a guard before the subject is touched.
type guard struct {
	v     pyc.Version
	start place
	depth map[*Block]int      // of the stack above the subject, where a block begins
	from  map[*Block][]*Block // what leads to a block
	body  *Block              // the first one that begins by dropping the subject
	all   []*Block            // that begin so
	looks map[*Block]bool     // at the subject
}

// mostGuard bounds the blocks of a guard, and of what can be taken for one.
const mostGuard = 200

// follow finds all blocks that are reached.
func (g *guard) follow() bool {
	blocks := 0
	for b, more := range Walk(g.start.b) {
		if blocks++; blocks > mostGuard {
			return false
		}
		instrs := b.Instrs
		if b == g.start.b {
			instrs = instrs[g.start.i:]
		} else if g.depth[b] == 0 && startsWithPop(b) {
			if g.body == nil || b.ID < g.body.ID {
				g.body = b
			}
			g.all = append(g.all, b)
			continue
		}
		n, ok := above(g.v, instrs, g.depth[b])
		if !ok {
			g.looks[b] = true
			continue
		}
		reach := func(s *Block, depth int) {
			if s == nil {
				return
			}
			if _, known := g.depth[s]; !known {
				g.depth[s] = depth
			}
			g.from[s] = append(g.from[s], b)
			more(s)
		}
		reach(b.Next, n)
		if b.Taken != nil {
			pop, push := bytecode.StackEffect(g.v, b.Last(), false)
			jumpPop, jumpPush := bytecode.StackEffect(g.v, b.Last(), true)
			reach(b.Taken, n+pop-push+jumpPush-jumpPop)
		}
	}
	return true
}

// ends are the blocks to which a guard that does not hold leads, with nothing left of it on
// the stack.
func (g *guard) ends() (map[*Block]bool, bool) {
	if !g.follow() {
		return nil, false
	}
	bodies, tests := map[*Block]bool{}, map[*Block]bool{} // with its copies; what can come to them
	for _, body := range g.all {
		if body != g.body && sameExit(body, g.body) < len(body.Instrs) {
			continue
		}
		bodies[body] = true
		for b, more := range Walk(body) {
			for _, p := range g.from[b] {
				tests[p] = true
				more(p)
			}
		}
	}
	if g.body == nil {
		return g.looks, true
	}
	ends := map[*Block]bool{}
	for b, more := range Walk(g.start.b) {
		b.Succs(func(s *Block) {
			switch {
			case bodies[s]:
			case tests[s], g.depth[s] > 0: // that drops what a chain of comparisons has left
				more(s)
			default:
				ends[skip(place{s, 0}).b] = true // a choice jumps to what a test leads to
			}
		})
	}
	return ends, true
}

// above follows n values above the subject through instructions that do not touch it.
func above(v pyc.Version, instrs []bytecode.Instr, n int) (behind int, ok bool) {
	for i := range instrs {
		pop, push := bytecode.StackEffect(v, &instrs[i], false)
		reach := pop
		if e, ok := instrs[i].Op.Effect(); ok {
			reach = max(reach, e.Reach())
		}
		switch instrs[i].Op {
		case opcode.Copy, opcode.Swap, opcode.Rot:
			reach = max(reach, instrs[i].Arg)
		}
		if reach > n {
			return 0, false
		}
		n += push - pop
	}
	return n, true
}

func startsWithPop(b *Block) bool {
	p := skip(place{b, 0})
	return p.b == b && p.i < len(p.b.Instrs) && p.b.Instrs[p.i].Op == opcode.Pop
}
