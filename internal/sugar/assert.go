package sugar

import (
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// AssertionName is the name under which the lifter shows the AssertionError
// that only an assert statement loads (3.9+).
const AssertionName = "AssertionError"

// asserts restores assert statements.
//
//	if not a:                       →   assert a, b
//	    raise AssertionError(b)
func asserts(list []pyast.Stmt, byName bool) []pyast.Stmt {
	return eachList(list, func(l []pyast.Stmt) []pyast.Stmt {
		for i, s := range l {
			if msg, at, ok := assertion(s, false); ok {
				// A test that the compiler knows to fail: `assert 0`.
				l[i] = &pyast.Assert{Pos: at, Test: pyast.Bool(false), Msg: msg}
				continue
			}
			if r, ok := s.(*pyast.Raise); ok && r.Cause == nil && !byName {
				// `assert 0`: the compiler knows that it fails.
				if msg, ok := assertionMessage(r.Exc); ok {
					a := &pyast.Assert{Test: pyast.Bool(false), Msg: msg}
					a.Pos = r.Pos
					l[i] = a
				}
				continue
			}
			n, ok := s.(*pyast.If)
			if !ok || len(n.Body) != 1 || len(n.OrElse) > 0 {
				continue
			}
			var msg pyast.Expr
			var at pyast.Pos
			if a, done := n.Body[0].(*pyast.Assert); done {
				if !isFalse(a.Test) {
					continue
				}
				msg, at = a.Msg, a.Pos
			} else if msg, at, ok = assertion(n.Body[0], byName); !ok {
				continue
			}
			l[i] = &pyast.Assert{Pos: at, Test: negate(n.Test), Msg: msg}
		}
		return l
	})
}

// assertion reports whether s raises AssertionError as an assert statement
// does, and returns its message and where the statement stands: that is the place of the
// exception (3.9+). Until 3.8 the exception is the global of that name.
func assertion(s pyast.Stmt, byName bool) (msg pyast.Expr, at pyast.Pos, ok bool) {
	r, ok := s.(*pyast.Raise)
	if !ok || r.Cause != nil {
		return nil, at, false
	}
	e := r.Exc
	if c, ok := e.(*pyast.Call); ok && len(c.Args) == 1 && len(c.Keywords) == 0 {
		if _, star := c.Args[0].(*pyast.Starred); star {
			return nil, at, false
		}
		msg, e = c.Args[0], c.Func
	}
	switch v := e.(type) {
	case *pyast.Verbatim:
		return msg, v.Pos, v.Text == AssertionName
	case *pyast.Name:
		return msg, v.Pos, byName && v.Id == AssertionName
	}
	return nil, at, false
}

// assertionMessage returns the message of an AssertionError that only an
// assert statement loads.
func assertionMessage(e pyast.Expr) (msg pyast.Expr, ok bool) {
	if c, isCall := e.(*pyast.Call); isCall && len(c.Args) == 1 && len(c.Keywords) == 0 {
		msg, e = c.Args[0], c.Func
	}
	v, ok := e.(*pyast.Verbatim)
	return msg, ok && v.Text == AssertionName
}

func isFalse(e pyast.Expr) bool {
	c, ok := e.(*pyast.Constant)
	if !ok {
		return false
	}
	b, ok := c.Value.(pyc.Bool)
	return ok && !bool(b)
}

// negate is `not e`, with a double negation removed.
func negate(e pyast.Expr) pyast.Expr {
	switch x := e.(type) {
	case *pyast.UnaryOp:
		if x.Op == pyast.Not {
			return x.Operand
		}
	case *pyast.Compare:
		if len(x.Ops) == 1 {
			other := map[pyast.CmpOpKind]pyast.CmpOpKind{
				pyast.Is: pyast.IsNot, pyast.IsNot: pyast.Is, pyast.In: pyast.NotIn, pyast.NotIn: pyast.In,
			}
			if op, ok := other[x.Ops[0]]; ok {
				c := pyast.Cmp(x.Left, op, x.Comparators[0])
				c.Pos = x.Pos
				c.Sense = c.Sense.Other()
				return c
			}
		}
	case *pyast.BoolOp:
		// `not a or not b` came from `a and b`: one `not` around reads better
		// only when every operand is negated.
		all := true
		for _, v := range x.Values {
			u, ok := v.(*pyast.UnaryOp)
			all = all && ok && u.Op == pyast.Not
		}
		if all {
			out := &pyast.BoolOp{Op: pyast.And + pyast.Or - x.Op}
			for _, v := range x.Values {
				out.Values = append(out.Values, v.(*pyast.UnaryOp).Operand)
			}
			return out
		}
	}
	return pyast.NotE(e)
}
