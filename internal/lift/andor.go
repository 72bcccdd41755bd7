package lift

import "github.com/thuml/depyf/internal/pyast"

// orPop folds `v and w` and `v or w` as values.
func (r reducer) orPop(a *Block) bool {
	t := &a.Term
	var b, j *Block
	op := pyast.And
	switch {
	case t.KeepFalse && !t.KeepTrue:
		b, j = a.True, a.False
	case t.KeepTrue && !t.KeepFalse:
		b, j, op = a.False, a.True, pyast.Or
	default:
		return false
	}
	if w, _, ok := pushed(a, b, j); ok {
		r.setGoto(a, boolOp(op, t.Cond, w), j, b)
		return true
	}
	if w, next, ok := pushed(a, b, nil); ok && len(next.In) == len(j.In) && sameTail(j.Stmts, j, next) {
		r.setGoto(a, boolOp(op, t.Cond, w), next, b) // j is a copy
		return true
	}
	return r.dropped(a, b, j, op)
}

// dropped folds `v and f()` as a statement where each way drops its value itself: from
// 3.10 on the end of the statement is copied to j with the exit that it leads to.
func (r reducer) dropped(a, b, j *Block, op pyast.BoolOpKind) bool {
	k := len(a.Out)
	if !own(a, b) || len(b.Stmts) != 1 || len(b.In) != k || len(b.Out) != 0 && !b.keeps(0) || pending(a.Out) ||
		len(j.Stmts) != 1 || len(j.In) != k+1 || !isDropOf(j.Stmts[0], k) {
		return false
	}
	last, ok := b.Stmts[0].(*pyast.ExprStmt)
	if !ok || isSlot(last.Value) || !sameEnding(b, j) {
		return false
	}
	s := *last
	s.Value = boolOp(op, a.Term.Cond, last.Value)
	s.Line = a.Term.Line
	a.Succs(func(x *Block) { unpred(x, a) })
	if len(j.Preds) == 0 {
		j.Succs(func(x *Block) { unpred(x, j) })
		r.remove(j)
	}
	a.loud = a.loud || !b.quiet()
	a.Stmts = append(a.Stmts, &s)
	a.Out, a.Term, a.Next, a.True, a.False = b.Out, b.Term, b.Next, nil, nil
	r.remove(b)
	r.repred(a, b)
	return true
}

// sameEnding reports whether two blocks go to the same place, or leave the function with
// the same value, whatever they do before.
func sameEnding(a, b *Block) bool {
	switch {
	case a.Term.Kind != b.Term.Kind:
		return false
	case a.Term.Kind == Return:
		return equalExpr(a.Term.Value, b.Term.Value)
	case a.Term.Kind == Goto:
		return landing(a.Next) == landing(b.Next) || sameTail(landing(a.Next).Stmts, landing(a.Next), landing(b.Next))
	}
	return false
}

// boolOp builds `x op y`, flat where the compiler makes no difference.
func boolOp(op pyast.BoolOpKind, x, y pyast.Expr) pyast.Expr {
	out := &pyast.BoolOp{Op: op}
	span(out, x, y)
	for _, e := range []pyast.Expr{x, y} {
		if b, ok := e.(*pyast.BoolOp); ok && b.Op == op {
			out.Values = append(out.Values, b.Values...)
		} else {
			out.Values = append(out.Values, e)
		}
	}
	return out
}
