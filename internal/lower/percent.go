package lower

import (
	"strings"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// percent is the f-string that the compiler makes of `"…" % (…)` (3.11+, optimize_format in
// Python/ast_opt.c).
func (l *lowerer) percent(e *pyast.BinOp) (*pyast.JoinedStr, bool) {
	if !l.v.FormatsPercent() || e.Op != pyast.Mod {
		return nil, false
	}
	c, ok := e.Left.(*pyast.Constant)
	if !ok {
		return nil, false
	}
	s, ok := c.Value.(pyc.Str)
	if !ok {
		return nil, false
	}
	var args []pyast.Expr
	switch r := e.Right.(type) {
	case *pyast.Tuple:
		if args = r.Elts; pyast.HasStarred(args) {
			return nil, false
		}
	case *pyast.Constant:
		t, ok := r.Value.(pyc.Tuple)
		if !ok || l.v.AnnotationsAreLazy() {
			return nil, false
		}
		for _, c := range t {
			args = append(args, &pyast.Constant{Value: c})
		}
	default:
		return nil, false
	}
	if _, ok := l.folded(e.Right); ok && !l.v.AnnotationsAreLazy() {
		return nil, false // a constant by then
	}
	f := &pyast.JoinedStr{}
	text := string(s)
	for {
		var literal string
		literal, text, ok = formatLiteral(text)
		if literal != "" {
			f.Values = append(f.Values, &pyast.Constant{Value: pyc.Str(literal)})
		}
		if !ok {
			break
		}
		if len(args) == 0 {
			return nil, false
		}
		v, rest, ok := formatUnit(text, args[0])
		if !ok {
			return nil, false
		}
		args, text = args[1:], rest
		f.Values = append(f.Values, v)
	}
	return f, len(args) == 0
}

// formatLiteral reads up to the next conversion; more says that there is one.
func formatLiteral(s string) (literal, rest string, more bool) {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '%')
		if i < 0 {
			return b.String() + s, "", false
		}
		b.WriteString(s[:i])
		if s = s[i+1:]; !strings.HasPrefix(s, "%") {
			return b.String(), s, true
		}
		b.WriteByte('%')
		s = s[1:]
	}
}

// formatUnit reads one conversion behind its %.
func formatUnit(s string, arg pyast.Expr) (v *pyast.FormattedValue, rest string, ok bool) {
	left := false
	for len(s) > 0 && s[0] == '-' {
		left = true
		s = s[1:]
	}
	digits := func() (string, bool) {
		n := 0
		for n < len(s) && '0' <= s[n] && s[n] <= '9' {
			n++
		}
		d := s[:n]
		s = s[n:]
		return strings.TrimLeft(d, "0"), n <= 3
	}
	if strings.HasPrefix(s, "0") {
		return nil, "", false // the flag
	}
	width, ok := digits()
	if !ok {
		return nil, "", false
	}
	spec := ""
	if width != "" && !left {
		spec = ">"
	}
	spec += width
	if strings.HasPrefix(s, ".") {
		s = s[1:]
		prec, ok := digits()
		if !ok {
			return nil, "", false
		}
		if prec == "" {
			prec = "0"
		}
		spec += "." + prec
	}
	if s == "" || !strings.Contains("sra", s[:1]) {
		return nil, "", false
	}
	v = &pyast.FormattedValue{Value: arg, Conversion: rune(s[0])}
	if spec != "" {
		v.FormatSpec = &pyast.JoinedStr{Values: []pyast.Expr{&pyast.Constant{Value: pyc.Str(spec)}}}
	}
	return v, s[1:], true
}
