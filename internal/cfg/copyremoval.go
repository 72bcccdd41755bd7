package cfg

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// removeCopies treats one region.
func removeCopies(g *Graph, r *Region) bool {
	ways := waysOut(g, r)
	if len(ways) == 0 {
		return false
	}
	m := removal{g: g, r: r, opened: map[int]bool{}, made: map[place]*Block{}, returns: map[returnPlace]*Block{}}
	for i := range ways {
		c, ok := matchCopy(g, r, *ways[i].slot)
		if !ok || g.Choices.Other(copiedFinally, offsetOf(r.Handler)) {
			return false
		}
		ways[i].copied = c
		for _, at := range c.opens {
			m.opened[at] = true
		}
	}
	m.first, m.last = textLines(g, r)
	for i := range ways {
		ways[i].cont = m.pastCopy(ways[i].cont)
	}
	for _, w := range ways {
		m.comesOut = m.comesOut || w.cont.b != nil && constReturned(g, w.cont) == nil && !m.inBody(w.cont)
	}
	for _, w := range ways {
		*w.slot = m.behind(w)
	}
	m.comeOut()
	r.Clean = true
	if len(m.opened) > 0 {
		g.ComputePreds() // the statements in the copies are gone with them
	}
	return true
}

// removal is the taking out of one region's copies.
type removal struct {
	g           *Graph
	r           *Region
	first, last int32            // the lines of the body
	comesOut    bool             // a way out goes on behind the statement
	opened      map[int]bool     // offsets of the SETUPs in copies
	made        map[place]*Block // what follows the copies
	ends        []bodyEnd
	returns     map[returnPlace]*Block // each `return` of the body
	heights     map[*Block]outLevels   // computed when first asked for
	leaves      *Block                 // the copy that stays of a clause that leaves by itself
}

// returnPlace is a constant return behind a copy, and where in the source the `return` stands.
type returnPlace struct {
	k  *Block
	at bytecode.Pos
}

// pastCopy moves over the jump with which a copy ends that leads over a handler of its own. Only a jump
// back, or one that stands in the body, is what follows the copy.
func (m *removal) pastCopy(p place) place {
	if p.b == nil {
		return p
	}
	for n := 0; n < 100; n++ {
		q := p
		for n := 0; n < 100 && q.i == len(q.b.Instrs) && q.b.Next != nil && q.b.Taken == nil && (q.b.Ends == nil || q.i > 0); n++ {
			q = place{q.b.Next, 0}
		}
		if q.i == len(q.b.Instrs) {
			break
		}
		in, to := &q.b.Instrs[q.i], q.b.Next
		if in.Op != opcode.Jump || to == nil || in.Pos.Line < m.last || offsetOf(to) < in.Offset {
			break
		}
		p = place{to, 0}
	}
	return p
}

func (m *removal) inBody(p place) bool { return insideText(p, m.r, m.first, m.last) }

// behind is the block that a way out leads to once its copy is gone.
func (m *removal) behind(w way) *Block {
	g, r := m.g, m.r
	if w.cont.b == nil {
		if m.dropsValue(&w) {
			// `return f()` in the body; the clause returns something else.
			return m.returnAt(w, bytecode.Instr{Op: opcode.Return, Target: -1, Pos: bytecode.NoPos})
		}
		if g.Choices.Other(leavingReturn, offsetOf(*w.slot)) {
			return m.returnAt(w, bytecode.Instr{Op: opcode.LoadConst, Const: pyc.None{}, Target: -1, Pos: bytecode.NoPos},
				bytecode.Instr{Op: opcode.Return, Target: -1, Pos: bytecode.NoPos})
		}
		// The clause leaves by itself: what follows is the copy, which the
		// structurer leaves out. One is enough for all ways.
		if m.leaves == nil {
			m.leaves = *w.slot
		}
		w.cont = place{m.leaves, 0}
		*w.slot = m.leaves
	}
	before := g.posBefore(place{*w.slot, 0})
	k := m.made[w.cont]
	if k == nil {
		k = g.blockAt(w.cont)
		m.made[w.cont] = k
	}
	*w.slot = k
	for k.Exc != nil && k.Exc.opensAt(m.opened) {
		k.Exc = k.Exc.Parent // a `return` in the body, read as one in the copy
	}
	if n := g.broken(k); n > 0 { // nothing else leads to what is behind the loop
		rest := g.blockAt(place{k, n})
		rest.Apart, k.Leaps = true, opcode.BreakLoop
		if rest.Exc.Inside(r) {
			rest.Exc = r.Parent
		}
	}
	switch at := (place{k, 0}); {
	case k.Exc != r && k.Exc.Inside(r) && (r.Kind == RegionTable || m.inBody(at) || constReturned(g, at) != nil):
		return k
	case returnsConst(g, k, m.comesOut):
		return m.returnOf(k, before)
	case m.inBody(at):
		m.intoBody(k)
		return k
	}
	return m.endOf(w, k)
}

// dropsValue reports whether the copy of a way that never comes out of it drops the value that is to be returned.
func (m *removal) dropsValue(w *way) bool {
	if w.drops {
		return true
	}
	if m.heights == nil {
		m.heights = levels(m.g)
	}
	return w.waits(m.g, m.r, m.heights)
}

// returnAt is a new block behind the body, of instructions at the place of the way out.
func (m *removal) returnAt(w way, list ...bytecode.Instr) *Block {
	if l := w.from.Last(); l != nil {
		for i := range list {
			list[i].Pos, list[i].Offset = l.Pos, l.Offset
		}
	}
	b := &Block{ID: w.from.ID, Exc: m.r, Instrs: list}
	m.g.insertAfter(w.from, b)
	return b
}

// returnOf gives the constant return k the place of the `return`, which what is before the copy has. The end of the
// statement around may lead there, too, and stays.
func (m *removal) returnOf(k *Block, before bytecode.Pos) *Block {
	at := returnPlace{k, before}
	if m.returns[at] != nil {
		return m.returns[at]
	}
	ret := &Block{ID: k.ID, Exc: m.r}
	p := behindPops(place{k, 0})
	for x := k; ; x = x.Next {
		ret.Instrs = append(ret.Instrs, x.Instrs...)
		if x == p.b {
			break
		}
		if l := x.Last(); l != nil && l.Op == opcode.Jump {
			ret.Instrs = ret.Instrs[:len(ret.Instrs)-1]
		}
	}
	n := len(ret.Instrs)
	ret.Instrs[n-2].Pos, ret.Instrs[n-1].Pos = before, before
	m.g.insertAfter(k, ret)
	m.returns[at] = ret
	return ret
}

// intoBody puts a `return`, `break` or `continue` of the body, which begins at k, into it.
func (m *removal) intoBody(k *Block) {
	for x := k; x != nil && (x == k || !x.Exc.Inside(m.r)); x = x.Next {
		x.Exc, x.Ends = m.r, nil
		if x.Taken != nil || x.Next == nil || len(x.Next.Preds) > 1 || !m.inBody(place{x.Next, 0}) {
			break
		}
	}
}

// endOf is the block in which the body ends on its way to k. 3.10 copies what follows the statement as well.
func (m *removal) endOf(w way, k *Block) *Block {
	i := slices.IndexFunc(m.ends, func(x bodyEnd) bool { return sameEnd(x.behind, place{k, 0}) })
	if i < 0 {
		e := &Block{ID: w.from.ID, Exc: m.r, Next: k, Ends: m.r}
		m.g.Blocks = append(m.g.Blocks, e)
		i = len(m.ends)
		m.ends = append(m.ends, bodyEnd{place{k, 0}, e})
	}
	e := m.ends[i].block
	if e.Next.Exc.Inside(m.r) && !k.Exc.Inside(m.r) {
		e.Next = k // the way behind the body, which ends the statements around, rather than one behind a `return` in it
	}
	e.ID = max(e.ID, w.from.ID) // behind all that lead to it
	return e
}

// comeOut takes what follows the ends of the body out of it: the ways behind a `return` in the body and behind the body are
// one, and nothing on them is in it.
func (m *removal) comeOut() {
	for _, e := range m.ends {
		for x := e.block.Next; x != nil && x.Exc.Inside(m.r) && (x == e.block.Next || len(x.Preds) == 1); x = x.Next {
			x.Exc = m.r.Parent
		}
	}
}

// broken counts the instructions with which b, behind the copy that a `break` runs, drops the iterator of the loop, if the
// statement behind the loop follows at once (3.10+). A `return` drops the iterator as well, but has its value by then, or loads
// a constant.
func (g *Graph) broken(b *Block) int {
	n := 1
	if b.FirstOp() == opcode.Pop {
		n = g.Func.Code.Version.IteratorSlots()
	} else if b.FirstOp() != opcode.PopIter {
		return 0
	}
	if n >= len(b.Instrs) || handsOver(b, n) || slices.ContainsFunc(b.Instrs[:n], func(in bytecode.Instr) bool { return in.Op != b.FirstOp() }) {
		return 0
	}
	return n
}

// handsOver reports whether the n-th instruction is no beginning of a statement: it drops more of the stack, jumps, or returns
// what is on the stack or a constant.
func handsOver(b *Block, n int) bool {
	switch b.Instrs[n].Op {
	case opcode.Pop, opcode.PopIter, opcode.Swap, opcode.Rot, opcode.Nop, opcode.Jump, opcode.Return, opcode.PopBlock, opcode.PopExcept:
		return true
	case opcode.LoadConst:
		return n+1 < len(b.Instrs) && b.Instrs[n+1].Op == opcode.Return
	}
	return false
}
