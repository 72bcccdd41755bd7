package structure

import (
	"cmp"
	"maps"
	"slices"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
)

// unrotate undoes 3.10-3.13's doubling of a `while` test: the compiler tests
// once before the loop and again at its end. The second test is replaced by a
// jump to the first.
func (s *builder) unrotate() {
	if !s.g.CFG.Func.Code.Version.LoopTestDuplicated() {
		return
	}
	changed := false
	s.tested = map[*lift.Block]*lift.Block{}
	for _, b := range append([]*lift.Block(nil), s.g.Blocks...) {
		if b.Term.Kind != lift.Branch || b.Term.KeepTrue || b.Term.KeepFalse {
			continue
		}
		for _, side := range []bool{true, false} {
			h, x := b.True, b.False
			if !side {
				h, x = x, h
			}
			if h.ID > b.ID || h == s.end {
				continue
			}
			a := s.firstTest(b, h, x, side)
			if a == nil {
				continue
			}
			w := a
			if len(a.Stmts) > 0 {
				w = &lift.Block{ID: h.ID, Term: a.Term, True: a.True, False: a.False, Exc: a.Exc, Line: a.Term.Line, In: a.Out, Out: a.Out}
				s.g.Blocks = append(s.g.Blocks, w)
				w.Succs(func(n *lift.Block) { n.Preds = append(dropPred(n.Preds, a), w) })
				a.Term = lift.Term{Kind: lift.Goto, Line: a.Term.Line}
				a.Next, a.True, a.False = w, nil, nil
				w.Preds = []*lift.Block{a}
			}
			b.Succs(func(n *lift.Block) { n.Preds = dropPred(n.Preds, b) })
			b.Term = lift.Term{Kind: lift.Goto, Line: 0}
			b.Next, b.True, b.False = w, nil, nil
			w.Preds = append(w.Preds, b)
			s.tested[w] = h
			changed = true
			break
		}
	}
	if changed {
		s.g.ComputePreds() // in order again
		s.splitShared()
	}
}

// leadTo lets p go on at b where it went on at a.
func leadTo(p, a, b *lift.Block) {
	for _, slot := range []**lift.Block{&p.Next, &p.True, &p.False} {
		if *slot == a {
			*slot = b
		}
	}
}

// dropPred takes one mention of b out of list.
func dropPred(list []*lift.Block, b *lift.Block) []*lift.Block {
	for i, p := range list {
		if p == b {
			return append(list[:i:i], list[i+1:]...)
		}
	}
	return list
}

// joinHeads redirects what returns to an empty block to the block behind it:
// `while True` has two labels, one for `continue` and one for the loop's end,
// that differ by a NOP. What ends a protected body keeps the block behind it: the one
// behind that may stand in the body. A block in front of a `try:` is the head of a loop around the statement,
// where the body may begin with a loop of its own: what returns to the statement from outside of it returns to that block.
// Where a loop has one label alone, two labels in a row are those of two loops; else the line of what returns tells of which one it is.
func (s *builder) joinHeads() {
	changed, oneLabel := false, s.g.CFG.Func.Code.Version.LoopHasOneLabel()
	told := s.g.CFG.Func.Code.Version.LoopTestDuplicated()
	for _, a := range s.g.Blocks {
		if len(a.Stmts) > 0 || a.Term.Kind != lift.Goto || a.Next == nil || a.Next == a || a.Next == s.end || len(a.HandlerOf) > 0 || !onlyJumps(a) || a.Term.EndBody != nil {
			continue
		}
		if !returnedTo(a) {
			continue
		}
		from, to := a, a.Next
		if in := a.Next.Exc; a.Exc != in {
			if a.ID > a.Next.ID || !in.Inside(a.Exc) {
				continue
			}
			from, to = a.Next, a
		} else if oneLabel {
			continue
		}
		if told && to != a && beginsTwo(a) && returnedTo(to) {
			continue
		}
		var stay []*lift.Block
		around := told && to != a && slices.ContainsFunc(a.Preds, func(p *lift.Block) bool { return endsAround(p, a) })
		for _, p := range from.Preds {
			if p.Term.EndBody != nil || around && (p.ID < a.ID || endsAround(p, a)) || to == a && (p.ID <= from.ID || p.Exc.Inside(from.Exc)) {
				stay = append(stay, p)
				continue
			}
			leadTo(p, from, to)
			to.Preds = append(to.Preds, p)
			changed = true
		}
		from.Preds = stay
	}
	if changed {
		s.g.ComputePreds()
	}
}

// beginsTwo reports whether two `while True` begin with a: each is a NOP on its line.
func beginsTwo(a *lift.Block) bool {
	list := a.Src.Instrs
	return len(list) > 1 && list[0].Op == opcode.Nop && list[1].Op == opcode.Nop && list[0].Pos.Line > 0 && list[0].Pos.Line < list[1].Pos.Line
}

// endsAround reports whether p ends a turn of a loop around the one whose `while True` is the NOP in a: the jump has the line
// of its own `while`, which is in front of that; a `continue` has a line behind.
func endsAround(p, a *lift.Block) bool {
	list := a.Src.Instrs
	return len(list) > 0 && list[0].Op == opcode.Nop && p.ID > a.ID && p.Term.Kind == lift.Goto && p.Term.Line > 0 && p.Term.Line < int(list[0].Pos.Line)
}

// splitFors gives a loop that is left in its first turn a head of its own: no
// edge returns to it, so that it was joined with the code in front. That may be
// the head of a loop around it, which begins with a lower stack.
func (s *builder) splitFors() {
	changed := false
	for _, a := range append([]*lift.Block(nil), s.g.Blocks...) {
		if a.Term.Kind != lift.For || len(a.Stmts) == 0 && (len(a.In) >= len(a.Out) || !returnedTo(a)) {
			continue
		}
		h := &lift.Block{ID: a.ID, Term: a.Term, True: a.True, False: a.False, Exc: a.Exc, Line: a.Term.Line, Src: a.Src, In: a.Out, Out: a.Out}
		s.g.Blocks = append(s.g.Blocks, h)
		a.Term = lift.Term{Kind: lift.Goto, Line: a.Term.Line}
		a.Next, a.True, a.False = h, nil, nil
		changed = true
	}
	if changed {
		s.g.ComputePreds()
	}
}

// returnedTo reports whether b is the head of a loop.
func returnedTo(b *lift.Block) bool {
	return slices.ContainsFunc(b.Preds, func(p *lift.Block) bool { return p.ID >= b.ID })
}

// onlyJumps reports whether nothing but NOPs and jumps stands in the block.
func onlyJumps(b *lift.Block) bool {
	if b.Src == nil || len(b.In) != len(b.Out) {
		return false
	}
	for i := range b.Src.Instrs {
		switch b.Src.Instrs[i].Op {
		case opcode.Nop, opcode.Jump:
		default:
			return false
		}
	}
	return true
}

// firstTest finds the test before the loop that b's test repeats.
func (s *builder) firstTest(b, h, x *lift.Block, side bool) *lift.Block {
	for _, a := range h.Preds {
		if a == b || a.Term.Kind != lift.Branch || a.ID > b.ID {
			continue
		}
		for _, way := range []bool{true, false} {
			ah, ax := a.True, a.False
			if !way {
				ah, ax = ax, ah
			}
			if ah == h && pyast.SameTest(a.Term.Cond, b.Term.Cond, way != side) && (s.thru(ax) == s.thru(x) || s.sameBlock(ax, x, 8)) {
				return a
			}
		}
	}
	return nil
}

// sameBlock reports whether two blocks do the same: copies of one exit.
func (s *builder) sameBlock(a, b *lift.Block, depth int) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil || depth == 0 || a == s.end || b == s.end {
		return false
	}
	if a.Term.Kind != b.Term.Kind || !pyast.EqualStmts(a.Stmts, b.Stmts) || a.Exc != b.Exc {
		return false
	}
	switch a.Term.Kind {
	case lift.Return, lift.Raise:
		return pyast.Equal(a.Term.Value, b.Term.Value) && pyast.Equal(a.Term.Cause, b.Term.Cause)
	case lift.Goto:
		return s.sameBlock(a.Next, b.Next, depth-1)
	case lift.Branch:
		if pyast.SameTest(a.Term.Cond, b.Term.Cond, false) {
			return s.sameBlock(a.True, b.True, depth-1) && s.sameBlock(a.False, b.False, depth-1)
		}
		return pyast.SameTest(a.Term.Cond, b.Term.Cond, true) && s.sameBlock(a.True, b.False, depth-1) && s.sameBlock(a.False, b.True, depth-1)
	}
	return false
}

// loop writes the loop with head h and returns where to continue.
func (s *builder) loop(h *lift.Block, c ctx) ([]pyast.Stmt, *lift.Block) {
	body := s.loops[h]
	if body == nil {
		body = map[*lift.Block]bool{h: true} // a loop that is always left in its first turn
	}
	inner := ctx{cont: h, exc: c.exc, busy: &loopStack{h, c.busy}, stop: c.stop}
	switch {
	case h.Term.Kind == lift.For && len(h.Stmts) == 0:
		node := &pyast.For{Pos: pyast.At(h.Term.Line, h.Term.Offset), IsAsync: h.Term.Async}
		after, els := s.exits(h, h.False, body, c)
		inner.brk, inner.fall = after, h
		node.Body = s.build(h.True, inner)
		if els {
			node.OrElse = s.build(h.False, withFall(c, after))
		}
		goOver(node, h)
		return []pyast.Stmt{node}, after
	case h.Term.Kind == lift.Branch && len(h.Stmts) == 0 && body[h.True] != body[h.False] && !s.enters(h, c) && s.either(loopTest, h, s.testsLoop(h, body)):
		in, out, test := h.True, h.False, h.Term.Cond
		if !body[in] {
			in, out, test = out, in, lift.Not(test)
		}
		node := &pyast.While{Pos: pyast.At(h.Term.Line, h.Term.Offset), Test: test}
		after, els := s.exits(h, out, body, c)
		inner.brk, inner.fall = after, h
		node.Body = s.build(in, inner)
		if els {
			node.OrElse = s.build(out, withFall(c, after))
		}
		return []pyast.Stmt{node}, after
	}
	node := &pyast.While{Pos: pyast.At(h.Line, 0), Test: pyast.Bool(true)}
	after, _ := s.exits(h, nil, body, c)
	inner.brk, inner.fall = after, h
	// The head's own statements belong to the body: enter it by hand.
	node.Body = s.buildHead(h, inner)
	return []pyast.Stmt{node}, after
}

// goOver fills in what the for statement with head h goes over, and what it binds.
func goOver(node *pyast.For, h *lift.Block) {
	node.Target, node.Iter = h.Term.Bind.Target, h.Term.Iter.E
	switch {
	case node.Target == nil:
		fail("a loop without a target")
	case node.Iter == nil:
		fail("a loop over what is no expression")
	}
}

func withFall(c ctx, fall *lift.Block) ctx {
	c.fall = fall
	return c
}

// buildHead writes the loop head and what follows in the loop.
func (s *builder) buildHead(h *lift.Block, c ctx) []pyast.Stmt {
	saved := s.loops[h]
	delete(s.loops, h)
	defer func() { s.loops[h] = saved }()
	// The first block is the head itself: it must not be taken for `continue`.
	first := &lift.Block{ID: h.ID, Stmts: h.Stmts, Term: h.Term, Next: h.Next, True: h.True, False: h.False, Exc: h.Exc, Line: h.Line, Src: h.Src}
	first.Num = numberOf(h) + 1
	defer func() { first.Num = 0 }()
	return s.build(first, c)
}

// exits finds where the code behind the loop begins and whether what
// exhaustion reaches first is an `else` clause. e is where the loop goes when
// it is exhausted, nil for `while True`.
func (s *builder) exits(h, e *lift.Block, body map[*lift.Block]bool, c ctx) (after *lift.Block, els bool) {
	after, els = s.meetBehind(h, e, body, c)
	after = leaveBody(after, body, c)
	if to := s.place(loopEnd, h, after, c, func() map[*lift.Block]bool { return s.behindLoop(h, e, body, c) }); to != after {
		return to, e != nil && (to == nil || !s.at(e, to))
	}
	if els && after == s.end && s.returnsOnly(h, s.loopText(h, body, c)) {
		return e, false // the ways to the function's end are returns
	}
	return after, els
}

// behindLoop are the places that the ways out of the loop reach.
func (s *builder) behindLoop(h, e *lift.Block, body map[*lift.Block]bool, c ctx) map[*lift.Block]bool {
	set := map[*lift.Block]bool{}
	text := s.loopText(h, body, c)
	for b := range text {
		b.Succs(func(n *lift.Block) {
			if text[n] || text[s.thru(n)] {
				return
			}
			for x := range s.reach(n, c) {
				if !text[x] {
					set[x] = true
				}
			}
		})
	}
	if e != nil {
		set[e] = true
	}
	return set
}

// leaveBody follows b out of a protected statement in the loop's body to where that ends:
// what is left of the body there is no code behind the loop.
func leaveBody(b *lift.Block, body map[*lift.Block]bool, c ctx) *lift.Block {
	if b == nil || b.Exc == nil || b.Exc == c.exc || !b.Exc.Inside(c.exc) {
		return b
	}
	r := outermost(b.Exc, c.exc)
	inside := false
	for x := range body {
		inside = inside || x.Exc != nil && x.Exc.Inside(r)
	}
	if !inside {
		return b
	}
	var out *lift.Block // where a jump or a return leads that stands in the statement
	for x, more := range cfg.Walk(b) {
		if x.Term.EndBody == r {
			return x.Next
		}
		if x.Exc.Inside(r) {
			x.Succs(more)
		} else if out == nil {
			out = x
		}
	}
	return cmp.Or(out, b)
}

// returnsOnly reports whether no way from the loop to the function's end is
// written as a jump: each stands behind the copy of a finally clause, where
// `break` and `return` are the same instructions without a place of their own
// (3.11+). A `break` past the loop's else clause would be the odd one.
func (s *builder) returnsOnly(h *lift.Block, text map[*lift.Block]bool) bool {
	if !s.g.CFG.Func.Code.Version.HasColumns() {
		return false
	}
	found, jumps := false, false
	leads := func(b *lift.Block) bool { return b.Term.Kind == lift.Goto && s.thru(b.Next) == s.end }
	check := func(b *lift.Block) {
		found = true
		jumps = jumps || b.Term.Break || s.ownPlace(&b.Term) || !s.copied(b.Term.Offset)
	}
	for b := range text {
		if leads(b) {
			check(b)
			continue
		}
		b.Succs(func(n *lift.Block) {
			switch {
			case n == s.end:
				jumps = true
			case b != h && !text[n] && leads(n):
				check(n)
			}
		})
	}
	return found && !jumps
}

// meetBehind finds where the ways out of the loop meet.
func (s *builder) meetBehind(h, e *lift.Block, body map[*lift.Block]bool, c ctx) (after *lift.Block, els bool) {
	if end, ok := s.loopEnd(h); ok {
		return end, e != nil && (end == nil || !s.at(e, end))
	}
	ends := e != nil && (s.endsBody(e, c) || s.fallsOn(e, c))
	if ends && (h.Term.Kind != lift.For || !leftOtherwise(h, e, body)) {
		return e, false
	}
	outer := c
	outer.busy = &loopStack{h, c.busy}
	w := s.waysOutOf(h, e, s.loopText(h, body, c))
	j := s.breakTarget(h, w, outer)
	if j == nil && ends {
		return e, false
	}
	if j == nil {
		j = s.toldBreak(h, w.text)
	}
	if j == nil {
		j = s.breakThroughWith(w.leave, w.text, outer)
	}
	if j != nil {
		return j, e != nil && !s.at(e, j)
	}
	if j := s.jumpBehind(h, w.leave, c, outer); j != nil && !(e != nil && s.at(e, j)) {
		return j, e != nil
	}
	if e != nil {
		return s.meetExhaustion(h, e, w, c, outer)
	}
	return s.meetBreaks(h, w, c, outer), false
}

// leftOtherwise reports whether the loop at h may be left in another way than by exhaustion, which leads to e: by an edge, or by
// a clause of a statement in it.
func leftOtherwise(h, e *lift.Block, body map[*lift.Block]bool) bool {
	for b := range body {
		other := b.Exc != h.Exc
		b.Succs(func(n *lift.Block) { other = other || !body[n] && !(b == h && n == e) })
		if other {
			return true
		}
	}
	return false
}

// loopExits are a loop's ways out.
type loopExits struct {
	text        map[*lift.Block]bool // the loop's own blocks
	leave, left []*lift.Block        // the blocks that ways out lead to, and those right behind the loop's
	lastLine    int                  // of the loop's text
}

// waysOutOf collects the ways out of the loop at h but for exhaustion, which leads to e.
func (s *builder) waysOutOf(h, e *lift.Block, text map[*lift.Block]bool) loopExits {
	w := loopExits{text: text}
	seen := map[*lift.Block]bool{}
	for b := range text {
		w.lastLine = max(w.lastLine, b.Term.Line, lineOf(b))
		b.Succs(func(n *lift.Block) {
			x := s.thru(n)
			if !text[n] && !text[x] && !seen[x] && !(b == h && e != nil && n == e) {
				seen[x] = true
				w.leave = append(w.leave, x)
			}
			if !text[n] && n != e {
				w.left = append(w.left, n)
			}
		})
	}
	return w
}

// meetExhaustion finds where the breaks meet what exhaustion leads to; els says that e is an else clause.
func (s *builder) meetExhaustion(h, e *lift.Block, w loopExits, c, outer ctx) (after *lift.Block, els bool) {
	et := s.thru(e)
	re := s.reach(e, outer)
	all, common := map[*lift.Block]bool{}, map[*lift.Block]bool{}
	for _, x := range w.leave {
		rx := s.reach(x, outer)
		maps.Copy(all, rx)
		maps.Copy(common, intersect(rx, re))
	}
	if s.ctxBlock(et, c) && e.ID > h.ID {
		// `else: continue` of an outer loop, or `else: break`.
		if j := s.breaksBehind(h, w.leave, e, c); j != nil {
			return j, true
		}
	}
	if !s.fallsOut(re, c) && s.fallsOut(all, c) {
		// A break leads on in the loop around, which exhaustion leaves: both may leave it, each by a jump of its own.
		maps.DeleteFunc(common, func(b *lift.Block, _ bool) bool { return s.at(b, c.brk) })
	}
	if len(common) == 0 && !all[et] && !s.ctxBlock(et, c) {
		// Exhaustion and break never meet: what lies behind the code that
		// exhaustion reaches is where the breaks go.
		if j := s.breaksBehind(h, w.leave, e, outer); j != nil {
			return j, true
		}
	}
	if all[et] || len(common) == 0 {
		if len(common) == 0 && len(w.leave) > 0 && !s.ctxBlock(et, c) && s.fallsOut(all, c) {
			return c.fall, true
		}
		return e, false
	}
	j := s.firstBehind(common, c)
	if j == nil {
		return e, false
	}
	return j, !s.at(e, j)
}

// meetBreaks finds what lies behind `while True`: where the breaks meet, or what follows the statement around.
func (s *builder) meetBreaks(h *lift.Block, w loopExits, c, outer ctx) *lift.Block {
	for _, x := range w.leave {
		if (s.fallsOn(x, c) || s.endsBody(x, c)) && !s.leavesTwo(h, x, outer) {
			return x
		}
	}
	var common map[*lift.Block]bool
	var late *lift.Block
	for _, x := range w.leave {
		rx := s.reach(x, outer)
		switch {
		case s.comesOut(rx, outer):
			if x == s.end && s.leavesTwo(h, x, outer) {
				continue // a return
			}
			if common == nil {
				common = rx
			} else {
				common = intersect(common, rx)
			}
		default: // What returns or raises stays inside of the loop.
			if x = leaveBody(x, w.text, c); x.Line > w.lastLine && !s.inLoop(h, x) && !s.leavesTwo(h, x, outer) && (late == nil || s.order(x) < s.order(late)) {
				late = x
			}
		}
	}
	if common == nil {
		return late
	}
	maps.DeleteFunc(common, func(x *lift.Block, _ bool) bool { return beforeBreak(h, x) })
	return s.firstBehind(common, c)
}

// fallsOn reports whether a loop that is left goes on at e behind the statement around it, as a
// break does: another way to get there would be a jump of the loop around.
func (s *builder) fallsOn(e *lift.Block, c ctx) bool {
	return s.at(e, c.fall) && !s.at(e, c.cont) && !s.at(e, c.brk) && s.thru(e) != s.end
}

// firstBehind picks, among the blocks that all ways reach, where the code behind
// a loop begins: a block of its own, or what the loop falls to. The head of the
// loop around it comes before all of its body, so that the order does not tell.
func (s *builder) firstBehind(common map[*lift.Block]bool, c ctx) *lift.Block {
	if j := s.first(common, func(b *lift.Block) bool { return s.ctxBlock(b, c) || s.leavesAround(b, c) }); j != nil {
		return j
	}
	return s.first(common, func(b *lift.Block) bool { return !s.at(b, c.fall) })
}

// toldBreak returns where the `break`s of the while loop with head h lead, whose text is given, if the
// bytecode tells of some that they are `break`s, and they lead to one place.
func (s *builder) toldBreak(h *lift.Block, text map[*lift.Block]bool) *lift.Block {
	if h.Term.Kind == lift.For {
		return nil // see breakTarget
	}
	to := map[*lift.Block]bool{}
	for b := range text {
		if b.Term.Break && b.Next != nil && !text[b.Next] && !text[s.thru(b.Next)] {
			to[s.thru(b.Next)] = true
		}
	}
	if len(to) != 1 {
		return nil
	}
	return s.first(to, nil)
}

// breakTarget returns where a `break` of the for loop with head h leads, if the
// bytecode tells one: it drops the loop's iterator.
func (s *builder) breakTarget(h *lift.Block, w loopExits, outer ctx) *lift.Block {
	if h.Term.Kind != lift.For {
		return nil
	}
	set := map[*lift.Block]bool{}
	depth, slots := len(h.Out), s.g.CFG.Func.Code.Version.IteratorSlots()
	for b := range w.text { // in a clause, which handles its exception until then
		if b.Term.Break && len(b.In) > depth && len(b.Out) == depth-slots {
			set[b.Next] = true
		}
	}
	breaks := func(y *lift.Block) bool {
		if y.Term.Kind == lift.Goto && leavesWith(y.Next) && !s.enteredIn(s.loops[h], y.Next) {
			return false // a statement around the loop is left, too
		}
		return y.Term.Kind == lift.Goto && (y.Term.Break || dropsAndJumps(y)) && (len(y.In) == depth || y == h.True /* has the item */) && len(y.Out) == depth-slots
	}
	for _, x := range w.left {
		within := s.reach(x, outer)
		for y, more := range cfg.Walk(x) {
			// Behind the `break`, another loop's iterator may lie where this one's lay.
			if !within[y] && s.thru(y) == y || len(y.In) < depth || y.Term.Kind == lift.For && len(y.Out) <= depth {
				continue
			}
			if breaks(y) {
				set[y.Next] = true
			}
			if len(y.Out) >= depth {
				y.Succs(more)
			}
		}
	}
	return s.first(set, nil)
}

// dropsAndJumps reports whether what b does last is to drop a value and to jump.
func dropsAndJumps(b *lift.Block) bool {
	if !b.Term.Jump || b.Src == nil {
		return false
	}
	list := b.Src.Instrs
	n := len(list)
	if n < 2 || list[n-1].Op != opcode.Jump || list[n-1].Offset != b.Term.Offset {
		return false
	}
	return list[n-2].Op == opcode.Pop || list[n-2].Op == opcode.PopIter
}

// jumpBehind finds where the ways out of the loop lead when that is the `break`
// or the `continue` of the loop around it, and nothing else. A `break` of the
// inner loop cannot say so: the statement stands behind the loop.
//
//	for x in a:
//	    if x: break
//	else:
//	    continue
//	break
func (s *builder) jumpBehind(h *lift.Block, leave []*lift.Block, c, outer ctx) *lift.Block {
	var common map[*lift.Block]bool
	for _, x := range leave {
		switch r := s.reach(x, outer); {
		case !s.comesOut(r, outer):
		case common == nil:
			common = r
		default:
			common = intersect(common, r)
		}
	}
	var to *lift.Block
	for b := range common {
		switch {
		case s.at(b, c.fall):
			return nil
		case !s.ctxBlock(b, c):
			if !beforeBreak(h, b) {
				return nil
			}
		case s.at(b, c.cont), s.at(b, c.brk):
			to = b
		}
	}
	if to != nil && s.g.CFG.Func.Code.Version.CopiesExitBlocks() && s.plainReturn(to) {
		return nil // copied, so that the statement may as well stand in the inner loop
	}
	return to
}

// beforeBreak reports whether b, on a way out of the loop with head h, begins
// in front of a `break`: the iterator of the loop, or of one inside of it, is on the stack.
func beforeBreak(h, b *lift.Block) bool {
	depth := len(h.In) + 1
	if h.Term.Kind == lift.For {
		depth = len(h.Out)
	}
	if b.Term.Kind == lift.For || len(b.In) < depth || b.Src == nil {
		return false // the iterator in front of another head is that loop's
	}
	op := b.Src.FirstOp()
	return op != opcode.Nop && op != opcode.Pop && op != opcode.PopIter
}

// plainReturn reports whether b does nothing but leave the function.
func (s *builder) plainReturn(b *lift.Block) bool {
	b = s.thru(b)
	return b == s.end || len(b.Stmts) == 0 && b.Term.Kind == lift.Return && (b.Term.Value == nil || isNone(b.Term.Value))
}

// inLoop reports whether x, an exit that leaves the function, stands in the body
// of the loop with head h: as deep as it, or on the line behind the test that
// leads to it, where a `break` would stand in between.
func (s *builder) inLoop(h, x *lift.Block) bool {
	if c, body := x.StartColumn(s.g.Indentation), h.StartColumn(s.g.Indentation); c > 0 && body > 0 {
		return c >= body
	}
	for _, p := range x.Preds {
		if p.Term.Kind == lift.Branch && p.Term.Line > 0 && p.Term.Line+1 == x.Line {
			return true
		}
	}
	return false
}

// leavesTwo reports whether x is reached out of an endless loop in the body of the one with
// head h that goes on with the body by another way: a `break` leaves one loop, and all of one
// loop lead to one place.
func (s *builder) leavesTwo(h, x *lift.Block, c ctx) bool {
	for k := range s.loops[h] {
		inner := s.loops[k]
		if k == h || inner == nil || k.Term.Kind == lift.For || k.Term.Kind == lift.Branch && inner[k.True] != inner[k.False] {
			continue // where its test fails is one way out, its breaks are another
		}
		leaves, goesOn := false, false
		for b := range inner {
			b.Succs(func(n *lift.Block) {
				switch {
				case inner[n]:
					return
				case s.thru(n) == x:
					leaves = true
					return
				}
				switch r := s.reach(n, c); {
				case n == h || r[h]:
					goesOn = true
				case r[x]:
					leaves = true
				}
			})
		}
		if leaves && goesOn {
			return true
		}
	}
	return false
}

// breaksBehind finds the first block behind e in the layout that the ways out
// of the loop lead to: the code behind the loop, if e begins an else clause.
func (s *builder) breaksBehind(h *lift.Block, leave []*lift.Block, e *lift.Block, c ctx) *lift.Block {
	var j *lift.Block
	falls := false
	for _, x := range leave {
		for y := range s.reach(x, c) {
			switch {
			case y == s.end:
			case s.at(y, c.fall):
				falls = true
			case s.leavesAround(y, c):
			case s.withinStatement(y, c):
			case standsBehind(y, e) && !s.ctxBlock(y, c) && !beforeBreak(h, y) && (j == nil || y.ID < j.ID):
				j = y
			}
		}
	}
	if j == nil && falls && !s.at(e, c.fall) {
		return c.fall
	}
	return j
}

// withinStatement reports whether b stands in a protected statement in front of which ways have begun: no
// code behind a loop begins there, wherever the code is laid out (3.11+ lays clauses, and what only they lead to, out last).
func (s *builder) withinStatement(b *lift.Block, c ctx) bool {
	if !s.enters(b, c) {
		return false
	}
	r := outermost(b.Exc, c.exc)
	return slices.ContainsFunc(b.Preds, func(p *lift.Block) bool { return p.Exc.Inside(r) && s.order(p) < s.order(b) })
}

// standsBehind reports whether b comes behind a in the source. The code is in its order, but
// for ways that raise, which are laid out last (3.12+).
func standsBehind(b, a *lift.Block) bool {
	if k, l := lineOf(a), lineOf(b); a.Term.Kind == lift.Raise && k > 0 && l > k {
		return true
	}
	return b.ID > a.ID
}

// loopText is the loop's blocks together with the handlers of the statements
// in it: a clause that breaks or returns is no part of the natural loop. As long as it
// handles its exception, it has more of them on the stack than the loop.
func (s *builder) loopText(h *lift.Block, body map[*lift.Block]bool, c ctx) map[*lift.Block]bool {
	text := map[*lift.Block]bool{}
	var work []*lift.Block
	add := func(b *lift.Block) {
		if b == nil || b == s.end || text[b] {
			return
		}
		text[b] = true
		work = append(work, b)
	}
	level := -1
	for _, b := range s.blocks {
		if !body[b] {
			continue
		}
		add(b)
		n := onTheWay(b)
		if b == h && h.Term.Kind == lift.For {
			n = slotsOf(h.Out, onTheWayKinds...) // a handler may begin with the loop
		}
		if level < 0 || n < level {
			level = n
		}
	}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		for e := x.Exc; e != nil && e != c.exc && e.Inside(c.exc) && !s.protectsLoop(e, body); e = e.Parent {
			add(s.handlerOf(e))
		}
		x.Succs(func(n *lift.Block) {
			if s.keepsIterator(h, n) || onTheWay(n) > level || leavesWith(n) && n.Exc.Inside(c.exc) && s.enteredIn(text, n) {
				add(n)
			}
		})
	}
	return text
}

// keepsIterator reports whether b, reached from the body of the for loop with head h, stands in it, because the loop's iterator
// lies on the stack: what stands behind the loop is reached without it. A block that drops it breaks out, or returns; where the
// return behind the loop may have been copied, both look alike.
func (s *builder) keepsIterator(h, b *lift.Block) bool {
	depth := len(h.Out)
	if h.Term.Kind != lift.For || len(b.In) < depth {
		return false
	}
	switch b.Term.Kind {
	case lift.Raise:
		return true
	case lift.Return:
		return !s.g.CFG.Func.Code.Version.CopiesExitBlocks()
	}
	return len(b.Out) >= depth
}

// onTheWay counts the stack slots of b that exceptions take, and what else runs a finally body.
func onTheWay(b *lift.Block) int { return slotsOf(b.In, onTheWayKinds...) }

var onTheWayKinds = []lift.Kind{lift.KExc, lift.KOldExc, lift.KFin}

// slotsOf counts the values of some kinds on the stack.
func slotsOf(stack []*lift.Value, kinds ...lift.Kind) int {
	n := 0
	for _, v := range stack {
		if slices.Contains(kinds, v.Kind) {
			n++
		}
	}
	return n
}

// protectsLoop reports whether region e holds the loop as a whole.
func (s *builder) protectsLoop(e *cfg.Region, body map[*lift.Block]bool) bool {
	for b := range body {
		if !b.Exc.Inside(e) && !s.inHandler(b, e) {
			return false
		}
	}
	return true
}

// fallsOut reports whether the set contains what follows the statement.
func (s *builder) fallsOut(set map[*lift.Block]bool, c ctx) bool {
	for b := range set {
		if s.at(b, c.fall) {
			return true
		}
	}
	return false
}

// comesOut reports whether the set contains a way on: a block of the context
// that is no return, the end of a finally clause. The function's end is one where what follows is the end.
func (s *builder) comesOut(set map[*lift.Block]bool, c ctx) bool {
	for b := range set {
		if b == s.end && (c.fall == nil || s.thru(c.fall) == s.end) || s.at(b, c.fall) || s.at(b, c.cont) || s.at(b, c.brk) {
			return true
		}
		if c.busy.has(b) || c.final != nil && b.Term.EndFinally {
			return true
		}
	}
	return false
}
