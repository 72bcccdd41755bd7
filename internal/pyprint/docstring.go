package pyprint

import (
	"strings"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// docstringOf returns the text of a statement that is a docstring when it
// comes first in a module, class or function.
func docstringOf(s pyast.Stmt) (string, bool) {
	if e, ok := s.(*pyast.ExprStmt); ok {
		if c, ok := e.Value.(*pyast.Constant); ok {
			if s, ok := c.Value.(pyc.Str); ok {
				return string(s), true
			}
		}
	}
	return "", false
}

// IsDocstring reports whether the compiler of a version makes this text of some docstring: since
// 3.13 it takes the margin away.
func IsDocstring(s string, v pyc.Version) bool {
	return !(grammar{v}).stripsDocstrings() || cleanDoc(s) == s
}

// docstring emits a triple-quoted literal.
func (p *printer) docstring(s string) {
	if p.g.stripsDocstrings() && !p.opt.RawDocstrings {
		clean := cleanDoc(s)
		if t := indentLines(clean, strings.Repeat("    ", p.level)); cleanDoc(t) == clean {
			s = t
		}
	}
	raw := strings.Contains(s, `\`) && !strings.Contains(s, `"""`) &&
		!strings.HasSuffix(s, `\`) && !strings.HasSuffix(s, `"`)
	for _, r := range s {
		if r != '\n' && r != '\t' && !printable(r) {
			raw = false
		}
	}
	if raw {
		p.text(`r"""` + s + `"""`)
		return
	}
	var b strings.Builder
	b.WriteString(`"""`)
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\n' || c == '\t':
			b.WriteByte(c)
			i++
		case c == '"' && (i == len(s)-1 || strings.HasPrefix(s[i+1:], `""`)):
			b.WriteString(`\"`)
			i++
		default:
			i += escapeRune(&b, s[i:], 0)
		}
	}
	b.WriteString(`"""`)
	p.text(b.String())
}

// indentLines indents every line that has text, except the first. A last line
// without text gets the indentation too, because the closing quotes are on it.
func indentLines(s, indent string) string {
	lines := strings.Split(s, "\n")
	for i := 1; i < len(lines); i++ {
		if lines[i] != "" || i == len(lines)-1 {
			lines[i] = indent + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// cleanDoc is what the compiler of 3.13 and later does to docstrings
// (_PyCompile_CleanDoc): it strips leading blanks of the first line and the
// common margin of the others.
func cleanDoc(s string) string {
	s = expandTabs(s)
	lines := strings.Split(s, "\n")
	margin := -1
	for _, l := range lines[1:] {
		if t := strings.TrimLeft(l, " "); t != "" {
			if n := len(l) - len(t); margin < 0 || n < margin {
				margin = n
			}
		}
	}
	lines[0] = strings.TrimLeft(lines[0], " ")
	for i := 1; i < len(lines); i++ {
		n := 0
		for n < margin && n < len(lines[i]) && lines[i][n] == ' ' {
			n++
		}
		lines[i] = lines[i][n:]
	}
	return strings.Join(lines, "\n")
}

// expandTabs is str.expandtabs.
func expandTabs(s string) string {
	if !strings.Contains(s, "\t") {
		return s
	}
	var b strings.Builder
	col := 0
	for _, r := range s {
		switch r {
		case '\t':
			n := 8 - col%8
			b.WriteString("        "[:n])
			col += n
		case '\n', '\r':
			b.WriteRune(r)
			col = 0
		default:
			b.WriteRune(r)
			col++
		}
	}
	return b.String()
}
