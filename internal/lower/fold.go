package lower

import (
	"math/big"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// folded is the constant that the compiler makes of an expression.
func folded(v pyc.Version, e pyast.Expr) (pyc.Const, bool) {
	switch e := e.(type) {
	case *pyast.Constant:
		return e.Value, true
	case *pyast.Tuple:
		cs := make(pyc.Tuple, 0, len(e.Elts))
		for _, x := range e.Elts {
			c, ok := folded(v, x)
			if !ok {
				return nil, false
			}
			cs = append(cs, c)
		}
		return cs, true
	case *pyast.UnaryOp:
		c, ok := folded(v, e.Operand)
		if !ok || e.Op == pyast.Not && testsTuple(v, c) {
			return nil, false
		}
		return foldedUnary(e.Op, c)
	}
	return nil, false
}

// testsTuple reports whether the truth of a constant is asked as the program runs.
func testsTuple(v pyc.Version, c pyc.Const) bool {
	_, tuple := c.(pyc.Tuple)
	return tuple && v.TestsTuples()
}

func foldedUnary(op pyast.UnaryOpKind, c pyc.Const) (pyc.Const, bool) {
	if t, known := pyc.Truth(c); known && op == pyast.Not {
		return pyc.Bool(!t), true
	}
	switch c := c.(type) {
	case pyc.Int:
		switch op {
		case pyast.USub:
			return pyc.Int{Big: new(big.Int).Neg(c.Big)}, true
		case pyast.UAdd:
			return c, true
		case pyast.Invert:
			return pyc.Int{Big: new(big.Int).Not(c.Big)}, true
		}
	case pyc.Float:
		switch op {
		case pyast.USub:
			return pyc.Float{Bits: c.Bits ^ 1<<63}, true
		case pyast.UAdd:
			return c, true
		}
	}
	return nil, false
}

// allFolded are the constants that all the expressions are.
func allFolded(v pyc.Version, list []pyast.Expr) ([]pyc.Const, bool) {
	t, ok := folded(v, &pyast.Tuple{Elts: list})
	if !ok {
		return nil, false
	}
	return t.(pyc.Tuple), true
}

// literal reports whether an expression is a constant before anything is folded, as
// `return` wants to know. From 3.14 on numbers with a sign and tuples are none by then.
func (l *lowerer) literal(e pyast.Expr) (pyc.Const, bool) {
	c, ok := folded(l.v, e)
	if !ok {
		return nil, false
	}
	if !l.v.AnnotationsAreLazy() {
		return c, true
	}
	switch c := c.(type) {
	case pyc.Tuple, pyc.FrozenSet, pyc.Slice:
		return nil, false
	default:
		_, signed := e.(*pyast.UnaryOp)
		return c, !signed && !pyc.Signed(c)
	}
}

// members is what `in` and a loop look through: a list or set display of constants is
// a constant of its own.
func members(v pyc.Version, e pyast.Expr, set bool) (pyc.Const, bool) {
	switch e := e.(type) {
	case *pyast.List:
		if cs, ok := allFolded(v, e.Elts); ok {
			return pyc.Tuple(cs), true
		}
	case *pyast.Set:
		if !set || len(e.Elts) == 0 {
			return nil, false
		}
		if cs, ok := allFolded(v, e.Elts); ok {
			return pyc.FrozenSet(unique(cs)), true
		}
	}
	return nil, false
}

// unique drops what a set would hold twice.
func unique(cs []pyc.Const) []pyc.Const {
	var out []pyc.Const
next:
	for _, c := range cs {
		for _, d := range out {
			if pyc.Repr(c) == pyc.Repr(d) {
				continue next
			}
		}
		out = append(out, c)
	}
	return out
}
