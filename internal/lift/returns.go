package lift

// returnThrough joins the end of a `return f()` to its value when context
// managers are left in between: the value was computed inside of a protected
// statement, the rest lies outside.
//
//	with c:
//	    try:                  [try] f()                 [try] exit c; return f()
//	        return f()    →   exit c; return top    →
//	    except E: …
//
// The marks of the exits belong to the `with` and are removed with it.
func (r reducer) returnThrough(a *Block) bool {
	b := a.Next
	if b == nil || b == a || len(b.Preds) != 1 || len(b.HandlerOf) > 0 || a.Exc == b.Exc || !a.Exc.Inside(b.Exc) ||
		b.Term.Kind != Return || len(a.Out) != len(b.In) || len(a.Out) == 0 {
		return false
	}
	k, ok := slotOf(b.Term.Value)
	if !ok || k >= len(a.Out) || a.Out[k].Kind != KExpr || a.Out[k].Aug() != nil {
		return false
	}
	if !onlyExits(b.Stmts) {
		return false
	}
	v := a.Out[k]
	e := v.assigning()
	a.Stmts = append(a.Stmts, b.Stmts...)
	a.Term = b.Term
	a.Term.Value = e
	a.Out = nil
	a.Next, a.True, a.False = nil, nil, nil
	r.remove(b)
	return true
}
