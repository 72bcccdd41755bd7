package cfg

import (
	"cmp"
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// finallyCopies removes the copies of finally bodies. Since 3.9 the compiler
// writes the body once for the exception and once more for every way out of
// the try:
//
//	    try body                      try body
//	    POP_BLOCK                     POP_BLOCK
//	    LOAD_GLOBAL c; CALL; POP  →
//	    RETURN_VALUE                  RETURN_VALUE
//	    ...
//	h:  LOAD_GLOBAL c; CALL; POP  h:  LOAD_GLOBAL c; CALL; POP
//	    RERAISE                       RERAISE
//
// A copy has the same instructions on the same lines as the handler and leaves
// the stack alone, so the way out may jump over it. Either all copies of a
// region are found, or nothing is changed.
func finallyCopies(g *Graph) (changed bool) {
	if g.Func.Code.Version.SharesFinallyBody() {
		return false
	}
	bare := map[*Region]bool{} // except clauses; told while the copies of statements around are there
	for _, r := range g.Regions {
		bare[r] = r.Kind == RegionTable && firstOp(r.Handler) == opcode.Pop &&
			!slices.ContainsFunc(waysOut(g, r), func(w way) bool { return beginsAs(*w.slot, r.Handler) })
	}
	for _, r := range g.Regions {
		if r.Handler.Dead || len(r.Handler.HandlerOf) == 0 || bare[r] {
			continue
		}
		changed = removeCopies(g, r) || changed
	}
	return changed
}

// place is an instruction's place in the graph.
type place struct {
	b *Block
	i int
}

// way is an edge that leaves a try with a finally clause.
type way struct {
	from *Block
	slot **Block // the edge
	copied
}

// copied is what matchCopy found out about one copy.
type copied struct {
	cont  place // what follows the copy; no block where it never ends
	drops bool  // it drops the value that the way out would return
	opens []int // offsets of the SETUPs of protected statements in it (3.9, 3.10)
}

// bodyEnd is a block in which a body ends, and what follows the copy behind it.
type bodyEnd struct {
	behind place
	block  *Block
}

// opensAt reports whether the SETUP of r is at one of the offsets.
func (r *Region) opensAt(offsets map[int]bool) bool {
	if r.Setup == nil || r.Setup.Last() == nil {
		return false
	}
	return offsets[r.Setup.Last().Offset]
}

// waysOut lists the edges behind which a copy of r's finally body is expected.
func waysOut(g *Graph, r *Region) []way {
	var out []way
	if r.Kind != RegionTable {
		if r.Kind != RegionFinally {
			return nil
		}
		for _, b := range g.Blocks {
			if b.Leaves == r && !b.Dead {
				out = append(out, way{from: b, slot: &b.Next})
			}
		}
		return out
	}
	if firstOp(r.Handler) == opcode.WithExceptStart {
		return nil
	}
	for i := range r.Handler.Instrs {
		if r.Handler.Instrs[i].Op == opcode.CheckExcMatch {
			return nil // an except clause
		}
	}
	for _, b := range g.Blocks {
		if b.Dead || b.Exc == nil || !b.Exc.Inside(r) {
			continue
		}
		for _, slot := range []**Block{&b.Next, &b.Taken} {
			if n := *slot; n != nil && !n.Exc.Inside(r) {
				out = append(out, way{from: b, slot: slot})
			}
		}
	}
	return out
}

// beginsAs reports whether a way out goes on where in the source the handler h drops its exception. That is the first
// statement of a finally clause, which leaves by itself; that of a bare except clause stands behind `except`. Of a `break`
// no more than its place may be left.
func beginsAs(b, h *Block) bool {
	p := skip(place{h, 0})
	if p.i == len(p.b.Instrs) || p.b.Instrs[p.i].Pos.Line <= 0 {
		return false
	}
	pos := p.b.Instrs[p.i].Pos
	for n := 0; b != nil && n < 20; n++ {
		for i := range b.Instrs {
			if in := &b.Instrs[i]; in.Pos == pos || in.Op != opcode.Nop && in.Op != opcode.PopBlock {
				return in.Pos == pos
			}
		}
		b = b.Next
	}
	return false
}

// firstOp is the first instruction of a handler behind PUSH_EXC_INFO.
func firstOp(h *Block) opcode.Op {
	if p := skip(place{h, 0}); p.i < len(p.b.Instrs) {
		return p.b.Instrs[p.i].Op
	}
	return opcode.Nop
}

// textLines returns the first line of r's statement and that of its finally clause. What a handler begins with has no line,
// or, in code that Dynamo has assembled, that of whatever stands in front. The SETUP has the line of `try`; what its region
// holds besides the body, the ways out through a `with` around it, may stand in front of that.
func textLines(g *Graph, r *Region) (first, last int32) {
	if s := r.Setup; s != nil && s.Last() != nil {
		first = s.Last().Pos.Line
	} else {
		for _, b := range g.Blocks {
			if b.Exc.Inside(r) && !b.Dead {
				first = earliest(b.Instrs, first)
			}
		}
	}
	return first, statementLine(r.Handler, first)
}

// statementLine is the first line behind the given one of the statement that begins with b. Its last instructions, behind the
// branches of what it computes, may stand on its first line.
func statementLine(b *Block, behind int32) (line int32) {
	for x, more := range Walk(b) {
		n := slices.IndexFunc(x.Instrs, func(in bytecode.Instr) bool { return endsStatement(in.Op) || in.Op.Exits() })
		l := earliest(x.Instrs[:cmp.Or(n+1, len(x.Instrs))], line)
		if l > behind {
			line = l
		}
		for _, next := range []*Block{x.Next, x.Taken} {
			if n < 0 && next != nil {
				more(next)
			}
		}
	}
	return line
}

// earliest is the first line of a list that is not behind the given one. What a statement begins with may stand on a later line of it.
func earliest(list []bytecode.Instr, line int32) int32 {
	for i := range list {
		if l := list[i].Pos.Line; l > 0 && (line == 0 || l < line) && list[i].Op != opcode.PushExcInfo {
			line = l
		}
	}
	return line
}

// insideText reports whether p, which follows a copy, belongs to a jump out of
// the body: it returns a value computed before, drops a loop's iterator, or
// stands on a line of the body. What goes on to the body of r itself stands in front of it.
func insideText(p place, r *Region, first, last int32) bool {
	for n := 0; n < 100; n++ {
		if p.b == r.Setup {
			return false
		}
		if p.i == len(p.b.Instrs) {
			if p.b.Next == nil || p.b.Taken != nil || len(p.b.Next.Preds) > 1 || p.b.Next.Exc.Inside(r) && !p.b.Exc.Inside(r) {
				return false
			}
			p = place{p.b.Next, 0}
			continue
		}
		in := &p.b.Instrs[p.i]
		switch in.Op {
		case opcode.Nop, opcode.PopBlock:
			p.i++
			continue
		case opcode.Return, opcode.Pop, opcode.Rot, opcode.Swap:
			return true
		}
		l := in.Pos.Line
		return l >= first && l < last
	}
	return false
}

// returnsConst reports whether k is the end of `return 1` in the body: the
// constant is loaded behind the copy, and has no place but that of the copy's
// last instruction. So does the end of the function, which returns None; it is
// taken for a `return` where the body comes out elsewhere.
func returnsConst(g *Graph, k *Block, comesOut bool) bool {
	c := constReturned(g, place{k, 0})
	return c != nil && (!sameConst(pyc.None{}, c) || comesOut)
}

// constReturned returns the constant that the function returns at p by two
// instructions that bear the place of the one in front, nil if it does not.
func constReturned(g *Graph, p place) pyc.Const {
	p = behindPops(p)
	if !g.Func.Code.Version.CopiesExitBlocks() || p.i+2 != len(p.b.Instrs) {
		return nil
	}
	load, ret := &p.b.Instrs[p.i], &p.b.Instrs[p.i+1]
	if load.Op != opcode.LoadConst || ret.Op != opcode.Return || load.Pos != ret.Pos {
		return nil
	}
	if g.posBefore(p) != load.Pos && !jumpsFrom(load.Pos, p) {
		return nil
	}
	return load.Const
}

// jumpsFrom reports whether p begins a block to which a jump leads that stands at pos: one of
// the ways through a finally body that branches at its end.
func jumpsFrom(pos bytecode.Pos, p place) bool {
	return p.i == 0 && slices.ContainsFunc(p.b.Preds, func(b *Block) bool {
		l := b.Last()
		return l != nil && l.Op.Conditional() && l.Pos == pos
	})
}

// behindPops moves over the POP_BLOCKs of a way out of several statements.
func behindPops(p place) place {
	p = skip(p)
	for n := 0; n < 1000 && p.i < len(p.b.Instrs) && p.b.Instrs[p.i].Op == opcode.PopBlock; n++ {
		p = skip(place{p.b, p.i + 1})
	}
	return p
}

// posBefore returns the place of the instruction in front of p in the code.
func (g *Graph) posBefore(p place) bytecode.Pos {
	p = skip(p)
	if p.i == len(p.b.Instrs) {
		return bytecode.NoPos
	}
	all, i := g.Func.Instrs, g.Func.Index(p.b.Instrs[p.i].Offset)
	if i == 0 {
		return bytecode.NoPos
	}
	return all[i-1].Pos
}

// blockAt returns a block that starts at p, splitting one if need be. Empty
// blocks are passed over, except those that end a region around; bytes that no compiler has written may have a ring of them.
func (g *Graph) blockAt(p place) *Block {
	for n := 0; n < 1000 && p.i == len(p.b.Instrs) && p.b.Next != nil && p.b.Taken == nil && (p.b.Ends == nil || p.i > 0); n++ {
		p = place{p.b.Next, 0}
	}
	if p.i == 0 {
		return p.b
	}
	k := &Block{
		ID: p.b.ID, Instrs: p.b.Instrs[p.i:], Next: p.b.Next, Taken: p.b.Taken, Exc: p.b.Exc,
		Ends: p.b.Ends, Leaves: p.b.Leaves, Caught: p.b.Caught, Leaps: p.b.Leaps, LoopSetup: p.b.LoopSetup,
	}
	for _, n := range []*Block{k.Next, k.Taken} {
		if n != nil {
			n.Preds = append(slices.DeleteFunc(n.Preds, func(x *Block) bool { return x == p.b }), k)
		}
	}
	for i, b := range g.Blocks {
		if b == p.b {
			g.Blocks = append(g.Blocks[:i+1], append([]*Block{k}, g.Blocks[i+1:]...)...)
			break
		}
	}
	for _, r := range g.Regions {
		if r.Setup == p.b {
			r.Setup = k // the SETUP is the last instruction
		}
	}
	k.ClauseEnd, k.LoopEnd = p.b.ClauseEnd, p.b.LoopEnd
	p.b.ClauseEnd, p.b.LoopEnd, p.b.LoopSetup = nil, nil, nil
	p.b.Instrs, p.b.Next, p.b.Taken = p.b.Instrs[:p.i:p.i], k, nil
	p.b.Ends, p.b.Leaves, p.b.Caught, p.b.Leaps = nil, nil, false, opcode.Invalid
	return k
}

// skip moves over what does nothing: NOPs, unconditional jumps, and a constant that is dropped, which the
// compiler leaves in one copy and not in another.
func skip(p place) place {
	for n := 0; n < 1000; n++ {
		if p.i == len(p.b.Instrs) {
			if p.b.Next == nil || p.b.Taken != nil {
				return p
			}
			p = place{p.b.Next, 0}
			continue
		}
		switch p.b.Instrs[p.i].Op {
		case opcode.Nop, opcode.PushExcInfo:
			p.i++
		case opcode.Jump:
			p = place{p.b.Next, 0}
		case opcode.LoadConst:
			q := pastDropped(p)
			if q == p {
				return p
			}
			p = q
		default:
			return p
		}
	}
	return p
}

// pastDropped moves over a constant that is dropped at once, perhaps where other ways meet.
func pastDropped(p place) place {
	if p.i == len(p.b.Instrs) || p.b.Instrs[p.i].Op != opcode.LoadConst {
		return p
	}
	q := place{p.b, p.i + 1}
	if q.i == len(q.b.Instrs) && q.b.Next != nil && q.b.Taken == nil {
		q = place{q.b.Next, 0}
	}
	if q.i == len(q.b.Instrs) || q.b.Instrs[q.i].Op != opcode.Pop {
		return p
	}
	return place{q.b, q.i + 1}
}

// matchCopy walks handler and copy side by side, up to where the handler raises
// the exception again. There the copy goes on with what its way out does.
//
// A clause may leave by itself as well, by a `return` or a jump out of a loop. In
// the handler the exception is dropped before, in the copy the value that waits
// to be returned, if there is one. Statements in the clause have handlers of their own, in
// which the exception that r's handler has is one of several: caught counts the others.
func matchCopy(g *Graph, r *Region, copy *Block) (out copied, ok bool) {
	var cont place
	work := []pair{{h: place{r.Handler, 0}, c: place{copy, 0}}}
	seen := map[pair]bool{}
	entered := map[*Region]bool{}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		h, c := skip(p.h), p.c
		if h == skip(c) {
			continue // both have arrived at the same place
		}
		if next, value, drops := dropsException(h, g.Func.Code.Version.ExceptionIsTriple()); drops && p.caught == 0 {
			if p = (pair{h, skip(c), 0}); seen[p] {
				continue // the handler goes in a circle
			}
			seen[p] = true
			at, d := dropsValue(skip(c), next, value)
			out.drops = out.drops || d
			work = append(work, pair{next, at, -1}) // what is dropped behind is of statements around
			continue
		}
		if h.i == len(h.b.Instrs) {
			return copied{}, false
		}
		hi := &h.b.Instrs[h.i]
		if hi.Op == opcode.Reraise && p.caught == 0 {
			c = pastDropped(c)
			if cont.b != nil && cont != c && !sameEnd(cont, c) {
				return copied{}, false
			}
			if cont.b == nil {
				cont = c
			}
			continue
		}
		c = skip(c)
		p = pair{h, c, p.caught}
		if seen[p] {
			continue
		}
		seen[p] = true
		if c.i == len(c.b.Instrs) {
			return copied{}, false
		}
		ci := &c.b.Instrs[c.i]
		if ci.Op.SetsUp() {
			out.opens = append(out.opens, ci.Offset)
		}
		// A statement is entered before its handler is: with what was caught outside of it.
		for x, y := h.b.Exc, c.b.Exc; deeper(x, r.Handler.Exc) && deeper(y, r.Parent); x, y = x.Parent, y.Parent {
			if !entered[x] {
				entered[x] = true
				work = append(work, pair{place{x.Handler, 0}, place{y.Handler, 0}, p.caught + 1})
			}
		}
		turned := hi.Op.Conditional() && ci.Op == inverse(hi.Op) // to jump forward
		if !turned && !sameInstr(hi, ci) {
			return copied{}, false
		}
		next, ok := pairsBehind(h, c, p.caught, turned)
		if !ok {
			return copied{}, false
		}
		work = append(work, next...)
	}
	out.cont = cont // none where the clause leaves by itself, or loops for ever
	return out, true
}

// pair is a place in the handler and one in the copy that does the same, with so many exceptions caught in it, -1
// where that of the handler is gone.
type pair struct {
	h, c   place
	caught int
}

// pairsBehind lists where the handler goes on behind h, and the copy behind c. turned: the copy's test is the inverse one.
func pairsBehind(h, c place, caught int, turned bool) (out []pair, ok bool) {
	op := h.b.Instrs[h.i].Op
	switch {
	case op.Conditional():
		next, taken := c.b.Next, c.b.Taken
		if turned {
			next, taken = taken, next
		}
		if h.b.Next == nil || next == nil || h.b.Taken == nil || taken == nil {
			return nil, false
		}
		return []pair{{place{h.b.Next, 0}, place{next, 0}, caught}, {threaded(h.b.Taken, op), threaded(taken, op), caught}}, true
	case op.Exits():
		return nil, true
	case op == opcode.PopExcept:
		caught--
	}
	return []pair{{place{h.b, h.i + 1}, place{c.b, c.i + 1}, caught}}, true
}

// threaded is where a conditional jump to b leads in the end. Another one like it that keeps the value tests it
// again, and is left out of the way except where it lies too far off for one instruction (up to 3.9).
func threaded(b *Block, op opcode.Op) place {
	p := place{b, 0}
	for n := 0; n < 100 && (op == opcode.JumpIfTrueOrPop || op == opcode.JumpIfFalseOrPop); n++ {
		q := skip(p)
		if q.i == len(q.b.Instrs) || q.b.Instrs[q.i].Op != op || q.b.Taken == nil {
			break
		}
		p = place{q.b.Taken, 0}
	}
	return p
}

// deeper reports whether r is a statement's inside of outer.
func deeper(r, outer *Region) bool { return r != nil && r != outer && r.Inside(outer) }

// follows matches instructions that come one after the other, and returns the
// place behind them.
func follows(p place, ops ...opcode.Op) (place, bool) {
	for _, op := range ops {
		p = skip(p)
		if p.i == len(p.b.Instrs) || p.b.Instrs[p.i].Op != op {
			return p, false
		}
		p.i++
	}
	return skip(p), true
}

// dropsException reports whether a handler forgets its exception at p, to leave
// by itself; value says that what it returns is on the stack already.
//
//	POP_TOP; POP_EXCEPT                         return 1, break, continue
//	SWAP 2; POP_TOP; SWAP 2; POP_EXCEPT         return x
//
// and the same with three values for one until 3.10, where an exception is a triple. The iterators of the loops that it
// leaves are dropped in front.
func dropsException(p place, triple bool) (next place, value, ok bool) {
	bare := []opcode.Op{opcode.Pop, opcode.PopExcept}
	below := []opcode.Op{opcode.Swap, opcode.Pop, opcode.Swap, opcode.PopExcept}
	if triple {
		bare = []opcode.Op{opcode.Pop, opcode.Pop, opcode.Pop, opcode.PopExcept}
		below = []opcode.Op{opcode.Rot, opcode.Pop, opcode.Pop, opcode.Pop, opcode.Rot, opcode.PopExcept}
	}
	if next, ok := follows(p, bare...); ok {
		return next, false, true
	}
	if next, ok := follows(p, below...); ok {
		return next, true, true
	}
	return p, false, false
}

// dropsValue moves over the place in a copy where the value that waits to be
// returned is dropped; h is where the handler goes on.
func dropsValue(c, h place, value bool) (place, bool) {
	drop := []opcode.Op{opcode.Pop}
	if value {
		drop = []opcode.Op{opcode.Swap, opcode.Pop} // below what is returned instead
	}
	drops := func(p place) int {
		for n := 0; ; n++ {
			next, ok := follows(p, drop...)
			if !ok {
				return n
			}
			p = next
		}
	}
	// Both drop the iterators of the loops that they leave.
	if drops(c) > drops(h) {
		next, _ := follows(c, drop...)
		return next, true
	}
	return c, false
}

// inverse is the conditional jump that is taken when op's is not, Invalid for
// those that have none.
func inverse(op opcode.Op) opcode.Op {
	switch op {
	case opcode.PopJumpIfFalse:
		return opcode.PopJumpIfTrue
	case opcode.PopJumpIfTrue:
		return opcode.PopJumpIfFalse
	case opcode.PopJumpIfNone:
		return opcode.PopJumpIfNotNone
	case opcode.PopJumpIfNotNone:
		return opcode.PopJumpIfNone
	}
	return opcode.Invalid
}

// sameEnd reports whether two places continue alike: they are the same after
// jumps, or copies of one exit.
func sameEnd(a, b place) bool {
	for n := 0; n < 20; n++ {
		a, b = skip(a), skip(b)
		if a == b {
			return true
		}
		if a.i == len(a.b.Instrs) || b.i == len(b.b.Instrs) {
			return false
		}
		x, y := &a.b.Instrs[a.i], &b.b.Instrs[b.i]
		u, v := *x, *y
		u.Pos.Line, v.Pos.Line = 0, 0 // an implicit return has the line of what is before it
		if !sameInstr(&u, &v) || x.Op.Conditional() {
			return false
		}
		if x.Op.Exits() {
			return true
		}
		a.i++
		b.i++
	}
	return false
}

// sameInstr reports whether two instructions are copies of one.
func sameInstr(x, y *bytecode.Instr) bool {
	if x.Op != y.Op || x.Name != y.Name || x.Flag != y.Flag && x.Op != opcode.Resume { // that of RESUME tells whether a handler is around
		return false
	}
	// A `return` that waits for the finally body has no line of its own (3.10).
	if x.Pos.Line > 0 && y.Pos.Line > 0 && x.Pos.Line != y.Pos.Line && x.Op != opcode.Return {
		return false
	}
	if x.Op == opcode.LoadConst && x.Flag || x.Op == CaseTest {
		return true // the numbers of one annotation, and of one case, in two copies
	}
	if x.Const != nil || y.Const != nil {
		return x.Raw == y.Raw && x.RawArg == y.RawArg || x.Const != nil && y.Const != nil && sameConst(x.Const, y.Const)
	}
	return x.Arg == y.Arg || x.Op == opcode.LoadFast || x.Target >= 0
}
