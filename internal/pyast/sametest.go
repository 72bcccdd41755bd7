package pyast

// SameTest reports whether two conditions test the same in the same order; opposite: whether one
// holds exactly where the other does not. The compiler's jumps tell neither `not (a or b)` from
// `not a and not b` nor `a and (b and c)` from `(a and b) and c`, so that of two copies of one
// condition each may have been read in another way.
func SameTest(a, b Expr, opposite bool) bool {
	a, turned := withoutNots(a)
	b, again := withoutNots(b)
	opposite = opposite != (turned != again)
	switch x := a.(type) {
	case *BoolOp:
		y, ok := b.(*BoolOp)
		if !ok || (x.Op == y.Op) == opposite {
			return false
		}
		xs, ys := operands(x, x.Op, false, nil), operands(y, y.Op, false, nil)
		if len(xs) != len(ys) {
			return false
		}
		for i := range xs {
			if !SameTest(xs[i].Expr, ys[i].Expr, opposite != (xs[i].not != ys[i].not)) {
				return false
			}
		}
		return true
	case *Compare:
		y, ok := b.(*Compare)
		if !ok || !opposite {
			return ok && Equal(x, y)
		}
		op, ok := CmpOpKind(0), len(y.Ops) == 1
		if ok {
			op, ok = y.Ops[0].Negate()
		}
		return ok && Equal(x, &Compare{Left: y.Left, Ops: []CmpOpKind{op}, Comparators: y.Comparators})
	}
	return !opposite && Equal(a, b)
}

// withoutNots takes the negations off an expression, and says whether their number is odd.
func withoutNots(e Expr) (inner Expr, odd bool) {
	for {
		x, ok := e.(*UnaryOp)
		if !ok || x.Op != Not {
			return e, odd
		}
		e, odd = x.Operand, !odd
	}
}

// operand is one of those that an `and` or `or` joins, perhaps negated.
type operand struct {
	Expr
	not bool
}

// operands lists what b joins by op, in one expression or in several; not: b stands below an odd
// number of negations, which turn `and` into `or`.
func operands(b *BoolOp, op BoolOpKind, not bool, list []operand) []operand {
	for _, v := range b.Values {
		inner, turned := withoutNots(v)
		turned = turned != not
		if below, ok := inner.(*BoolOp); ok && (below.Op == op) != turned {
			list = operands(below, op, turned, list)
			continue
		}
		list = append(list, operand{inner, turned})
	}
	return list
}
