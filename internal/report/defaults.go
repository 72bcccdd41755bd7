package report

import (
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

// The names that a default may use: a module has no others from the start.
var everywhere = []string{
	"True", "False", "None", "NotImplemented", "Ellipsis", "int", "float", "complex", "bool", "str", "bytes", "object", "type",
	"list", "dict", "tuple", "set", "frozenset", "slice", "range", "len", "print",
}

var (
	stringLiteral = lazyregexp.New(`"[^"]*"|'[^']*'`)
	firstName     = lazyregexp.New(`(?:^|[^\w.])([A-Za-z_]\w*)`)
)

// withoutDefaults replaces what the defaults of a function take from its module by
// "...", and says so in a comment: the file that holds the text has not that module's
// names, and defaults are evaluated where it is imported.
func withoutDefaults(src string) string {
	loc := defLine.FindStringIndex(src)
	if loc == nil {
		return src
	}
	var out strings.Builder
	var gone []string
	depth, done := 0, 0
	begin, from := 0, -1 // where the parameter at hand begins, and its default
	for i := loc[1]; i < len(src); i++ {
		switch c := src[i]; c {
		case '#':
			if n := strings.IndexByte(src[i:], '\n'); n >= 0 {
				i += n
			}
			if from < 0 {
				begin = i + 1
			}
			continue
		case '\'', '"':
			if n := strings.IndexByte(src[i+1:], c); n >= 0 {
				i += n + 1
			}
			continue
		case '(', '[', '{':
			if depth++; depth == 1 {
				begin = i + 1
			}
			continue
		case '=':
			if depth == 1 && from < 0 {
				from = i + 1
			}
			continue
		case ',', ')', ']', '}':
			if from >= 0 && depth == 1 {
				if value := strings.TrimSpace(src[from:i]); !evaluable(value) {
					name, _, _ := strings.Cut(src[begin:from-1], ":")
					gone = append(gone, strings.TrimSpace(name)+"="+oneLine(value))
					out.WriteString(src[done:from] + space(src[from:i]) + "...")
					done = i
				}
				from = -1
			}
			if depth == 1 {
				begin = i + 1
			}
			if c != ',' {
				depth--
			}
		default:
			continue
		}
		if depth == 0 {
			break
		}
	}
	if gone == nil {
		return src
	}
	return comment("", "Its defaults, in its own module: "+strings.Join(gone, ", ")) + out.String() + src[done:]
}

// evaluable reports whether an expression can be evaluated in any module.
func evaluable(expr string) bool {
	if strings.HasPrefix(expr, "lambda") {
		return true
	}
	for _, m := range firstName.FindAllStringSubmatch(stringLiteral.ReplaceAllString(expr, "0"), -1) {
		if !slices.Contains(everywhere, m[1]) {
			return false
		}
	}
	return true
}

// space is the white space that a text begins with.
func space(s string) string { return s[:len(s)-len(strings.TrimLeft(s, " "))] }
