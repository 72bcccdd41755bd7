package lift

import (
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// leftPercent is the left operand of a % that the compiler has left alone
// although it turns such a formatting into an f-string (3.11+): then an f-string
// without fields stood there.
//
//	f"%s of %r" % (a, b)
//
// Where constants are computed behind that, an operand that was computed stood there, and the tuple may be a constant (3.14+):
//
//	("%s" + " of %r") % (1, 2)
func leftPercent(v pyc.Version, left, right pyast.Expr) pyast.Expr {
	c, ok := left.(*pyast.Constant)
	if !ok || !v.FormatsPercent() {
		return left
	}
	n := operands(v, right)
	text, ok := c.Value.(pyc.Str)
	if !ok || !turnable.MatchString(string(text)) || strings.Count(strings.ReplaceAll(string(text), "%%", ""), "%") != n {
		return left
	}
	return &pyast.JoinedStr{Pos: c.Pos, Values: []pyast.Expr{c}}
}

// operands is how many values the compiler sees in the tuple on the right of a %, or -1 where it sees none.
func operands(v pyc.Version, e pyast.Expr) int {
	switch e := e.(type) {
	case *pyast.Tuple:
		if !slices.ContainsFunc(e.Elts, func(x pyast.Expr) bool { _, star := x.(*pyast.Starred); return star }) {
			return len(e.Elts)
		}
	case *pyast.Constant:
		if t, ok := e.Value.(pyc.Tuple); ok && v.FoldsLate() {
			return len(t)
		}
	}
	return -1
}

// turnable matches the formats that the compiler turns.
var turnable = lazyregexp.New(`^(?:[^%]|%%|%-?[0-9]{0,3}(?:\.[0-9]{1,3})?[sra])*$`)
