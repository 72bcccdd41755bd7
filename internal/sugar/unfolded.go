package sugar

import (
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// unfolded keeps the compiler from computing an operation on constants that it has
// not computed in the source. There the operand was a choice, which is made only after
// constants are folded (Python/ast_opt.c and Python/flowgraph.c of CPython):
//
//	"" + "x"   →   ("" or "") + "x"
func unfolded(list []pyast.Stmt, v pyc.Version) {
	for _, s := range list {
		pyast.Rewrite(s, func(e pyast.Expr) pyast.Expr {
			switch x := e.(type) {
			case *pyast.UnaryOp:
				if c, ok := x.Operand.(*pyast.Constant); ok && foldsUnary(x.Op, c.Value) && !(isTuple(c) && v.TestsTuples()) {
					x.Operand = choice(c)
				}
			case *pyast.BinOp:
				l, left := x.Left.(*pyast.Constant)
				r, right := x.Right.(*pyast.Constant)
				if !left || !right || !foldsBinary(x.Op, l.Value, r.Value) {
					break
				}
				if isTuple(l) && v.TestsTuples() {
					x.Right = choice(r)
				} else {
					x.Left = choice(l)
				}
			case *pyast.Subscript:
				list, value := x.Value.(*pyast.Constant)
				i, index := x.Slice.(*pyast.Constant)
				if value && index && foldsIndex(list.Value, i.Value) {
					x.Slice = choice(i)
				}
			}
			return e
		})
	}
}

func isTuple(c *pyast.Constant) bool {
	_, ok := c.Value.(pyc.Tuple)
	return ok
}

// choice is an expression that compiles to c and is no constant to the folding.
func choice(c *pyast.Constant) pyast.Expr {
	op := pyast.Or
	if truth(c.Value) {
		op = pyast.And
	}
	again := *c
	return &pyast.BoolOp{Pos: c.Pos, Op: op, Values: []pyast.Expr{c, &again}}
}

func truth(c pyc.Const) bool {
	switch x := c.(type) {
	case pyc.None:
		return false
	case pyc.Bool:
		return bool(x)
	case pyc.Int:
		return x.Big.Sign() != 0
	case pyc.Float:
		return x.Value() != 0
	case pyc.Complex:
		return x.Real.Value() != 0 || x.Imag.Value() != 0
	case pyc.Str:
		return x != ""
	case pyc.Bytes:
		return x != ""
	case pyc.Tuple:
		return len(x) > 0
	}
	return true
}
