package lift

import (
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
func leftPercent(v pyc.Version, left, right pyast.Expr) pyast.Expr {
	c, ok := left.(*pyast.Constant)
	args, isTuple := right.(*pyast.Tuple)
	if !ok || !isTuple || !v.FormatsPercent() {
		return left
	}
	text, ok := c.Value.(pyc.Str)
	if !ok || !turnable.MatchString(string(text)) || strings.Count(strings.ReplaceAll(string(text), "%%", ""), "%") != len(args.Elts) {
		return left
	}
	for _, a := range args.Elts {
		if _, star := a.(*pyast.Starred); star {
			return left
		}
	}
	return &pyast.JoinedStr{Pos: c.Pos, Values: []pyast.Expr{c}}
}

// turnable matches the formats that the compiler turns.
var turnable = lazyregexp.New(`^(?:[^%]|%%|%-?[0-9]{0,3}(?:\.[0-9]{1,3})?[sra])*$`)
