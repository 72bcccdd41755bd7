package lower

import (
	"math/big"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// folded is the constant that the compiler makes of an expression.
func (l *lowerer) folded(e pyast.Expr) (pyc.Const, bool) {
	if c, ok := e.(*pyast.Constant); ok && l.plain && pyc.Computed(c.Value) {
		return nil, false
	}
	if _, ok := e.(*pyast.Constant); l.plain && !ok {
		return nil, false
	}
	return folded(l.v, e)
}

// isTuple reports whether the source of an expression is a tuple.
func isTuple(e pyast.Expr) bool {
	if c, ok := e.(*pyast.Constant); ok {
		_, ok = c.Value.(pyc.Tuple)
		return ok
	}
	_, ok := e.(*pyast.Tuple)
	return ok
}

// spelledOut pushes a constant as what it is in the source, where the compiler computes nothing.
func (l *lowerer) spelledOut(c pyc.Const) {
	if t, ok := c.(pyc.Tuple); ok {
		for _, item := range t {
			l.expr(&pyast.Constant{Value: item})
		}
		l.buildTuple(len(t))
		return
	}
	n, ok := foldedUnary(pyast.USub, c)
	if !ok {
		giveUp("a constant that has no text: %s", pyc.Repr(c))
	}
	l.konst(n)
	l.opI(opcode.UnaryOp, opcode.UnaryNeg)
}

// folded is the constant that a version makes of an expression where it computes any.
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
	if b, isBool := c.(pyc.Bool); isBool && op != pyast.Invert {
		if c = pyc.NewInt(0); b {
			c = pyc.NewInt(1)
		}
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
func (l *lowerer) allFolded(list []pyast.Expr) ([]pyc.Const, bool) {
	cs := make(pyc.Tuple, len(list))
	for i, e := range list {
		var ok bool
		if cs[i], ok = l.folded(e); !ok {
			return nil, false
		}
	}
	return cs, true
}

// literal reports whether an expression is a constant before anything is folded, as
// `return` wants to know. From 3.14 on numbers with a sign and tuples are none by then.
func (l *lowerer) literal(e pyast.Expr) (pyc.Const, bool) {
	c, ok := l.folded(e)
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
func (l *lowerer) members(e pyast.Expr, set bool) (pyc.Const, bool) {
	if l.plain {
		return nil, false
	}
	switch e := e.(type) {
	case *pyast.List:
		if cs, ok := l.allFolded(e.Elts); ok {
			return pyc.Tuple(cs), true
		}
	case *pyast.Set:
		if !set || len(e.Elts) == 0 {
			return nil, false
		}
		if cs, ok := l.allFolded(e.Elts); ok {
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
