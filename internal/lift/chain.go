package lift

import (
	"slices"

	"github.com/thuml/depyf/internal/pyast"
)

// chain folds comparison chains. `a < b < c` compiles to
//
//	a; b; SWAP 2; COPY 2; COMPARE <     block A, leaves b on the stack
//	JUMP_IF_FALSE_OR_POP clean          (a POP_JUMP_IF_FALSE in a condition)
//	c; COMPARE <                        block B, compares what A left
//	clean: SWAP 2; POP_TOP              drops b, keeps the result
func (r reducer) chain(a *Block) bool {
	t := &a.Term
	if len(a.Out) == 0 || t.KeepTrue {
		return false
	}
	cmp, ok := t.Cond.(*pyast.Compare)
	if !ok {
		return false
	}
	mid := a.Out[len(a.Out)-1]
	if mid.Kind != KExpr || !sameValue(cmp.Comparators[len(cmp.Comparators)-1], mid.E) {
		return false
	}
	b, clean := a.True, a.False
	if !own(a, b) || len(b.In) != len(a.Out) {
		return false
	}
	k := len(a.Out) - 1 // the stack index of the middle operand
	if len(b.Stmts) > 0 {
		return t.KeepFalse && r.chainCopies(a, b, clean, cmp, k)
	}
	if !t.KeepFalse {
		return r.chainTest(a, b, clean, cmp, k)
	}
	switch b.Term.Kind {
	case Branch: // a longer chain: take B's link into A
		next, ok := b.Term.Cond.(*pyast.Compare)
		if !ok || !b.Term.KeepFalse || b.False != clean || !isSlotNo(next.Left, k) || len(b.Out) != len(a.Out) {
			return false
		}
		link(cmp, next)
		out := b.Out[k]
		a.Succs(func(s *Block) { unpred(s, a) })
		b.Succs(func(s *Block) { unpred(s, b) })
		a.True, a.False = b.True, clean
		a.True.Preds = append(a.True.Preds, a)
		clean.Preds = append(clean.Preds, a)
		a.Out = append(a.Out[:k:k], out)
		r.remove(b)
		return true
	case Goto:
		return r.chainValue(a, b, clean, cmp, k)
	case Return:
		return r.chainReturn(a, b, clean, cmp, k)
	}
	return false
}

// chainValue folds a chain that ends by leaving its value on the stack.
func (r reducer) chainValue(a, b, clean *Block, cmp *pyast.Compare, k int) bool {
	j := b.Next
	if !cleansUp(clean, k) {
		return false
	}
	left := clean.Out
	switch {
	case clean.Term.Kind == Goto && (clean.Next == j || isReturnTop(j) && clean.Next != nil && isReturnTop(landing(clean.Next))):
	case clean.Term.Kind == Return && isSlotNo(clean.Term.Value, k+1) && isReturnTop(j):
		left = append(clean.In[:k:k], clean.In[k+1]) // the return is copied
	default:
		return false
	}
	if len(b.Out) != len(left) {
		return false
	}
	// The value may have been moved below others since.
	var next *pyast.Compare
	out := make([]*Value, len(b.Out))
	for i, v := range b.Out {
		c, ok := v.E.(*pyast.Compare)
		x := slices.Index(b.In[:k], v)
		switch {
		case ok && isSlotNo(c.Left, k) && left[i] == clean.In[k+1] && next == nil:
			next, out[i] = c, exprValue(cmp)
			out[i].Line = a.Term.Line
		case x >= 0 && left[i] == clean.In[x]:
			out[i] = a.Out[x]
		default:
			return false
		}
	}
	if next == nil {
		return false
	}
	r.endChain(a, b, clean, cmp, next)
	a.Out = out
	a.Term = Term{Kind: Goto, Line: a.Term.Line, Offset: a.Term.Offset}
	a.Next = j
	j.Preds = append(j.Preds, a)
	return true
}

// chainReturn folds a chain whose last link returns.
func (r reducer) chainReturn(a, b, clean *Block, cmp *pyast.Compare, k int) bool {
	next, ok := b.Term.Value.(*pyast.Compare)
	if !ok || !isSlotNo(next.Left, k) || !cleansUp(clean, k) {
		return false
	}
	shared := clean.Term.Kind == Goto && len(clean.Out) == k+1 && clean.Out[k] == clean.In[k+1] && isReturnTop(clean.Next)
	if !shared && (clean.Term.Kind != Return || !isSlotNo(clean.Term.Value, k+1)) {
		return false
	}
	r.endChain(a, b, clean, cmp, next)
	a.Out = a.Out[:k:k]
	a.Term = Term{Kind: Return, Value: cmp, Line: a.Term.Line, Offset: a.Term.Offset, Col: b.Term.Col}
	a.Next = nil
	return true
}

// cleansUp reports whether the block drops the middle operand, and keeps the result.
func cleansUp(clean *Block, k int) bool {
	return len(clean.In) == k+2 && (len(clean.Stmts) == 0 || len(clean.Stmts) == 1 && isDropOf(clean.Stmts[0], k))
}

// endChain takes the last link of a chain into a, which loses its successors.
func (r reducer) endChain(a, b, clean *Block, cmp, next *pyast.Compare) {
	link(cmp, next)
	a.Succs(func(s *Block) { unpred(s, a) })
	b.Succs(func(s *Block) { unpred(s, b) })
	r.remove(b)
	if len(clean.Preds) == 0 {
		clean.Succs(func(s *Block) { unpred(s, clean) })
		r.remove(clean)
	}
	a.True, a.False = nil, nil
}

// chainCopies folds a chain whose value is used by the last link and by a copy behind the
// clean-up, or, where other operands share that copy, in the block behind.
func (r reducer) chainCopies(a, b, clean *Block, cmp *pyast.Compare, k int) bool {
	use, skip, item := clean, 1, k+1
	switch {
	case cleansUp(clean, k) && clean.Term.Kind == Goto && clean.Next != nil && len(clean.Out) == k+1 && clean.Out[k] == clean.In[k+1]:
		use, skip, item = clean.Next, 0, k
	case len(clean.In) != k+2 || len(clean.Stmts) == 0 || !isDropOf(clean.Stmts[0], k):
		return false
	}
	done := r.copiedUse(a, b, use, skip, item, k, func(w pyast.Expr) pyast.Expr {
		next, ok := w.(*pyast.Compare)
		if !ok || !isSlotNo(next.Left, k) {
			return nil
		}
		link(cmp, next)
		return cmp
	})
	if done && use != clean && len(clean.Preds) == 0 {
		unpred(use, clean)
		r.remove(clean)
	}
	return done
}

// chainTest folds a chain whose result is tested: the clean-up block drops the
// middle operand and continues where the last comparison goes when false.
func (r reducer) chainTest(a, b, clean *Block, cmp *pyast.Compare, k int) bool {
	if b.Term.Kind != Branch || b.Term.KeepFalse || b.Term.KeepTrue {
		return false
	}
	next, ok := b.Term.Cond.(*pyast.Compare)
	if !ok || !isSlotNo(next.Left, k) {
		return false
	}
	if len(b.Out) == len(a.Out) && b.False == clean {
		// A longer chain.
		link(cmp, next)
		out := b.Out[k]
		a.Succs(func(s *Block) { unpred(s, a) })
		b.Succs(func(s *Block) { unpred(s, b) })
		a.True = b.True
		a.True.Preds = append(a.True.Preds, a)
		clean.Preds = append(clean.Preds, a)
		a.Out = append(a.Out[:k:k], out)
		r.remove(b)
		return true
	}
	if len(b.Out) != k || !dropsTop(clean, k) {
		return false
	}
	// Where the clean-up goes, the last comparison must go as well.
	holds, stop := b.True, b.False
	if isNoneTest(next) && !sameExit(clean, stop) {
		// A jump on None says nothing of which of the two was written.
		holds, stop = stop, holds
		next = &pyast.Compare{Pos: next.Pos, Left: next.Left, Ops: []pyast.CmpOpKind{negated(next.Ops[0])}, Comparators: next.Comparators}
	}
	if !sameExit(clean, stop) {
		return false
	}
	// The jump over the clean-up belongs to the chain.
	over := func(x *Block) bool {
		return own(b, x) && x.pure(0) && x.Term.Kind == Goto && x.Term.EndBody == nil && x.ID > b.ID && x.ID < clean.ID
	}
	ends := [2]*Block{holds, stop}
	for i, x := range ends {
		if over(x) && (x == stop && x.Next == clean.Next || x == holds && r.adjoin(clean, x.Next)) {
			ends[i] = x.Next
		}
	}
	r.endChain(a, b, clean, cmp, next)
	for i, x := range [2]*Block{holds, stop} {
		if x != ends[i] {
			unpred(ends[i], x)
			r.remove(x)
		}
	}
	a.Out = a.Out[:k:k]
	a.True, a.False = ends[0], ends[1]
	a.True.Preds = append(a.True.Preds, a)
	a.False.Preds = append(a.False.Preds, a)
	return true
}

// adjoin reports whether b begins right behind the code that a begins, of which the end
// may have been joined with a copy.
func (r reducer) adjoin(a, b *Block) bool {
	if len(a.Src.Instrs) == 0 || len(b.Src.Instrs) == 0 {
		return false
	}
	instrs := r.g.CFG.Func.Instrs
	i := r.g.CFG.Func.Index(a.Src.Instrs[0].Offset)
	for i < len(instrs) && instrs[i].Op.FallsThrough() {
		i++
	}
	return i+1 < len(instrs) && instrs[i+1].Offset == b.Src.Instrs[0].Offset
}

// isNoneTest reports whether a comparison is `x is None` or `x is not None`.
func isNoneTest(c *pyast.Compare) bool {
	return len(c.Ops) == 1 && (c.Ops[0] == pyast.Is || c.Ops[0] == pyast.IsNot) && IsNone(c.Comparators[0])
}

func negated(op pyast.CmpOpKind) pyast.CmpOpKind {
	op, _ = op.Negate()
	return op
}

// dropsTop reports whether b begins by dropping entry slot k, the top of the stack.
func dropsTop(b *Block, k int) bool {
	return len(b.In) == k+1 && (len(b.Stmts) == 0 || isDropOf(b.Stmts[0], k))
}

// sameExit reports whether clean, its drop of the middle operand aside, goes
// where stop is: to stop itself, or to an exit that does the same.
func sameExit(clean, stop *Block) bool {
	rest := clean.Stmts
	if len(rest) > 0 {
		rest = rest[1:]
	}
	if clean.Term.Kind == Goto && len(rest) == 0 && len(clean.Out) == len(clean.In)-1 {
		if clean.Next == stop {
			return true
		}
		if clean.Next == nil {
			return false
		}
		if end := clean.Term.EndBody; end != nil { // both end the body that the chain ends
			return stop.Term.EndBody == end && len(stop.Stmts) == 0 && landing(stop.Next) == landing(clean.Next)
		}
		// Trampolines in between.
		n := landing(clean.Next)
		return n == landing(stop) || sameTail(n.Stmts, n, stop) || leavesAlike(clean, stop) && n == landing(stop.Next)
	}
	return sameTail(rest, clean, stop) || sameTail(rest, clean, landing(stop))
}

// leavesAlike reports whether stop only jumps, as clean does, out of what protects both.
func leavesAlike(clean, stop *Block) bool {
	t := &stop.Term
	return t.Kind == Goto && stop.Next != nil && stop.pure(0) && stop.Exc == clean.Exc && t.EndBody == nil && !t.EndExcept && !t.EndFinally
}

// sameTail reports whether two blocks end the function (or continue) alike.
func sameTail(stmts []pyast.Stmt, a, b *Block) bool {
	if a == b {
		return true
	}
	if !a.lifted || !b.lifted {
		return false
	}
	if b.Term.Kind == Goto && len(b.Stmts) == 0 && b.Next == a {
		return true
	}
	if a.Term.Kind == Goto && len(stmts) == 0 && a.Next == b {
		return true
	}
	if a.Term.Kind != b.Term.Kind || !pyast.EqualStmts(stmts, b.Stmts) {
		return false
	}
	switch a.Term.Kind {
	case Return, Raise:
		return equalExpr(a.Term.Value, b.Term.Value) && equalExpr(a.Term.Cause, b.Term.Cause)
	case Reraise:
		return true
	case Goto:
		// What ends with it: an except clause that both leave, for one.
		return slices.EqualFunc(a.Out, b.Out, leftAlike) && a.Term.EndExcept == b.Term.EndExcept && a.Term.EndBody == b.Term.EndBody &&
			a.Term.EndFinally == b.Term.EndFinally && landing(a.Next) == landing(b.Next)
	}
	return false
}

// leftAlike reports whether two blocks leave the same value: arms of a choice lead to one place, too.
func leftAlike(v, w *Value) bool {
	return v == w || v.Kind == KExpr && w.Kind == KExpr && equalExpr(v.E, w.E)
}

func equalExpr(a, b pyast.Expr) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return pyast.Equal(a, b)
}

// sameValue reports whether the stack keeps in e what an operand has given.
func sameValue(operand, e pyast.Expr) bool {
	for {
		n, ok := operand.(*pyast.NamedExpr)
		if !ok {
			return operand == e || sameSimple(operand, e)
		}
		operand = n.Value
	}
}

func sameSimple(a, b pyast.Expr) bool { return Simple(a) && Simple(b) && pyast.Equal(a, b) }

func isSlotNo(e pyast.Expr, k int) bool {
	n, ok := slotOf(e)
	return ok && n == k
}

func isDropOf(s pyast.Stmt, k int) bool {
	e, ok := s.(*pyast.ExprStmt)
	return ok && isSlotNo(e.Value, k)
}

func link(c, next *pyast.Compare) {
	c.Ops = append(c.Ops, next.Ops...)
	c.Comparators = append(c.Comparators, next.Comparators...)
}
