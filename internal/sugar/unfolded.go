package sugar

import (
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// unfolded keeps the compiler from computing an operation on constants that it has
// not computed in the source. There the operand was a choice, which is made only after
// constants are folded (Python/ast_opt.c and Python/flowgraph.c of CPython):
//
//	"" + "x"   →   ("" if True else "") + "x"
func unfolded(list []pyast.Stmt, v pyc.Version) {
	var named map[pyast.Expr]bool
	if v.HasWalrus() && !v.FoldsNamedValues() {
		namedValues(list, v)
		named = insideNamed(list)
	}
	parts := computedParts(list)
	pyast.RewriteOwn(list, func(e pyast.Expr) pyast.Expr {
		if named[e] {
			return e
		}
		switch x := e.(type) {
		case *pyast.IfExp:
			x.Body, x.OrElse = plainArm(x.Body), plainArm(x.OrElse)
		case *pyast.BoolOp:
			last := len(x.Values) - 1
			x.Values[last] = plainArm(x.Values[last])
			if v.DecidesConstantTests() && (last > 1 || !pyast.Equal(x.Values[0], x.Values[last])) { // else it is uncomputed by now
				x.Values = undecided(x, v)
			}
		case *pyast.UnaryOp:
			if c, ok := x.Operand.(*pyast.Constant); ok && !(x.Op != pyast.Not && isOne(x, c)) && foldsUnary(x.Op, c.Value, v) && !(isTuple(c) && v.TestsTuples()) {
				x.Operand = unfoldedOperand(x.Op, c, v)
			}
		case *pyast.Tuple:
			if last := len(x.Elts) - 1; last >= 0 {
				if c, ok := pyast.Chosen(x.Elts[last]); ok {
					x.Elts[last] = Uncomputed(c, v)
				}
			}
		case *pyast.BinOp:
			l, left := x.Left.(*pyast.Constant)
			r, right := x.Right.(*pyast.Constant)
			if !left || !right || !foldsBinary(x.Op, l.Value, r.Value) {
				break
			}
			if isTuple(l) && v.TestsTuples() {
				x.Right = Uncomputed(r, v)
			} else {
				x.Left = Uncomputed(l, v)
			}
		case *pyast.Subscript:
			list, value := x.Value.(*pyast.Constant)
			i, index := x.Slice.(*pyast.Constant)
			if value && index && foldsIndex(list.Value, i.Value) {
				x.Slice = Uncomputed(i, v)
			}
		}
		return e
	})
	for _, part := range parts {
		computedBound(part)
	}
}

// namedValues tells a chained assignment from one of an assignment expression, whose value the compiler does not compute (3.8, 3.9):
//
//	w = a = ()   →   a = (w := ())     BUILD_TUPLE 0; DUP_TOP; STORE w; STORE a
func namedValues(list []pyast.Stmt, v pyc.Version) {
	pyast.InspectOwn(list, func(n pyast.Node) bool {
		a, ok := n.(*pyast.Assign)
		if !ok || len(a.Targets) < 2 || !holdsComputed(a.Value, v) {
			return true
		}
		if name, ok := a.Targets[0].(*pyast.Name); ok {
			a.Value = &pyast.NamedExpr{Pos: *a.Value.Position(), Target: name, Value: a.Value}
			a.Targets = a.Targets[1:]
		}
		return true
	})
}

// holdsComputed reports whether anything in e would be computed outside of an assignment expression.
func holdsComputed(e pyast.Expr, v pyc.Version) (found bool) {
	pyast.Inspect(e, func(n pyast.Node) bool {
		if _, named := n.(*pyast.NamedExpr); named || found {
			return false
		}
		part, ok := n.(pyast.Expr)
		found = ok && wouldBeComputed(part, v)
		return true
	})
	return found
}

// wouldBeComputed reports whether e is an operation on constants that the compiler makes a constant of.
func wouldBeComputed(e pyast.Expr, v pyc.Version) bool {
	switch x := e.(type) {
	case *pyast.Tuple:
		return len(x.Elts) == 0
	case *pyast.UnaryOp:
		c, ok := x.Operand.(*pyast.Constant)
		return ok && foldsUnary(x.Op, c.Value, v)
	case *pyast.BinOp:
		l, left := x.Left.(*pyast.Constant)
		r, right := x.Right.(*pyast.Constant)
		return left && right && foldsBinary(x.Op, l.Value, r.Value)
	case *pyast.Subscript:
		list, value := x.Value.(*pyast.Constant)
		i, index := x.Slice.(*pyast.Constant)
		return value && index && foldsIndex(list.Value, i.Value)
	}
	return false
}

// insideNamed are the expressions in the values of assignment expressions, where nothing is computed (3.8, 3.9).
func insideNamed(list []pyast.Stmt) map[pyast.Expr]bool {
	inside := map[pyast.Expr]bool{}
	pyast.InspectOwn(list, func(n pyast.Node) bool {
		if w, ok := n.(*pyast.NamedExpr); ok {
			pyast.Inspect(w.Value, func(n pyast.Node) bool {
				if e, ok := n.(pyast.Expr); ok {
					inside[e] = true
				}
				return true
			})
		}
		return true
	})
	return inside
}

// plainArm is the constant that an arm of an expression is: what waits on the stack while a
// statement is left may be one, too, and is no less a literal for that.
func plainArm(e pyast.Expr) pyast.Expr {
	if isPlainText(e) {
		return e.(*pyast.JoinedStr).Values[0]
	}
	if c, ok := pyast.Chosen(e); ok {
		return c
	}
	return e
}

// isPlainText reports whether e is an f-string without fields.
func isPlainText(e pyast.Expr) bool {
	j, ok := e.(*pyast.JoinedStr)
	if !ok || len(j.Values) != 1 {
		return false
	}
	_, ok = j.Values[0].(*pyast.Constant)
	return ok
}

// unfoldedOperand compiles to c, and is no constant to the folding.
func unfoldedOperand(op pyast.UnaryOpKind, c *pyast.Constant, v pyc.Version) pyast.Expr {
	switch x := c.Value.(type) {
	case pyc.Str:
		if x != "" && !v.DecidesConstantTests() { // f"" is a string that is built
			return &pyast.JoinedStr{Pos: c.Pos, Values: []pyast.Expr{c}} // f"x" is a constant only later
		}
	case pyc.Bool:
		if op == pyast.Not && v.JumpsTestBools() {
			// The value is tested before `not`, and only that of f"x" can be so early.
			j := &pyast.JoinedStr{Pos: c.Pos}
			if x {
				j.Values = []pyast.Expr{pyast.Str("True")}
			}
			return j
		}
	}
	return Uncomputed(c, v)
}

// Uncomputed compiles to c, with which nothing is computed. In front of a `return` a choice is made in time for that; the
// test of an operand never is (3.14+).
func Uncomputed(c *pyast.Constant, v pyc.Version) pyast.Expr {
	truth, known := pyc.Truth(c.Value)
	if !known || !v.FoldsLate() || v.TestsTuples() && pyc.Computed(c.Value) {
		return pyast.Choice(c)
	}
	op := pyast.Or
	if !truth {
		op = pyast.And
	}
	return &pyast.BoolOp{Op: op, Values: []pyast.Expr{c, pyast.Const(c.Value)}}
}

// undecided are the operands of `and` or `or` in the groups in which a constant is
// tested. The compiler leaves the test of an operand out whose value it knows (3.10+), but
// not that of the last one of a group:
//
//	a and 1 and b   →   (a and 1) and b
//
// Nor does it where the constant is computed only later (3.14+). What the lifter knows to stand in
// no brackets is a choice already.
func undecided(x *pyast.BoolOp, v pyc.Version) []pyast.Expr {
	var out []pyast.Expr
	last := len(x.Values) - 1
	for i, e := range x.Values {
		if c, ok := pyast.Chosen(e); ok && i < last && v.TestsTuples() {
			e = computedLate(c)
		}
		c, ok := e.(*pyast.Constant)
		switch {
		case !ok || i == last || v.TestsTuples() && pyc.Computed(c.Value):
			out = append(out, e)
		case i == 0:
			out = append(out, pyast.Choice(c))
		default:
			out = []pyast.Expr{&pyast.BoolOp{Pos: x.Pos, Op: x.Op, Values: append(out, e)}}
		}
	}
	return out
}

// computedLate compiles to c, which the compiler computes when the tests of constants are decided.
func computedLate(c *pyast.Constant) pyast.Expr {
	if pyc.Computed(c.Value) {
		return c
	}
	switch x := c.Value.(type) {
	case pyc.Int, pyc.Float:
		return &pyast.UnaryOp{Pos: c.Pos, Op: pyast.UAdd, Operand: c}
	case pyc.Bool:
		return &pyast.UnaryOp{Pos: c.Pos, Op: pyast.Not, Operand: &pyast.Constant{Pos: c.Pos, Value: !x}}
	}
	return pyast.Choice(c)
}

// isOne reports whether an operation and its operand are what one instruction loads: it was treated before.
func isOne(x *pyast.UnaryOp, c *pyast.Constant) bool { return x.Offset > 0 && x.Offset == c.Offset }

func isTuple(c *pyast.Constant) bool {
	_, ok := c.Value.(pyc.Tuple)
	return ok
}

// computedParts lists the parts of slices, and what is returned. Functions and classes inside have been through here.
func computedParts(list []pyast.Stmt) (parts []*pyast.Expr) {
	add := func(part *pyast.Expr) {
		if *part != nil {
			parts = append(parts, part)
		}
	}
	pyast.InspectOwn(list, func(n pyast.Node) bool {
		switch x := n.(type) {
		case *pyast.Return:
			add(&x.Value)
		case *pyast.Slice:
			add(&x.Lower)
			add(&x.Upper)
			add(&x.Step)
		}
		return true
	})
	return parts
}

// computedBound spells a part of a slice, or what is returned, that is no literal, but
// computed by the compiler: `a[:4 + 4]`, of which the result is left, is `a[:+8]`.
func computedBound(part *pyast.Expr) {
	c, ok := pyast.Chosen(*part)
	if !ok {
		return
	}
	switch c.Value.(type) {
	case pyc.Int, pyc.Float:
		*part = &pyast.UnaryOp{Pos: c.Pos, Op: pyast.UAdd, Operand: c}
	}
}
