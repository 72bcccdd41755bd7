package pyast

import (
	"math/big"

	"github.com/thuml/depyf/internal/pyc"
)

// The builders below keep passes and tests readable. They set no position.

// N is a name.
func N(id string) *Name { return &Name{Id: id} }

// Const is a literal of any constant.
func Const(c pyc.Const) *Constant { return &Constant{Value: c} }

// Str is a string literal.
func Str(s string) *Constant { return &Constant{Value: pyc.Str(s)} }

// Int is an integer literal.
func Int(i int64) *Constant { return &Constant{Value: pyc.Int{Big: big.NewInt(i)}} }

// Bool is True or False.
func Bool(b bool) *Constant { return &Constant{Value: pyc.Bool(b)} }

// None is None.
func None() *Constant { return &Constant{Value: pyc.None{}} }

// CallE is a call with positional arguments only.
func CallE(f Expr, args ...Expr) *Call { return &Call{Func: f, Args: args} }

// Attr is base.attr.
func Attr(base Expr, attr string) *Attribute { return &Attribute{Value: base, Attr: attr} }

// Index is base[index].
func Index(base, index Expr) *Subscript { return &Subscript{Value: base, Slice: index} }

// NotE is `not e`.
func NotE(e Expr) *UnaryOp { return &UnaryOp{Op: Not, Operand: e} }

// Join builds `x op y …` as the parser does: flat, without brackets around operands of op.
func Join(op BoolOpKind, operands ...Expr) *BoolOp {
	out := &BoolOp{Op: op}
	for _, e := range operands {
		if b, ok := e.(*BoolOp); ok && b.Op == op {
			out.Values = append(out.Values, b.Values...)
		} else {
			out.Values = append(out.Values, e)
		}
	}
	return out
}

// Cmp is a comparison of two operands.
func Cmp(l Expr, op CmpOpKind, r Expr) *Compare {
	return &Compare{Left: l, Ops: []CmpOpKind{op}, Comparators: []Expr{r}}
}

// AssignS is `target = value`.
func AssignS(target, value Expr) *Assign {
	return &Assign{Targets: []Expr{target}, Value: value}
}

// ES is an expression statement.
func ES(e Expr) *ExprStmt { return &ExprStmt{Value: e} }
