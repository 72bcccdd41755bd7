package lift

import "github.com/thuml/depyf/internal/pyast"

// mergeArms joins the expressions of two copied exits. Since 3.10 the code
// behind a conditional expression is copied into its arms when it leaves the
// function:
//
//	LOAD user; LOAD delim; POP_JUMP_IF_FALSE f      return user, (p if delim else None)
//	   LOAD p; BUILD_TUPLE 2; RETURN_VALUE
//	f: LOAD None; BUILD_TUPLE 2; RETURN_VALUE
//
// Where both arms use a value from before the test, the test stands at the one
// place where they differ; otherwise around the whole.
func mergeArms(cond, x, y pyast.Expr) pyast.Expr {
	if hasSlot(x) && hasSlot(y) {
		if e := mergeDiff(cond, x, y); e != nil {
			return e
		}
	}
	return ifExp(cond, x, y)
}

func hasSlot(e pyast.Expr) bool {
	m := map[int]int{}
	countSlots(e, m)
	return len(m) > 0
}

// mergeDiff puts the choice where x and y differ; nil when they differ in more
// places than one, or where a value from before the test would have to wait.
func mergeDiff(cond, x, y pyast.Expr) pyast.Expr {
	if !hasSlot(x) && !hasSlot(y) {
		return ifExp(cond, x, y)
	}
	list := func(p, q []pyast.Expr) ([]pyast.Expr, bool) {
		if len(p) != len(q) {
			return nil, false
		}
		out := append([]pyast.Expr(nil), p...)
		n := 0
		for i := range p {
			if pyast.Equal(p[i], q[i]) {
				continue
			}
			n++
			if out[i] = mergeDiff(cond, p[i], q[i]); out[i] == nil || n > 1 {
				return nil, false
			}
		}
		return out, n == 1
	}
	switch p := x.(type) {
	case *pyast.Tuple:
		if q, ok := y.(*pyast.Tuple); ok {
			if l, ok := list(p.Elts, q.Elts); ok {
				return &pyast.Tuple{Elts: l}
			}
		}
	case *pyast.List:
		if q, ok := y.(*pyast.List); ok {
			if l, ok := list(p.Elts, q.Elts); ok {
				return &pyast.List{Elts: l}
			}
		}
	case *pyast.Call:
		q, ok := y.(*pyast.Call)
		if !ok || len(p.Keywords) > 0 || len(q.Keywords) > 0 {
			return nil
		}
		if l, ok := list(append([]pyast.Expr{p.Func}, p.Args...), append([]pyast.Expr{q.Func}, q.Args...)); ok {
			return &pyast.Call{Func: l[0], Args: l[1:]}
		}
	case *pyast.Hole:
		q, ok := y.(*pyast.Hole)
		if !ok || p.Kind != q.Kind || p.N != q.N {
			return nil
		}
		if l, ok := list(p.Args, q.Args); ok {
			return &pyast.Hole{Kind: p.Kind, N: p.N, Args: l}
		}
	case *pyast.BinOp:
		q, ok := y.(*pyast.BinOp)
		if !ok || p.Op != q.Op {
			return nil
		}
		if l, ok := list([]pyast.Expr{p.Left, p.Right}, []pyast.Expr{q.Left, q.Right}); ok {
			return &pyast.BinOp{Left: l[0], Op: p.Op, Right: l[1]}
		}
	case *pyast.Attribute:
		q, ok := y.(*pyast.Attribute)
		if !ok || p.Attr != q.Attr {
			return nil
		}
		if e := mergeDiff(cond, p.Value, q.Value); e != nil {
			return pyast.Attr(e, p.Attr)
		}
	}
	return nil
}

// raiseArms joins the copies of `raise f(x if c else y)`.
func (r reducer) raiseArms(a, b, c *Block) bool {
	t := &a.Term
	if b.Term.Kind != Raise || c.Term.Kind != Raise || b.Term.Value == nil || c.Term.Value == nil || b.Term.Cause != nil || c.Term.Cause != nil ||
		!hasSlot(b.Term.Value) || !hasSlot(c.Term.Value) {
		return false
	}
	e := mergeDiff(t.Cond, b.Term.Value, c.Term.Value)
	if e == nil {
		return false
	}
	a.Succs(func(s *Block) { unpred(s, a) })
	tmp := &Block{Term: Term{Kind: Raise, Value: e, Line: t.Line, Offset: t.Offset, Col: b.Term.Col}, In: b.In}
	tmp.substitute(a.Out)
	a.Term = tmp.Term
	a.Next, a.True, a.False, a.Out = nil, nil, nil, nil
	r.remove(b)
	r.remove(c)
	return true
}
