package sugar

import (
	"strings"

	"github.com/thuml/depyf/internal/evidence"
	"github.com/thuml/depyf/internal/lazyregexp"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// percent restores the % formatting that the compiler turns into an f-string
// (3.11+).
//
//	f"{a!s} of {b!r}"   →   "%s of %r" % (a, b)
//
// The two compile to the same instructions, but a field made of `%s` stands in
// the source where its value stands, and one of an f-string around it.
func percent(list []pyast.Stmt) {
	pyast.RewriteOwn(list, func(e pyast.Expr) pyast.Expr {
		if j, ok := e.(*pyast.JoinedStr); ok {
			if b := asPercent(j); b != nil {
				b.Pos = j.Pos
				return b
			}
		}
		return e
	})
}

var percentSpec = lazyregexp.New(`^(>?)([1-9][0-9]*)?((?:\.[0-9]+)?)$`)

func asPercent(j *pyast.JoinedStr) *pyast.BinOp {
	args := &pyast.Tuple{}
	var text strings.Builder
	str := false
	for _, v := range j.Values {
		switch x := v.(type) {
		case *pyast.Constant:
			s, ok := x.Value.(pyc.Str)
			if !ok {
				return nil
			}
			text.WriteString(strings.ReplaceAll(string(s), "%", "%%"))
		case *pyast.FormattedValue:
			if x.Conversion == 0 {
				return nil
			}
			if _, star := x.Value.(*pyast.Starred); star {
				return nil
			}
			line, col := evidence.Leftmost(x.Value)
			switch {
			case x.Col == 0 || col == 0:
				str = str || x.Conversion == 's' // nobody writes `!s`
			case x.Line == line && x.Col == col:
				str = true
			default:
				return nil
			}
			spec, ok := constSpec(x.FormatSpec)
			m := percentSpec.FindStringSubmatch(spec)
			if !ok || m == nil || m[1] != "" && m[2] == "" {
				return nil
			}
			text.WriteByte('%')
			if m[1] == "" && m[2] != "" {
				text.WriteByte('-')
			}
			text.WriteString(m[2] + m[3] + string(x.Conversion))
			args.Elts = append(args.Elts, x.Value)
		default:
			return nil
		}
	}
	if !str {
		return nil
	}
	return &pyast.BinOp{Left: pyast.Str(text.String()), Op: pyast.Mod, Right: args}
}

// constSpec is the text of a format specification without fields.
func constSpec(e pyast.Expr) (string, bool) {
	if e == nil {
		return "", true
	}
	j, ok := e.(*pyast.JoinedStr)
	if !ok || len(j.Values) > 1 {
		return "", false
	}
	if len(j.Values) == 0 {
		return "", true
	}
	c, ok := j.Values[0].(*pyast.Constant)
	if !ok {
		return "", false
	}
	s, ok := c.Value.(pyc.Str)
	return string(s), ok && s != ""
}
