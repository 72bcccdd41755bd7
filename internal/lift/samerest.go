package lift

import "github.com/thuml/depyf/internal/pyast"

// joined is `cond op other` where what follows takes the value from the stack: kept is cond there.
func (d *dag) joined(b *Block, op pyast.BoolOpKind, cond pyast.Expr, kept *pyast.Hole, with, other pyast.Expr) pyast.Expr {
	join := func(with, other pyast.Expr) pyast.Expr {
		if with == kept {
			return d.r.boolOp(op, b, cond, other)
		}
		return nil
	}
	if e := join(with, other); e != nil {
		return e
	}
	if !mentionsHole(with, kept) {
		return d.passed(b, op, cond, with, other)
	}
	return first(with, other, join)
}

// passed is `cond op other` where the jump that cond decides has been sent past the test of the
// whole, which only the way through other comes to: `(cond or x) and y` is left as
// y behind cond, and as `x and y` behind other. Nil where the ways are no such.
func (d *dag) passed(b *Block, op pyast.BoolOpKind, cond, past, other pyast.Expr) pyast.Expr {
	switch o := other.(type) {
	case *pyast.BoolOp:
		if o.Op == op || len(o.Values) < 2 {
			return nil
		}
		rest := o.Values[1]
		if len(o.Values) > 2 {
			rest = &pyast.BoolOp{Op: o.Op, Values: o.Values[1:]}
		}
		if sameCode(past, rest) {
			o.Values[0] = d.r.boolOp(op, b, cond, o.Values[0])
			return o
		}
	case *pyast.IfExp:
		arm := o.Body
		if op == pyast.And {
			arm = o.OrElse
		}
		if sameCode(past, arm) {
			o.Test = d.r.boolOp(op, b, cond, o.Test)
			return o
		}
	}
	return nil
}

// first joins two values in what is evaluated first in both, where all the rest is the same
// code. Nil where that is not so.
func first(v, w pyast.Expr, join func(v, w pyast.Expr) pyast.Expr) pyast.Expr {
	switch x := v.(type) {
	case *pyast.BoolOp:
		y, ok := w.(*pyast.BoolOp)
		if !ok || x.Op != y.Op || len(x.Values) != len(y.Values) {
			return nil
		}
		for i := 1; i < len(x.Values); i++ {
			if !sameCode(x.Values[i], y.Values[i]) {
				return nil
			}
		}
		return replaced(&x.Values[0], y.Values[0], x, join)
	case *pyast.IfExp:
		y, ok := w.(*pyast.IfExp)
		if !ok || !sameCode(x.Body, y.Body) || !sameCode(x.OrElse, y.OrElse) {
			return nil
		}
		return replaced(&x.Test, y.Test, x, join)
	case *pyast.UnaryOp:
		if y, ok := w.(*pyast.UnaryOp); ok && x.Op == y.Op {
			return replaced(&x.Operand, y.Operand, x, join)
		}
	}
	return nil
}

// replaced puts what join makes of *v and w in the place of *v.
func replaced(v *pyast.Expr, w pyast.Expr, whole pyast.Expr, join func(v, w pyast.Expr) pyast.Expr) pyast.Expr {
	e := join(*v, w)
	if e == nil {
		if e = first(*v, w, join); e == nil {
			return nil
		}
	}
	*v = e
	return whole
}

// sameCode reports whether two expressions are one, read twice.
func sameCode(x, y pyast.Expr) bool {
	p, q := x.Position(), y.Position()
	return pyast.Equal(x, y) && p.Line == q.Line && (p.Col <= 0 || q.Col <= 0 || p.Col == q.Col)
}

func mentionsHole(e pyast.Expr, h *pyast.Hole) bool {
	found := false
	pyast.Inspect(e, func(n pyast.Node) bool {
		found = found || n == pyast.Node(h)
		return !found
	})
	return found
}
