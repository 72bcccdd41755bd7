package pyast_test

import (
	"testing"

	. "github.com/thuml/depyf/internal/pyast"
)

func TestSameTest(t *testing.T) {
	a, b, c := N("a"), N("b"), N("c")
	and := func(v ...Expr) Expr { return &BoolOp{Op: And, Values: v} }
	or := func(v ...Expr) Expr { return &BoolOp{Op: Or, Values: v} }
	not := func(e Expr) Expr { return NotE(e) }
	for _, x := range []struct {
		name           string
		one, other     Expr
		same, opposite bool
	}{
		{"a name", a, a, true, false},
		{"other names", a, b, false, false},
		{"not", not(a), a, false, true},
		{"two nots", not(not(a)), a, true, false},
		{"De Morgan", and(a, not(b)), or(not(a), b), false, true},
		{"De Morgan, negated", not(and(a, b)), or(not(a), not(b)), true, false},
		{"association", and(a, and(b, c)), and(and(a, b), c), true, false},
		{"association below a not", and(a, not(or(b, c))), and(and(a, not(b)), not(c)), true, false},
		{"precedence", and(a, or(b, c)), or(and(a, b), c), false, false},
		{"order", and(a, b), and(b, a), false, false},
		{"fewer", and(a, b), and(a, and(b, c)), false, false},
		{"is", Cmp(a, Is, b), Cmp(a, IsNot, b), false, true},
		{"less is not the opposite of greater", Cmp(a, Lt, b), Cmp(a, GtE, b), false, false},
		{"less", Cmp(a, Lt, b), not(Cmp(a, Lt, b)), false, true},
	} {
		if got := SameTest(x.one, x.other, false); got != x.same {
			t.Errorf("%s: the same: %v", x.name, got)
		}
		if got := SameTest(x.other, x.one, true); got != x.opposite {
			t.Errorf("%s: the opposite: %v", x.name, got)
		}
	}
}
