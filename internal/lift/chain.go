package lift

import "github.com/thuml/depyf/internal/pyast"

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
	if !own(a, b) || len(b.Stmts) > 0 || len(b.In) != len(a.Out) {
		return false
	}
	k := len(a.Out) - 1 // the stack index of the middle operand
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
	case Goto, Return:
		var last pyast.Expr
		j := b.Next
		if b.Term.Kind == Return {
			last = b.Term.Value
		} else if len(b.Out) == len(a.Out) {
			last = b.Out[k].E
		}
		next, ok := last.(*pyast.Compare)
		if !ok || !isSlotNo(next.Left, k) {
			return false
		}
		// The clean-up must drop the middle operand and keep the result.
		if len(clean.Stmts) > 1 || len(clean.In) != k+2 {
			return false
		}
		if len(clean.Stmts) == 1 && !isDropOf(clean.Stmts[0], k) {
			return false
		}
		if b.Term.Kind == Return {
			shared := clean.Term.Kind == Goto && len(clean.Out) == k+1 && clean.Out[k] == clean.In[k+1] && isReturnTop(clean.Next)
			if !shared && (clean.Term.Kind != Return || !isSlotNo(clean.Term.Value, k+1)) {
				return false
			}
		} else if clean.Term.Kind != Goto || len(clean.Out) != k+1 || clean.Out[k] != clean.In[k+1] ||
			clean.Next != j && !(isReturnTop(j) && isReturnTop(clean.Next)) {
			return false
		}
		link(cmp, next)
		a.Succs(func(s *Block) { unpred(s, a) })
		b.Succs(func(s *Block) { unpred(s, b) })
		r.remove(b)
		if len(clean.Preds) == 0 {
			clean.Succs(func(s *Block) { unpred(s, clean) })
			r.remove(clean)
		}
		v := exprValue(cmp)
		v.Line = t.Line
		a.Out = a.Out[:k:k]
		if b.Term.Kind == Return {
			a.Term = Term{Kind: Return, Value: cmp, Line: t.Line, Offset: t.Offset, Col: b.Term.Col}
			a.Next, a.True, a.False = nil, nil, nil
			return true
		}
		a.Out = append(a.Out, v)
		a.Term = Term{Kind: Goto, Line: t.Line, Offset: t.Offset}
		a.Next, a.True, a.False = j, nil, nil
		j.Preds = append(j.Preds, a)
		return true
	}
	return false
}

// chainTest folds a chain whose result is tested: the clean-up block drops the
// middle operand and continues where the last comparison goes when false.
func (r reducer) chainTest(a, b, clean *Block, cmp *pyast.Compare, k int) bool {
	if b.Term.Kind != Branch || b.Term.KeepFalse || b.Term.KeepTrue {
		return false
	}
	next, ok := b.Term.Cond.(*pyast.Compare)
	neg := false
	if !ok {
		if u, isNot := b.Term.Cond.(*pyast.UnaryOp); isNot && u.Op == pyast.Not {
			next, ok = u.Operand.(*pyast.Compare)
			neg = ok
		}
	}
	if !ok || neg || !isSlotNo(next.Left, k) {
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
	link(cmp, next)
	a.Succs(func(s *Block) { unpred(s, a) })
	b.Succs(func(s *Block) { unpred(s, b) })
	r.remove(b)
	if len(clean.Preds) == 0 {
		clean.Succs(func(s *Block) { unpred(s, clean) })
		r.remove(clean)
	}
	a.Out = a.Out[:k:k]
	a.True, a.False = holds, stop
	a.True.Preds = append(a.True.Preds, a)
	a.False.Preds = append(a.False.Preds, a)
	return true
}

// isNoneTest reports whether a comparison is `x is None` or `x is not None`.
func isNoneTest(c *pyast.Compare) bool {
	return len(c.Ops) == 1 && (c.Ops[0] == pyast.Is || c.Ops[0] == pyast.IsNot) && IsNone(c.Comparators[0])
}

func negated(op pyast.CmpOpKind) pyast.CmpOpKind {
	op, _ = op.Negate()
	return op
}

// dropsTop reports whether b drops entry slot k and does nothing else.
func dropsTop(b *Block, k int) bool {
	if len(b.In) != k+1 {
		return false
	}
	if b.Term.Kind == Goto && len(b.Out) != k {
		return false
	}
	switch len(b.Stmts) {
	case 0:
		return true
	default:
		return isDropOf(b.Stmts[0], k)
	}
}

// sameExit reports whether clean, its drop of the middle operand aside, goes
// where stop is: to stop itself, or to an exit that does the same.
func sameExit(clean, stop *Block) bool {
	rest := clean.Stmts
	if len(rest) > 0 {
		rest = rest[1:]
	}
	if clean.Term.Kind == Goto && len(rest) == 0 {
		if clean.Next == stop {
			return true
		}
		// Trampolines in between.
		if clean.Next == nil {
			return false
		}
		n := landing(clean.Next)
		return n == landing(stop) || sameTail(n.Stmts, n, stop)
	}
	return sameTail(rest, clean, stop) || sameTail(rest, clean, landing(stop))
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
	case Goto:
		return a.Next == b.Next
	}
	return false
}

func equalExpr(a, b pyast.Expr) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return pyast.Equal(a, b)
}

// sameValue reports whether the stack keeps in e what an operand has given.
func sameValue(operand, e pyast.Expr) bool {
	if n, ok := operand.(*pyast.NamedExpr); ok {
		operand = n.Value
	}
	return operand == e || sameSimple(operand, e)
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
