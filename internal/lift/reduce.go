package lift

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
)

// reduce folds the control flow that belongs to expressions - `and`, `or`,
// `not`, conditional expressions, comparison chains - back into expressions,
// and joins blocks that follow each other. Each rule replaces two or three
// blocks by one, so the loop ends.
func reduce(g *Graph) {
	r := reducer{g}
	r.forward()
	for {
		changed := false
		// From the end: inner operands are complete before outer ones look.
		for i := len(g.Blocks) - 1; i >= 0; i-- {
			b := g.Blocks[i]
			for !b.Gone && r.reduce(b) {
				changed = true
			}
		}
		for i := len(g.Blocks) - 1; i >= 0 && !changed; i-- {
			b := g.Blocks[i]
			changed = !b.Gone && (r.anyValue(b) || r.anyCondition(b))
		}
		if !changed {
			break
		}
		g.sweep()
	}
	g.sweep()
}

// forward leads past blocks that only hand on the value of an unfinished expression: of one that ends in two places,
// as a comparison chain does, the inner end may be such a block, and the outer one what it leads to.
//
//	a and b < c < d if e else f
func (r reducer) forward() {
	for _, b := range r.g.Blocks {
		to := landing(b)
		if to == b || isReturnTop(to) || b.entry || len(b.HandlerOf) > 0 || len(b.In) == 0 || b.In[len(b.In)-1].Kind != KExpr {
			continue
		}
		for _, p := range slices.Clone(b.Preds) {
			if p.Exc != b.Exc {
				continue
			}
			for _, edge := range []**Block{&p.Next, &p.True, &p.False} {
				if *edge == b {
					*edge = to
					unpred(b, p)
					to.Preds = append(to.Preds, p)
				}
			}
		}
		if len(b.Preds) == 0 {
			r.remove(b)
			unpred(b.Next, b)
		}
	}
}

// sweep drops merged blocks.
func (g *Graph) sweep() {
	kept := g.Blocks[:0]
	for _, b := range g.Blocks {
		if !b.Gone {
			kept = append(kept, b)
		}
	}
	g.Blocks = kept
	g.ComputePreds()
}

type reducer struct {
	g *Graph
}

func (r reducer) reduce(a *Block) bool {
	switch a.Term.Kind {
	case Goto:
		return r.join(a) || r.returnThrough(a)
	case Branch:
		return r.decidedGuard(a) || r.decidedTest(a) || r.chain(a) || r.shortCircuit(a) || r.orPop(a) || r.ternary(a)
	}
	return false
}

// own reports whether b is reached from a alone and is protected alike.
func own(a, b *Block) bool {
	return b != nil && b != a && b.lifted && len(b.Preds) == 1 && b.Preds[0] == a && !b.entry && len(b.HandlerOf) == 0 && sameExc(a, b)
}

// sameExc reports whether b's instructions may be treated as protected like
// a's. An instruction that cannot raise has no protection to speak of: 3.11+
// leaves the RETURN_VALUE of `return f()` outside the table's range. A test
// that cannot raise (`x is None`) begins the statement behind.
func sameExc(a, b *Block) bool {
	return a.Exc == b.Exc || b.Term.Kind != Branch && b.quiet()
}

// quiet reports whether no instruction of the block can raise.
func (b *Block) quiet() bool {
	if b.Src == nil || b.loud {
		return false
	}
	for i := range b.Src.Instrs {
		if Raises(&b.Src.Instrs[i]) {
			return false
		}
	}
	return true
}

// Raises reports whether an instruction can raise an exception or run code.
func Raises(in *bytecode.Instr) bool {
	if in.Op == opcode.LoadFast {
		return in.Arg == 1
	}
	return !in.Op.Silent()
}

// join appends the only successor of a to a.
func (r reducer) join(a *Block) bool {
	b := a.Next
	if !r.joinable(a, b) {
		return false
	}
	var u uses
	if pending(a.Out) {
		u = b.uses()
	}
	exits := onlyExits(b.Stmts) // what `return f(x)` computes in a with block, it returns behind
	for k, v := range a.Out {
		if v.Kind != KExpr || v == nil {
			continue
		}
		if isSlot(v.E) || Simple(v.E) && !r.stored(v.E, b) {
			continue
		}
		n := u.first[k] + u.later[k] + u.tail[k]
		if u.later[k] > 0 || n > 1 || n == 1 && u.first[k] == 0 && !exits || n == 0 && len(b.Stmts) > 0 && !v.used {
			r.spill(a, k)
		}
	}
	b.substitute(a.Out)
	a.loud = a.loud || !b.quiet()
	for _, t := range b.bound {
		a.bound = append(a.bound, bound{t.Bind, len(a.Stmts) + t.behind})
	}
	a.result = b.result
	a.Stmts = append(a.Stmts, dropDead(b.Stmts)...)
	a.Out, a.Term = b.Out, b.Term
	a.Next, a.True, a.False = b.Next, b.True, b.False
	a.OpensLoop = a.OpensLoop || b.OpensLoop
	if a.ClauseEnd == nil {
		a.ClauseEnd = b.ClauseEnd
	}
	if b.Src != nil && a.Src != nil && b.Exc != a.Exc && len(a.Src.Instrs) == 0 {
		a.Exc = b.Exc
	}
	r.remove(b)
	b.Into = a
	r.repred(a, b)
	return true
}

// joinable reports whether a and b, which it alone leads to, are one block: nothing begins, ends or is told
// by there being two.
func (r reducer) joinable(a, b *Block) bool {
	if !own(a, b) || len(a.Out) != len(b.In) || a.Term.EndFinally || a.Term.EndBody != nil || a.Term.EndExcept {
		return false
	}
	if a.Exc != b.Exc {
		switch {
		case len(b.Stmts) > 0, len(a.Stmts) > 0 && IsMarker(a.Stmts[len(a.Stmts)-1]), b.Term.Kind == Return && r.loadsOutside(b):
			return false
		case b.Term.EndBody != nil || b.OpensBody || len(b.bound) > 0:
			return false // an empty body is a body, and so is `return`, and what only binds the target of a with statement
		}
	}
	// A jump is perhaps a `break`: what follows is another place, unless it is part of an expression.
	return !a.Term.Jump || pending(a.Out) || pending(b.Out) && !a.Term.Break
}

// onlyExits reports whether the statements are no more than normal ways out of with
// blocks.
func onlyExits(list []pyast.Stmt) bool {
	for _, s := range list {
		if m, ok := s.(*Marker); !ok || m.Kind != MarkWithExit {
			return false
		}
	}
	return true
}

// loadsOutside reports whether b, which a protected statement's body leads to,
// is a return of its own. One in the body computes its value there and leaves it
// then; constants are loaded outside all the same.
func (r reducer) loadsOutside(b *Block) bool {
	if !r.g.CFG.Func.Code.Version.HasExceptionTable() {
		return false
	}
	switch v := b.Term.Value.(type) {
	case nil, *pyast.Constant:
		return false
	default:
		_, waits := slotOf(v)
		return !waits
	}
}

// pending reports whether a value of an unfinished expression is on the stack.
func pending(stack []*Value) bool {
	return slices.ContainsFunc(stack, func(v *Value) bool { return v.Kind == KExpr })
}

// dropDead removes expression statements that a dropped placeholder left and
// that turned out to have no effect.
func dropDead(list []pyast.Stmt) []pyast.Stmt {
	out := list[:0]
	for _, s := range list {
		if e, ok := s.(*pyast.ExprStmt); ok {
			if e.Offset == dropMark && !isSlot(e.Value) && Simple(e.Value) {
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// stored reports whether b stores a variable that e reads.
func (r reducer) stored(e pyast.Expr, b *Block) bool {
	if _, ok := e.(*pyast.Constant); ok {
		return false
	}
	if b.Src == nil {
		return true
	}
	for i := range b.Src.Instrs {
		if in := &b.Src.Instrs[i]; (in.Op.Stores() || in.Op.Deletes()) && mentions(e, in.Name) {
			return true
		}
	}
	return false
}

// spill stores the exit value k of a in a temporary.
func (r reducer) spill(a *Block, k int) {
	v := a.Out[k]
	t := r.g.NewTemp()
	a.assign(t, v.assigning(), v.Line)
	a.replaceOut(v, exprValue(pyast.N(t)))
}

func (r reducer) remove(b *Block) { b.Gone = true }

// repred makes a the predecessor wherever b was.
func (r reducer) repred(a, b *Block) {
	a.Succs(func(s *Block) {
		for i, p := range s.Preds {
			if p == b {
				s.Preds[i] = a
			}
		}
	})
}

// unpred removes one edge from b to s.
func unpred(s, b *Block) {
	for i, p := range s.Preds {
		if p == b {
			s.Preds = append(s.Preds[:i], s.Preds[i+1:]...)
			return
		}
	}
}

// leaveAlone removes one edge from b to s, and s where that was the last way to
// it: a block that only jumps, between a test and what it leads to.
func (r reducer) leaveAlone(s, b *Block) {
	unpred(s, b)
	if len(s.Preds) > 0 || s.entry || len(s.HandlerOf) > 0 || s.Gone {
		return
	}
	r.remove(s)
	s.Succs(func(x *Block) { r.leaveAlone(x, s) })
}

// pure reports whether b only computes: no statements, the entry stack intact.
func (b *Block) pure(push int) bool {
	return len(b.Stmts) == 0 && len(b.group) == 0 && b.keeps(push)
}

// keeps reports whether b leaves its entry stack as it was, with so many values on top.
func (b *Block) keeps(push int) bool {
	if len(b.Out) != len(b.In)+push {
		return false
	}
	for k := range b.In {
		if b.Out[k] != b.In[k] {
			return false
		}
	}
	return true
}

// isReturnTop reports whether j only returns the value on top of its entry stack.
func isReturnTop(j *Block) bool {
	if j == nil || len(j.Stmts) > 0 || j.Term.Kind != Return || j.Term.Value == nil || len(j.In) == 0 {
		return false
	}
	k, ok := slotOf(j.Term.Value)
	return ok && k == len(j.In)-1
}

// push is a value that a block adds to the stack, and where it goes on.
type push struct {
	e  pyast.Expr
	at int // below the values that were on top of it, if it was moved since
	to *Block
}

// pushed returns the value that b, reached from a alone, adds to the stack on
// its way to j; j nil asks for any target. A block that returns its value
// counts as one that goes to a block that returns the top of the stack.
func pushed(a, b, j *Block) (push, bool) {
	if !own(a, b) {
		return push{}, false
	}
	if b.Term.Kind == Goto && len(b.Stmts) == 0 && len(b.group) == 0 && len(b.Out) == len(b.In)+1 {
		at := 0
		for at < len(b.In) && b.Out[at] == b.In[at] {
			at++
		}
		v := b.Out[at]
		if !slices.Equal(b.Out[at+1:], b.In[at:]) || v.Kind != KExpr || v.Aug() != nil || j != nil && b.Next != j {
			return push{}, false
		}
		return push{v.assigning(), at, b.Next}, true
	}
	if b.Term.Kind == Return && b.Term.Value != nil && len(b.Stmts) == 0 && j != nil && isReturnTop(j) {
		return push{b.Term.Value, len(b.In), j}, true
	}
	return push{}, false
}

// setGoto makes a push e where p pushes, and continue there.
func (r reducer) setGoto(a *Block, e pyast.Expr, p push, gone ...*Block) {
	p.to.Preds = append(p.to.Preds, a)
	for _, b := range gone {
		a.loud = a.loud || !b.quiet()
		r.remove(b)
	}
	for _, b := range append(gone, a) {
		b.Succs(func(s *Block) { r.leaveAlone(s, b) })
	}
	v := exprValue(e)
	v.Line = a.Term.Line
	a.Out = slices.Insert(slices.Clone(a.Out), p.at, v)
	line, off := a.Term.Line, a.Term.Offset
	a.Term = Term{Kind: Goto, Line: line, Offset: off}
	a.Next, a.True, a.False = p.to, nil, nil
}

// ternary folds `v if c else w`, as a value or as a condition.
func (r reducer) ternary(a *Block) bool {
	t := &a.Term
	if HasCase(t.Cond) {
		return false
	}
	if t.KeepTrue || t.KeepFalse || a.True == a.False {
		return false
	}
	b, c := a.True, a.False
	if v, w, ok := pushedBoth(a, b, c); ok {
		r.setGoto(a, ifExp(t.Cond, v.e, w.e), v, b, c)
		return true
	}
	if !own(a, b) || !own(a, c) {
		return false
	}
	if len(b.Stmts) > 0 || len(c.Stmts) > 0 {
		return r.armCopies(a, b, c)
	}
	return r.returnArms(a, b, c) || r.testArms(a, b, c) || r.decidedArm(a, b, c)
}

// returnArms folds arms that both return on the line of the test, or in one statement that holds the test: `return v if c else w`.
func (r reducer) returnArms(a, b, c *Block) bool {
	t := a.Term
	if b.Term.Kind != Return || c.Term.Kind != Return || b.Term.Value == nil || c.Term.Value == nil || !r.g.CFG.Func.Code.IsFunction() {
		return false
	}
	if IsNone(b.Term.Value) && IsNone(c.Term.Value) && len(slotsOf(b)) == 0 {
		return false // the function ends either way
	}
	oneLine := t.Line > 0 && t.Line == b.Term.Line && t.Line == c.Term.Line
	if one := b.Term.At == c.Term.At && t.At.Within(b.Term.At); !oneLine && !one && len(slotsOf(b)) == 0 {
		return false
	}
	e := mergeArms(t.Cond, b.Term.Value, c.Term.Value)
	a.Succs(func(s *Block) { unpred(s, a) })
	tmp := &Block{Term: Term{Kind: Return, Value: e, Line: t.Line, Offset: t.Offset, Col: b.Term.Col}, In: b.In}
	tmp.substitute(a.Out)
	a.Term, a.Out = tmp.Term, nil
	a.Next, a.True, a.False = nil, nil, nil
	r.remove(b)
	r.remove(c)
	return true
}

// testArms folds arms that are tests with the same two outcomes: `v if c else w` as a condition.
func (r reducer) testArms(a, b, c *Block) bool {
	if b.Term.Kind != Branch || c.Term.Kind != Branch || !b.pure(0) || !c.pure(0) || !inOneTest(a, b) {
		return false
	}
	t := &a.Term
	if meetOnce(b, c) && r.shareExit(b, c, true) {
		t.madeOf(&b.Term, &c.Term) // the exit is that of both
	}
	keeps := b.Term.KeepTrue || b.Term.KeepFalse || c.Term.KeepTrue || c.Term.KeepFalse
	if !keeps && b.True != b.False && landing(b.True) != landing(b.False) && landing(b.True) == landing(c.False) && landing(b.False) == landing(c.True) {
		// `x if a else not y` as a condition: one arm is tested the other way.
		if trueSide(b.False, b.True, b) {
			b.flip()
		} else {
			c.flip()
		}
	}
	tr, fa := landing(b.True), landing(b.False)
	if tr != landing(c.True) || fa != landing(c.False) || b.Term.KeepTrue != c.Term.KeepTrue || b.Term.KeepFalse != c.Term.KeepFalse {
		return false
	}
	a.Succs(func(s *Block) { unpred(s, a) })
	t.Cond, t.KeepTrue, t.KeepFalse = ifExp(t.Cond, b.Term.Cond, c.Term.Cond), b.Term.KeepTrue, b.Term.KeepFalse
	tr.Preds = append(tr.Preds, a)
	fa.Preds = append(fa.Preds, a)
	for _, x := range []*Block{b, c} {
		r.remove(x)
		x.Succs(func(s *Block) { r.leaveAlone(s, x) })
	}
	a.True, a.False = tr, fa
	return true
}

// decidedArm folds a test of which one arm is a constant, which decides it: the compiler leaves a jump of it (to 3.11).
//
//	if 1 if a else b: body    →    b0: if a: b1 else b2 · b1: goto body · b2: if b: body else …
func (r reducer) decidedArm(a, b, c *Block) bool {
	jump, test := b, c
	if jump.Term.Kind == Branch {
		jump, test = c, b
	}
	if test.Term.Kind != Branch || test.Term.KeepTrue || test.Term.KeepFalse || !test.pure(0) ||
		jump.Term.Kind != Goto || len(jump.Stmts) > 0 || landing(jump) == jump {
		return false
	}
	switch line := testLine(a); { // the constant stands in front of the test, a statement that the test decides on behind
	case jump.Line <= 0 || jump.Line > line || testLine(test) < line, jump.Line == line && testLine(test) > line:
		return false
	}
	to := landing(jump)
	known := to == landing(test.True)
	if !known && to != landing(test.False) {
		return false
	}
	v, w := pyast.Expr(pyast.Bool(known)), test.Term.Cond
	if jump == c {
		v, w = w, v
	}
	a.Succs(func(s *Block) { unpred(s, a) })
	a.Term.Cond = &pyast.IfExp{Pos: *a.Term.Cond.Position(), Test: a.Term.Cond, Body: v, OrElse: w}
	a.True, a.False = test.True, test.False
	a.True.Preds = append(a.True.Preds, a)
	a.False.Preds = append(a.False.Preds, a)
	for _, x := range []*Block{jump, test} {
		r.remove(x)
		x.Succs(func(s *Block) { r.leaveAlone(s, x) })
	}
	return true
}

// pushedBoth returns what both arms of a's test push on their way to one place.
func pushedBoth(a, b, c *Block) (v, w push, ok bool) {
	if v, ok = pushed(a, b, nil); ok {
		w, ok = pushed(a, c, v.to)
	}
	if !ok {
		if w, ok = pushed(a, c, nil); ok {
			v, ok = pushed(a, b, w.to)
		}
	}
	return v, w, ok && v.at == w.at
}

// landing follows blocks that only jump. POP_BLOCK and BREAK_LOOP are more: they tell the failing test of a
// while loop, and what stands in its body, from what stands behind.
func landing(b *Block) *Block {
	for n := 0; n < 20 && b.Next != nil && b.Next != b && b.Term.Kind == Goto && len(b.Stmts) == 0 && len(b.In) == len(b.Out) &&
		b.Term.EndBody == nil && !b.Term.EndExcept && !b.Term.EndFinally && b.pure(0); n++ {
		if b.Next.Exc != b.Exc || b.popsBlock() {
			break
		}
		b = b.Next
	}
	return b
}

// popsBlock reports whether b takes an entry off the block stack (≤3.10).
func (b *Block) popsBlock() bool {
	return b.Src != nil && slices.ContainsFunc(b.Src.Instrs, func(in bytecode.Instr) bool {
		return in.Op == opcode.PopBlock || in.Op == opcode.BreakLoop
	})
}

func slotsOf(b *Block) map[int]int {
	m := map[int]int{}
	countSlots(b.Term.Value, m)
	return m
}

// ifExp is `v if c else w`, or `w if not c else v` where the code computes w first: the
// arm that is written first is compiled first. Of two starred items it is a choice under one star.
func ifExp(c, v, w pyast.Expr) pyast.Expr {
	if p, ok := v.(*pyast.Starred); ok {
		if q, ok := w.(*pyast.Starred); ok {
			return &pyast.Starred{Pos: p.Pos, Value: ifExp(c, p.Value, q.Value)}
		}
	}
	if p, q := firstOffset(v), firstOffset(w); p > q && q > 0 {
		c, v, w = not(c), w, v
	}
	e := &pyast.IfExp{Test: c, Body: v, OrElse: w}
	span(e, v, w)
	e.Line = c.Position().Line
	return e
}

// firstOffset is where the code begins to compute e, or 0 where that is not known.
func firstOffset(e pyast.Expr) int {
	first := 0
	pyast.Inspect(e, func(n pyast.Node) bool {
		if o := n.Position().Offset; o > 0 && (first == 0 || o < first) {
			first = o
		}
		switch n.(type) {
		case *pyast.Lambda, *pyast.ListComp, *pyast.SetComp, *pyast.DictComp, *pyast.GeneratorExp:
			return false // most of it has code of its own
		}
		return true
	})
	return first
}

// shortCircuit folds a second test that only the first one's outcome reaches
// and that shares one of its targets.
func (r reducer) shortCircuit(a *Block) bool {
	t := &a.Term
	if t.KeepTrue || t.KeepFalse || a.True == a.False {
		return false
	}
	if c, ok := t.Cond.(*pyast.Compare); ok && isSlot(c.Left) {
		return false // the second link of a chain: it joins the first one first
	}
	if HasCase(t.Cond) {
		return r.guard(a, a.True)
	}
	second := func(b *Block) bool {
		return own(a, b) && b.Term.Kind == Branch && b.pure(0) && !HasCase(b.Term.Cond)
	}
	for _, b := range []*Block{a.True, a.False} {
		if second(b) && !b.Term.KeepTrue && !b.Term.KeepFalse {
			_ = r.shareExit(a, b, false) || r.shareJump(a, b)
		}
	}
	for _, side := range []struct {
		b, exit *Block
		op      pyast.BoolOpKind
	}{{a.True, a.False, pyast.And}, {a.False, a.True, pyast.Or}} {
		if second(side.b) && r.oneTest(a, side.b) && r.second(a, side.b, side.exit, side.op) {
			return true
		}
	}
	return false
}

// second folds the test b, which one outcome of a leads to, where one outcome of b goes to the exit, as the other outcome
// of a does: `a and b`, `a or b`, or with one of them inverted.
func (r reducer) second(a, b, exit *Block, op pyast.BoolOpKind) bool {
	same, other, keepSame, keepOther, inverse := b.False, b.True, b.Term.KeepFalse, b.Term.KeepTrue, pyast.Or
	if op == pyast.Or {
		same, other, keepSame, keepOther, inverse = other, same, keepOther, keepSame, pyast.And
	}
	switch {
	case same == exit && !keepSame:
		return r.fold(a, b, r.boolOp(op, a, a.Term.Cond, b.Term.Cond))
	case other == exit && trueSide(b.False, b.True, b):
		b.flip()
		return r.fold(a, b, r.boolOp(op, a, a.Term.Cond, b.Term.Cond))
	case other == exit && !keepOther:
		return r.fold(a, b, r.boolOp(inverse, a, not(a.Term.Cond), b.Term.Cond))
	}
	return false
}

// shareExit lets two tests in a row lead to one block where they lead to copies
// of one exit (3.10+): a block without instructions stands for each copy. Of tests that
// are known to belong to one expression the copies may have been joined with others.
func (r reducer) shareExit(a, b *Block, one bool) bool {
	for _, x := range []**Block{&a.True, &a.False} {
		for _, y := range []**Block{&b.True, &b.False} {
			if *x == b || *x == *y || *y == a {
				continue
			}
			j := exitCopy(*y)
			implied := func() bool {
				return (impliedEnd(a, *x) || one && onLine(a, *x)) && (impliedEnd(b, j) || one && onLine(b, *y))
			}
			byLines := func() bool { return endOnLine(a, *x) && endOnLine(b, j) && r.ofOneLoop(a, b) }
			if j == exitCopy(*x) || implied() || byLines() {
				r.redirect(a, x, j)
				r.redirect(b, y, j)
				return true
			}
		}
	}
	return false
}

// shareJump lets two tests on one line lead to one block that only jumps, where the compiler
// has led the first past it, to where it jumps: of `if a or b: continue` the second test has
// the `continue` behind it.
func (r reducer) shareJump(a, b *Block) bool {
	if a.Term.Line != b.Term.Line || a.Term.Line == 0 {
		return false
	}
	for _, x := range []**Block{&a.True, &a.False} {
		for _, y := range []*Block{b.True, b.False} {
			if *x == y {
				return false // they share an exit as it is
			}
		}
	}
	for _, x := range []**Block{&a.True, &a.False} {
		for _, y := range []*Block{b.True, b.False} {
			if *x != b && y != a && y.Next != nil && landing(y) == landing(*x) && y.Term.Kind == Goto && y.jumps() && len(y.Stmts) == 0 && y.pure(0) && y.Exc == a.Exc && len(y.HandlerOf) == 0 {
				r.redirect(a, x, y)
				return true
			}
		}
	}
	return false
}

// jumps reports whether b ends with a jump, even if it is over nothing: the code of `1` in `a if b else 1`
// as a test is no code (until 3.9).
func (b *Block) jumps() bool {
	return b.Term.Jump || b.Src != nil && b.Src.Last() != nil && b.Src.Last().Op == opcode.Jump
}

// impliedEnd reports whether x is the end of the function as the compiler puts it
// behind the test that ends p (3.11+): `return None` at the place of the test.
func impliedEnd(p, x *Block) bool {
	t, u := &p.Term, &x.Term
	return x.returnsNothing() && u.At.Col > 0 && u.At.EndCol > 0 && t.standsAt(u.At) && !x.entry && len(x.HandlerOf) == 0 && x.Exc == p.Exc
}

// returnsNothing reports whether all that b does is `return None`.
func (b *Block) returnsNothing() bool {
	return b.Term.Kind == Return && len(b.Stmts) == 0 && IsNone(b.Term.Value)
}

// ofOneLoop reports whether a and b are the test of one loop, which the copies at its end show, where no columns do (3.10).
func (r reducer) ofOneLoop(a, b *Block) bool {
	return !r.g.CFG.Func.Code.Version.HasColumns() && r.repeated(a, b) && r.whileTest(a)
}

// endOnLine reports whether x is, or stands for a copy of, the end of the function on the line of a test that has been made
// one with that of p: each jump there gives it its line (3.10).
func endOnLine(p, x *Block) bool {
	end := exitCopy(x)
	at := end.Term.At
	if !end.returnsNothing() || at.Line <= 0 || end.entry || len(end.HandlerOf) > 0 || end.Exc != p.Exc {
		return false
	}
	same := func(test bytecode.Pos) bool { return test.Line == at.Line }
	return same(p.Term.At) || slices.ContainsFunc(p.Term.Earlier, same)
}

// onLine reports whether x stands for a copy of such an end that has been joined with
// that of another test on the line.
func onLine(p, x *Block) bool {
	if !x.isExitCopy() {
		return false
	}
	end := exitCopy(x)
	t, u := &p.Term, &end.Term
	return end.returnsNothing() && t.At.Col > 0 && u.At.Line == t.At.Line
}

// exitCopy returns the exit that b is a copy of, perhaps of a copy, or b.
func exitCopy(b *Block) *Block {
	for n := 0; n < 100 && b.isExitCopy(); n++ { // bounded: garbage goes in circles
		b = b.Next
	}
	return b
}

// isExitCopy reports whether b stands for a copy of the exit that it leads to.
func (b *Block) isExitCopy() bool {
	return b.Src != nil && len(b.Src.Instrs) == 0 && len(b.Stmts) == 0 && b.Term.Kind == Goto && b.Next != nil && b.pure(0) &&
		b.Next.Exc == b.Exc && b.Term.EndBody == nil && !b.Term.EndExcept && !b.Term.EndFinally && !b.entry && len(b.HandlerOf) == 0
}

// redirect lets an edge of p lead to j, past the block that it leads to now.
func (r reducer) redirect(p *Block, edge **Block, j *Block) {
	old := *edge
	if old == j {
		return
	}
	unpred(old, p)
	*edge = j
	j.Preds = append(j.Preds, p)
	if len(old.Preds) == 0 {
		old.Succs(func(s *Block) { unpred(s, old) })
		r.remove(old)
	}
}

// isGuard reports whether the test b behind the case test a belongs to the case.
// While there are more cases, only a guard finds the subject on the stack;
// behind the last one, a guard stands on the line where the pattern ends.
func (r reducer) isGuard(a, b *Block) bool {
	if n := len(b.In); n > 0 && b.In[n-1].Kind == KSubject {
		return true
	}
	if a.Term.Line == 0 || b.Term.Line == a.Term.Line {
		return true
	}
	k, ok := CaseOf(a.Term.Cond)
	return ok && b.Term.Line > a.Term.Line && b.Term.Line <= r.g.CFG.Cases[k].EndLine
}

// meetOnce reports whether one way out of b and one of c lead to the same place.
func meetOnce(b, c *Block) bool {
	n := 0
	for _, x := range []*Block{b.True, b.False} {
		for _, y := range []*Block{c.True, c.False} {
			if landing(x) == landing(y) {
				n++
			}
		}
	}
	return n == 1
}

// inOneTest reports whether b's test, which a's decides on, can belong to the expression
// that a's is in: `b if a else c`. A statement that a's test is to decide on has a later line.
func inOneTest(a, b *Block) bool { return testLine(b) <= testLine(a) }

// testLine is the line of what b tests. Its jump may have that of something else: in a
// comprehension of 3.13 it is the element's.
func testLine(b *Block) int {
	if l := b.Term.Cond.Position().Line; l > 0 {
		return l
	}
	return b.Term.Line
}

// trueSide reports whether x, not y, is where the condition that b ends goes
// when it is true. Both readings mean the same; the source's is the one that
// goes on with the rest of the condition, or with the body that follows.
//
//	if a and (b or not c) or d: body      c true → d; c false → body
func trueSide(x, y, b *Block) bool {
	if b.Term.KeepTrue || b.Term.KeepFalse {
		return y == b.False
	}
	switch {
	case y.Term.Kind == Branch && len(y.Stmts) == 0 && y.True == x:
		return true
	case y.Term.Kind == Branch && len(y.Stmts) == 0 && y.False == x:
		return false
	case x.Term.Kind == Branch && len(x.Stmts) == 0 && x.True == y:
		return false
	case x.Term.Kind == Branch && len(x.Stmts) == 0 && x.False == y:
		return true
	}
	if (x.ID > b.ID) != (y.ID > b.ID) {
		return x.ID > b.ID
	}
	return x.ID < y.ID
}

// flip negates a test.
func (b *Block) flip() {
	b.Term.Cond = not(b.Term.Cond)
	b.True, b.False = b.False, b.True
}

// oneTest reports whether two tests belong to one condition. `while a: if b:
// break` has the graph of `while a and not b`: a loop's test keeps to its line.
func (r reducer) oneTest(a, b *Block) bool {
	if isExcTest(a.Term.Cond) || isExcTest(b.Term.Cond) {
		return false
	}
	return r.g.CFG.Choices.Either(joinedTests, b.Term.Offset, r.seemsOneTest(a, b))
}

func (r reducer) seemsOneTest(a, b *Block) bool {
	if a.Term.Line == b.Term.Line || a.Term.Line == 0 || b.Term.Line == 0 {
		return true
	}
	if b.Term.KeepTrue || b.Term.KeepFalse {
		return true
	}
	if both, known := r.inAssert(a, b); known {
		return both
	}
	if r.whileTest(a) && r.repeated(a, b) {
		return true
	}
	if !r.g.CFG.Func.Code.Version.HasColumns() && (otherwiseMade(a.onward(b)) || firstOfSeveral(a)) {
		return true
	}
	if r.nestedIf(a, b) {
		return false
	}
	switch v := r.g.CFG.Func.Code.Version; {
	case v.HasLoopBlocks():
		return true // `break` has an instruction of its own
	case v.LoopTestDuplicated():
		// What the test at the end of the loop has a copy of is no test of the body.
		return len(a.Stmts) > 0 || !r.loopHead(a) || r.testsAt(a.Term.Offset) == r.testsAt(b.Term.Offset)
	case v.HasColumns():
		return !r.decidesOnBreak(b) // of `if b: … else: break` the columns have told
	}
	return len(a.Stmts) > 0 || !r.loopHead(a)
}

// whileTest reports whether the test that ends a is one of a `while`. From 3.10 to 3.13 a copy of it stands at the loop's end:
// nothing but tests is between it and a jump back. A finally body has copies, too, but statements in it.
func (r reducer) whileTest(a *Block) bool {
	if !r.g.CFG.Func.Code.Version.LoopTestDuplicated() {
		return r.loopHead(a)
	}
	all := r.g.CFG.Func.Instrs
	for _, k := range r.copies(a.Term.Offset) {
		for i := k; i < len(all) && all[i].Op != opcode.Pop && !all[i].Op.Stores(); i++ {
			if t := all[i].Target; t >= 0 && t <= i {
				return true
			} else if all[i].Op == opcode.Jump {
				break
			}
		}
	}
	return false
}

// repeated reports whether the test at the end of a loop has copies of both a and b, which
// makes them one test. That of `while a: if b: break` is a alone.
func (r reducer) repeated(a, b *Block) bool {
	if !r.g.CFG.Func.Code.Version.LoopTestDuplicated() {
		return false
	}
	n := r.testsAt(a.Term.Offset)
	return n > 1 && n == r.testsAt(b.Term.Offset)
}

// decidesOnBreak reports whether a `break` statement follows the test b (3.14+): what leads on
// has the place of one, as wide as the word.
func (r reducer) decidesOnBreak(b *Block) bool {
	all := r.g.CFG.Func.Instrs
	i := r.g.CFG.Func.Index(b.Term.Offset + 1)
	if i == 0 || !all[i-1].Op.Conditional() {
		return false
	}
	for i < len(all) && all[i].Op == opcode.Nop && all[i].Pos == all[i-1].Pos {
		i++ // NOT_TAKEN
	}
	if i == len(all) {
		return false
	}
	switch at := all[i].Pos; all[i].Op {
	case opcode.Jump, opcode.Reraise:
		return at.Line > b.Term.At.EndLine && at.Line == at.EndLine && at.EndCol-at.Col == int32(len("break"))
	}
	return false
}

// testsAt counts the copies of the test whose jump is at offset.
func (r reducer) testsAt(offset int) int { return len(r.copies(offset)) }

// tested is what stands in front of a conditional jump.
type tested struct {
	op   opcode.Op
	arg  int
	name string
	pos  bytecode.Pos
}

// copies gives the indices of the jumps that are copies of the one at offset, itself among them. Jumps of several tests may
// have one place (3.11), or no more than a line (3.10): what comes before them tells them apart.
func (r reducer) copies(offset int) []int {
	all := r.g.CFG.Func.Instrs
	i := r.g.CFG.Func.Index(offset)
	if i == 0 || i == len(all) || !all[i].Op.Conditional() {
		return nil
	}
	before := func(k int) tested { return tested{all[k-1].Op, all[k-1].Arg, all[k-1].Name, all[k-1].Pos} }
	if r.g.tests == nil {
		r.g.tests = map[tested][]int{}
		for k := 1; k < len(all); k++ {
			if all[k].Op.Conditional() {
				r.g.tests[before(k)] = append(r.g.tests[before(k)], k)
			}
		}
	}
	return r.g.tests[before(i)]
}

// IsExcTest reports whether e asks something of the running exception.
func IsExcTest(e pyast.Expr) bool { return isExcTest(e) }

// IsGroupTest reports whether e is the test of an `except*` clause.
func IsGroupTest(e pyast.Expr) bool { return holeOf(e, pyast.GroupMatches) != nil }

func isExcTest(e pyast.Expr) bool {
	return holeOf(e, pyast.ExceptionMatches) != nil || IsGroupTest(e) || holeOf(e, pyast.ExitSuppresses) != nil
}

// loopHead reports whether an edge from later code returns to a. What handles an exception is
// laid out behind all else (3.11+), though it may lead to what stands before it in the source.
func (r reducer) loopHead(a *Block) bool {
	if !slices.ContainsFunc(a.Preds, func(p *Block) bool { return p.ID >= a.ID }) {
		return false
	}
	for x, more := range cfg.Walk(a) {
		returns := false
		x.Succs(func(s *Block) {
			returns = returns || s == a
			more(s)
		})
		if returns {
			return true
		}
		for e := x.Exc; e != nil; e = e.Parent {
			if h := r.g.Of(e.Handler); h != nil {
				more(h)
			}
		}
	}
	return false
}

// fold gives a the condition cond and b's targets.
func (r reducer) fold(a, b *Block, cond pyast.Expr) bool {
	a.Succs(func(s *Block) { unpred(s, a) })
	b.Succs(func(s *Block) { unpred(s, b) })
	a.loud = a.loud || !b.quiet()
	a.Term.Cond = cond
	a.Term.KeepTrue, a.Term.KeepFalse = b.Term.KeepTrue, b.Term.KeepFalse
	a.Term.madeOf(&a.Term, &b.Term)
	a.Term.Offset = b.Term.Offset
	a.True, a.False = b.True, b.False
	a.True.Preds = append(a.True.Preds, a)
	a.False.Preds = append(a.False.Preds, a)
	r.remove(b)
	return true
}

// not negates a condition for reading; comparisons absorb it.
func not(e pyast.Expr) pyast.Expr {
	switch x := e.(type) {
	case *pyast.UnaryOp:
		if x.Op == pyast.Not {
			return x.Operand
		}
	case *pyast.Compare:
		if len(x.Ops) == 1 {
			inv := map[pyast.CmpOpKind]pyast.CmpOpKind{
				pyast.Is: pyast.IsNot, pyast.IsNot: pyast.Is, pyast.In: pyast.NotIn, pyast.NotIn: pyast.In,
			}
			if op, ok := inv[x.Ops[0]]; ok {
				c := *x
				c.Ops = []pyast.CmpOpKind{op}
				c.Sense = c.Sense.Other()
				return &c
			}
		}
	}
	n := pyast.NotE(e)
	n.Pos = *e.Position() // where `not` stands is unknown: it has no instruction
	return n
}

// Not negates a condition for reading.
func Not(e pyast.Expr) pyast.Expr { return not(e) }
