package structure

import (
	"slices"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// build writes the statements from b on, until the context takes over. What resists
// becomes a dispatch loop, where that is wanted: the innermost list that can be one.
func (s *builder) build(b *lift.Block, c ctx) (out []pyast.Stmt) {
	if s.how == Resisting {
		defer func() {
			switch e := recover().(type) {
			case nil:
			case structError:
				if s.budget < 0 && b != s.g.Entry {
					panic(e) // there is too much around it
				}
				out = s.dispatch(b, c, e.msg)
			default:
				panic(e)
			}
		}()
	}
	return s.buildOnto(nil, b, c)
}

// buildOnto appends what build writes to out.
func (s *builder) buildOnto(out []pyast.Stmt, b *lift.Block, c ctx) []pyast.Stmt {
	var jump *lift.Block // what led to b by a jump
	for b != nil {
		from := jump
		jump = nil
		if after, ended := s.ends(out, from, b, c); ended {
			return after
		}
		if c.busy.has(b) {
			fail("a jump to a loop that encloses another")
		}
		if p := s.barrier(b, c); p != nil {
			out, b = s.buildOnto(out, b, withFall(c, p)), p
			continue
		}
		s.budget--
		if s.budget < 0 {
			fail("the control flow needs too many copies of its blocks")
		}
		if (s.loops[b] != nil || b.Term.Kind == lift.For && len(b.Stmts) == 0) && !c.busy.has(b) && !s.regionStartsAt(b, c) {
			var list []pyast.Stmt
			list, b = s.loop(b, c)
			out = append(out, list...)
			continue
		}
		if s.enters(b, c) {
			out, b = s.try(out, b, c)
			continue
		}
		if s.turns[b] != nil {
			var st pyast.Stmt
			st, b = s.turnLoop(b, c)
			out = append(out, st)
			continue
		}
		out = append(out, b.Stmts...)
		t := &b.Term
		if t.EndFinally && c.final != nil {
			c.final.after = b.Next
			return out
		}
		switch t.Kind {
		case lift.Goto:
			if t.Continue && c.cont != nil && s.at(b.Next, c.cont) {
				return append(out, &pyast.Continue{Pos: t.Pos()})
			}
			if t.Break && c.brk != nil && s.at(b.Next, c.brk) {
				return append(out, &pyast.Break{Pos: t.Pos()})
			}
			b, jump = b.Next, b
		case lift.Return:
			return append(out, s.writeReturn(b))
		case lift.Raise:
			return append(out, &pyast.Raise{Pos: t.Pos(), Exc: t.Value, Cause: t.Cause})
		case lift.Reraise, lift.Stop:
			s.reraises = true
			return append(out, &reraise{})
		case lift.Branch:
			var list []pyast.Stmt
			list, b = s.branch(b, c)
			out = append(out, list...)
		case lift.For:
			fail("a loop head that no edge returns to")
		}
	}
	return out
}

// ends writes what takes over at b, which from led to by a jump, if the context, a loop around or the end of the function does.
func (s *builder) ends(out []pyast.Stmt, from, b *lift.Block, c ctx) (after []pyast.Stmt, ended bool) {
	switch {
	case s.at(b, c.fall):
		if c.cont != nil && s.at(b, c.cont) && s.writtenContinue(from, b, out) {
			out = append(out, &pyast.Continue{Pos: s.jumpPos(from, b, out)})
		}
		return out, true
	case c.stop.has(b) || c.stop.has(s.thru(b)):
		return out, true
	case c.cont != nil && s.at(b, c.cont):
		return append(out, &pyast.Continue{Pos: s.jumpPos(from, b, out)}), true
	case c.brk != nil && s.at(b, c.brk):
		return append(out, &pyast.Break{Pos: s.jumpPos(from, b, out)}), true
	case b != s.end:
		return out, false
	case s.g.CFG.Func.Code.IsFunction():
		r := &pyast.Return{}
		if from != nil && from.Term.Kind == lift.Goto && from.Term.EndCol > 0 {
			r.Pos = from.Term.Pos() // that of a `pass`
		}
		return append(out, r), true
	}
	return out, true // a module or class body cannot return: it falls off its end
}

func (s *builder) writeReturn(b *lift.Block) pyast.Stmt {
	t := &b.Term
	r := &pyast.Return{Pos: t.Pos(), Value: t.Value}
	if isNone(r.Value) && (t.Col <= 0 || s.writtenReturn(b) != returnNone || s.g.CFG.Func.Code.Flags&pyc.FlagAsyncGenerator != 0) {
		r.Value = nil
	}
	if c, ok := r.Value.(*pyast.Constant); ok && c.Line == r.Line && c.Col == r.Col && s.g.Indentation.Returned(t.Col) {
		// The return of a constant bears the constant's place, seven columns behind
		// the indentation.
		r.Col = max(0, r.Col-len("return "))
	}
	return r
}

// jumpPos tells where the jump to b stands in the source: it is the empty block b
// itself, or what ended the block in front. A jump that the compiler added behind
// the statements of list has a place without width.
func (s *builder) jumpPos(from, b *lift.Block, list []pyast.Stmt) pyast.Pos {
	t := jumpTo(from, b)
	switch {
	case t == nil:
	case s.ownPlace(t):
		return t.Pos()
	case len(list) > 0 && lastLine(list[len(list)-1]) == t.Line && !lift.IsMarker(list[len(list)-1]):
		return pyast.Pos{Line: t.Line, Col: 1, EndLine: t.Line, EndCol: 1}
	}
	return pyast.Pos{}
}

func jumpTo(from, b *lift.Block) *lift.Term {
	switch {
	case from != nil && from.Term.Jump && b.Term.Kind == lift.Goto && !b.Term.Jump:
		return &from.Term // b is where it leads
	case len(b.Stmts) == 0 && b.Term.Kind == lift.Goto:
		return &b.Term
	case from != nil:
		return &from.Term
	}
	return nil
}

// writtenContinue reports whether the jump to the loop's head, from the list's
// end, is a `continue` of the source: it has its own place there.
func (s *builder) writtenContinue(from, b *lift.Block, list []pyast.Stmt) bool {
	p := s.jumpPos(from, b, list)
	if p.Col > 0 {
		return p.EndLine == p.Line && p.EndCol-p.Col == len("continue")
	}
	if t := jumpTo(from, b); len(list) == 0 || t == nil || !t.Jump {
		return false
	}
	switch list[len(list)-1].(type) {
	case *pyast.For, *pyast.While:
		return false // perhaps its `break`
	}
	line := lastLine(list[len(list)-1])
	return p.Line > line || p.Line == line && continuesAt(list, line)
}

// continuesAt reports whether the list ends with a copy of the `continue` that
// stands on the line.
func continuesAt(list []pyast.Stmt, line int) bool {
	if len(list) == 0 {
		return false
	}
	switch n := list[len(list)-1].(type) {
	case *pyast.Continue:
		return n.Line == line
	case *pyast.If:
		return continuesAt(n.Body, line) || continuesAt(n.OrElse, line)
	}
	return false
}

// ownPlace reports whether a jump or return stands at a place of its own. One
// that the compiler added bears that of the instruction in front of it.
func (s *builder) ownPlace(t *lift.Term) bool {
	instrs := s.g.CFG.Func.Instrs
	line := 0
	if t.Col > 0 && t.EndCol == 0 {
		return t.Kind == lift.Return // of more lines than one: a value, or a whole `with`
	}
	before := s.g.CFG.Func.Index(t.Offset)
	if t.Col <= 0 {
		if before == len(instrs) {
			return true
		}
		if before > 0 {
			line = int(instrs[before-1].Pos.Line)
		}
		return line < t.Line
	}
	for i := range s.samePlace(t.Line, t.Col, t.EndCol) {
		if i >= before {
			break
		}
		// What the statement does on its way out bears its place too.
		switch op := instrs[i].Op; op {
		case opcode.LoadConst, opcode.PopExcept, opcode.Swap, opcode.Pop, opcode.Nop, opcode.Jump, opcode.Return:
		default:
			clears := op.Stores() && i+1 < len(instrs) && instrs[i+1].Op.Deletes() // `except E as e`
			if !op.Deletes() && !clears {
				return false
			}
		}
	}
	return true
}

// reraise stands for the end of a handler that lets the exception pass.
type reraise struct{ pyast.Pass }

// branch writes an `if` and returns where to continue, nil when nowhere.
func (s *builder) branch(b *lift.Block, c ctx) ([]pyast.Stmt, *lift.Block) {
	cond := b.Term.Cond
	then, els := b.True, b.False
	// The arm that follows in the layout is the one written first. A case's body follows its
	// pattern, wherever the last of the alternatives leaves it.
	if s.before(els, then, b) && !lift.HasCase(cond) {
		then, els = els, then
		cond = lift.Not(cond)
	}
	if s.thru(then) == s.thru(els) {
		node := &pyast.If{Pos: pyast.At(b.Term.Line, b.Term.Offset), Test: cond, Body: []pyast.Stmt{&pyast.Pass{}}}
		return []pyast.Stmt{node}, then
	}
	if !lift.HasCase(cond) && !s.g.CFG.Func.Code.Version.HasLoopBlocks() && s.g.CFG.Choices.Either(firstTurn, b.Term.Offset, s.brokenTurn(b, els, c)) {
		node := &pyast.While{Pos: pyast.At(b.Term.Line, b.Term.Offset), Test: cond}
		node.Body = s.build(then, ctx{fall: noBlock, brk: els, exc: c.exc, busy: c.busy, stop: c.stop})
		return []pyast.Stmt{node}, els
	}
	join, joined := s.join(b, then, els, c)
	if s.choosing() {
		join = s.place(armsMeet, b, join, c, func() map[*lift.Block]bool { return intersect(s.reach(s.thru(then), c), s.reach(s.thru(els), c)) })
		joined = join != nil
	}
	node := &pyast.If{Pos: pyast.At(b.Term.Line, b.Term.Offset), Test: cond}
	inner := c
	if joined {
		inner.fall = join
	}
	if jump := s.plainJump(then, c); jump != nil && then != join && !s.at(els, c.fall) {
		// The source jumps here by a statement of its own: `if c: continue`.
		node.Body = []pyast.Stmt{jump}
		return []pyast.Stmt{node}, els
	}
	if joined && s.at(then, join) {
		// Only the other arm does something.
		if then != join {
			node.Body = []pyast.Stmt{&pyast.Pass{}} // it is there, to jump over the other
			node.OrElse = s.build(els, inner)
			return []pyast.Stmt{node}, join
		}
		node.Test = lift.Not(cond)
		node.Body = s.build(els, inner)
		return []pyast.Stmt{node}, join
	}
	node.Body = s.build(then, inner)
	if joined && join == c.fall && !completes(node.Body) {
		if _, over := s.deadJump(els); !over {
			return []pyast.Stmt{node}, els // it ends with a `continue` of its own
		}
	}
	if joined {
		if !s.at(els, join) {
			node.OrElse = s.build(els, inner)
		}
		return []pyast.Stmt{node}, join
	}
	// No common way out: one arm at least never comes out, so the other needs
	// no `else`.
	if !completes(node.Body) && !s.seemsToComplete(then, c) {
		if end, ok := s.deadJump(els); ok {
			if end != nil && s.reach(els, c)[s.thru(end)] {
				inner.fall = end
				node.OrElse = s.build(els, inner)
				return []pyast.Stmt{node}, end
			}
			node.OrElse = s.build(els, inner)
			return []pyast.Stmt{node}, nil
		}
		return []pyast.Stmt{node}, els
	}
	node.OrElse = s.build(els, inner)
	return []pyast.Stmt{node}, nil
}

// deadJump finds the jump over an else clause that the compiler leaves behind a
// body which does not come out (until 3.9), and where it leads:
//
//	RAISE_VARARGS 1       if a:
//	JUMP_FORWARD end          raise b
//	...                   else: ...
func (s *builder) deadJump(els *lift.Block) (end *lift.Block, ok bool) {
	if s.g.CFG.Func.Code.Version.DeadCodeRemoved() || els.Src == nil || len(els.Src.Instrs) == 0 {
		return nil, false
	}
	instrs := s.g.CFG.Func.Instrs
	i := s.g.CFG.Func.Index(els.Src.Instrs[0].Offset) - 1
	if i < 1 || instrs[i].Op != opcode.Jump || instrs[i].Target <= i || s.targeted(i) {
		return nil, false
	}
	switch op := instrs[i-1].Op; {
	case op.Exits(), op == opcode.Jump, op == opcode.BreakLoop, op == opcode.ContinueLoop:
	case op == opcode.EndFinally: // of a try statement that does not come out
	default:
		return nil, false
	}
	if b := s.blockAt(instrs[instrs[i].Target].Offset); b != nil {
		lb := s.g.Of(b)
		for n := 0; lb != nil && lb.Into != nil && n < 100; n++ {
			lb = lb.Into
		}
		return lb, true
	}
	return nil, true
}

// plainJump returns the statement for a block that only jumps to where falling
// off the end leads as well: `continue` or `return`.
func (s *builder) plainJump(b *lift.Block, c ctx) pyast.Stmt {
	if b == s.end || len(b.Stmts) > 0 || b.Term.Kind != lift.Goto || s.heads[b] || !s.at(b, c.fall) {
		return nil
	}
	switch {
	case s.at(b, c.cont):
		return &pyast.Continue{Pos: s.jumpPos(nil, b, nil)}
	case s.thru(b) == s.end && s.g.CFG.Func.Code.IsFunction():
		return &pyast.Return{Pos: s.jumpPos(nil, b, nil)}
	}
	return nil
}

// before reports whether x comes before y in the layout, seen from b: blocks
// behind b first, in order, then those before it.
func (s *builder) before(x, y, b *lift.Block) bool {
	key := func(z *lift.Block) int {
		if z.ID > b.ID {
			return z.ID
		}
		return z.ID + 1<<28
	}
	return key(x) < key(y)
}

// join finds where the two arms meet. When one of them never comes out there
// is nothing to join.
func (s *builder) join(b, x, y *lift.Block, c ctx) (*lift.Block, bool) {
	if j := s.matchEnd(b, c); j != nil {
		return j, true
	}
	switch {
	case s.oneBreak(x, y, c):
		return y, true
	case s.oneBreak(y, x, c):
		return x, true
	}
	x, y = s.thru(x), s.thru(y)
	if j := s.quickJoin(b, x, y, c); j != nil {
		return j, true
	}
	rx, ry := s.reach(x, c), s.reach(y, c)
	if rx[y] && !s.ctxBlock(y, c) && !s.passesBy(x, y, c) {
		return y, true
	}
	if ry[x] && !s.ctxBlock(x, c) && !s.passesBy(y, x, c) {
		return x, true
	}
	both := intersect(rx, ry)
	if j := s.meet(x, y, both, c); j != nil && !s.passesBy(x, j, c) && !s.passesBy(y, j, c) {
		return j, true
	}
	for b := range both {
		if s.at(b, c.fall) {
			return c.fall, true
		}
	}
	return nil, false
}

// passesBy reports whether a way from the arm falls to the end of the statements that are being written, and none from e does,
// where other ways of the arm lead: what stands at e is no code behind both arms but a jump that one of them takes, too.
//
//	try:
//	    if a: continue
//	    if b: c; continue
//	finally: d
func (s *builder) passesBy(arm, e *lift.Block, c ctx) bool {
	falls := func(set map[*lift.Block]bool) bool {
		for b := range set {
			if s.fallsOn(b, c) {
				return true
			}
		}
		return false
	}
	return c.fall != nil && falls(s.reach(arm, c, e)) && !falls(s.reach(e, c))
}

// oneBreak reports whether e, the other side of a test, is the one `break` behind what the arm does.
func (s *builder) oneBreak(arm, e *lift.Block, c ctx) bool {
	to := s.thru(e)
	return to != e && s.at(to, c.brk) && !s.at(to, c.fall) && arm.Term.Kind == lift.Goto && arm.Next == e && len(arm.Stmts) > 0
}

// matchEnd finds what stands behind a match statement, of which b tests a case that is not the last: there the ways of the
// last one meet. Ways of b's own that lead elsewhere are jumps, for what stands there is no part of a case.
func (s *builder) matchEnd(b *lift.Block, c ctx) *lift.Block {
	id := s.matchOf(b)
	if id < 0 {
		return nil
	}
	for _, next := range []*lift.Block{b.False, b.True} {
		if next = s.thru(next); next == b || s.matchOf(next) != id || len(next.Stmts) > 0 || s.thru(next.True) == s.thru(next.False) {
			continue
		}
		if j, ok := s.join(next, next.True, next.False, c); ok && j != nil && j != s.end && !s.ctxBlock(j, c) {
			return j
		}
		return nil // looking on the other side, too, at each case would take exponential time
	}
	return nil
}

// matchOf is the number of the match statement of which b tests a case, else -1.
func (s *builder) matchOf(b *lift.Block) int {
	if b.Term.Kind == lift.Branch {
		if k, ok := lift.CaseOf(b.Term.Cond); ok && k < len(s.g.CFG.Cases) {
			return s.g.CFG.Cases[k].ID
		}
	}
	return -1
}

// seemsToComplete reports whether the compiler of 3.7 and 3.8 takes the code
// from b on for code that comes out though it never does: behind the last
// except clause it expects the exception that none has caught, and in 3.7 a
// `break` of every loop.
func (s *builder) seemsToComplete(b *lift.Block, c ctx) bool {
	if !s.g.CFG.Func.Code.Version.SharesFinallyBody() {
		return false
	}
	for x, more := range cfg.Walk(b) {
		if x == s.end || s.ctxBlock(x, c) {
			continue
		}
		if x.Term.Kind == lift.Reraise && x.Next != nil || x.Term.EndFinally || x.OpensLoop {
			return true
		}
		x.Succs(more)
		s.raisesTo(x, c.exc, more)
	}
	return false
}

// meet picks among the blocks that both arms reach the one where they meet. An
// exit that both may take on the way, such as a shared `return`, is none.
func (s *builder) meet(x, y *lift.Block, both map[*lift.Block]bool, c ctx) *lift.Block {
	var list []*lift.Block
	for b := range both {
		if !s.ctxBlock(b, c) && b != s.end {
			list = append(list, b)
		}
	}
	slices.SortFunc(list, s.byOrder)
	for i, j := range list {
		if i == 20 {
			break
		}
		if i == 0 && len(list) == 1 {
			return j
		}
		clean := true
		for b := range intersect(s.reach(x, c, j), s.reach(y, c, j)) {
			if b != j && !s.ctxBlock(b, c) && (b.Term.Kind != lift.Return && b.Term.Kind != lift.Raise && b != s.end) {
				clean = false
				break
			}
		}
		if clean {
			return j
		}
	}
	if len(list) > 0 {
		return list[0]
	}
	return nil
}

// completes reports whether control can come out at the end of the list.
func completes(list []pyast.Stmt) bool {
	if len(list) == 0 {
		return true
	}
	switch n := list[len(list)-1].(type) {
	case *pyast.Return, *pyast.Raise, *pyast.Break, *pyast.Continue, *reraise:
		return false
	case *pyast.If:
		return len(n.OrElse) == 0 || completes(n.Body) || completes(n.OrElse)
	case *pyast.With:
		return true
	case *pyast.While:
		if k, ok := n.Test.(*pyast.Constant); ok && lift.IsTrue(k) {
			return hasBreak(n.Body)
		}
	case *pyast.Try:
		if len(n.FinalBody) > 0 && !completes(n.FinalBody) {
			return false
		}
		if completes(n.Body) && (len(n.OrElse) == 0 || completes(n.OrElse)) {
			return true
		}
		for _, h := range n.Handlers {
			if completes(h.Body) {
				return true
			}
		}
		return false
	}
	return true
}

func hasBreak(list []pyast.Stmt) bool {
	found := false
	for _, st := range list {
		pyast.Inspect(st, func(n pyast.Node) bool {
			switch n.(type) {
			case *pyast.Break:
				found = true
			case *pyast.For, *pyast.While, *pyast.FunctionDef, *pyast.ClassDef:
				if n != pyast.Node(st) {
					return false
				}
				return false
			}
			return !found
		})
	}
	return found
}
