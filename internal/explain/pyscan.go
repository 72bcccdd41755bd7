package explain

import "strings"

// tokKind is the kind of a token of Python text.
type tokKind uint8

const (
	tokName tokKind = iota
	tokNumber
	tokString
	tokOp
	tokComment
	tokNewline
)

type token struct {
	kind       tokKind
	start, end int
}

// scan is the token list of a text and what was wrong with it.
type scan struct {
	src    string
	tokens []token
	bad    string // "" when strings end and brackets match
}

func (s scan) text(t token) string { return s.src[t.start:t.end] }

// scanPython splits Python text into tokens. It knows just enough of the
// language to tell comments from strings and to match brackets; f-strings are
// taken as plain strings (a nested quote of the same kind, allowed since 3.12,
// is followed through its braces).
func scanPython(src string) scan {
	// Graphs, which are most of what is read, have a token every three to four bytes.
	s := scan{src: src, tokens: make([]token, 0, len(src)/3+4)}
	s.each(func(t token) { s.tokens = append(s.tokens, t) })
	return s
}

// each splits the text, hands the tokens on one by one and notes what is wrong.
func (s *scan) each(yield func(token)) {
	src := s.src
	var open []byte
	for i := 0; i < len(src); {
		c := src[i]
		start := i
		kind := tokOp
		switch {
		case c == '\n':
			i++
			kind = tokNewline
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\\':
			i++
			continue
		case c == '#':
			for i < len(src) && src[i] != '\n' {
				i++
			}
			kind = tokComment
		case c == '"' || c == '\'':
			i = s.endString(i, false)
			kind = tokString
		case c >= '0' && c <= '9' || c == '.' && i+1 < len(src) && isDigit(src[i+1]):
			i = endNumber(src, i)
			kind = tokNumber
		case isIdent(c):
			for i < len(src) && (isIdent(src[i]) || isDigit(src[i])) {
				i++
			}
			kind = tokName
			if i < len(src) && (src[i] == '"' || src[i] == '\'') && isStringPrefix(src[start:i]) {
				i = s.endString(i, strings.ContainsAny(src[start:i], "fFtT"))
				kind = tokString
			}
		default:
			i += opLen(src[i:])
			switch c {
			case '(', '[', '{':
				open = append(open, c)
			case ')', ']', '}':
				if len(open) == 0 || closing(open[len(open)-1]) != c {
					s.fail("unbalanced " + string(c))
				} else {
					open = open[:len(open)-1]
				}
			}
		}
		yield(token{kind, start, i})
	}
	if len(open) > 0 {
		s.fail("unclosed " + string(open[len(open)-1]))
	}
}

func (s *scan) fail(why string) {
	if s.bad == "" {
		s.bad = why
	}
}

// endString returns the offset after the string literal whose quote is at i.
func (s *scan) endString(i int, formatted bool) int {
	src := s.src
	q := src[i : i+1]
	if strings.HasPrefix(src[i:], q+q+q) {
		q = q + q + q
	}
	depth := 0 // braces of a formatted string
	for i += len(q); i < len(src); {
		switch {
		case src[i] == '\\' && i+1 < len(src):
			i += 2
		case depth == 0 && strings.HasPrefix(src[i:], q):
			return i + len(q)
		case formatted && depth > 0 && (src[i] == '"' || src[i] == '\''):
			if src[i] == q[0] && !quotePairs(src[i:], q) {
				return i + len(q) // before 3.12: the literal ends here
			}
			i = s.endString(i, false)
		case src[i] == '\n' && len(q) == 1 && depth == 0:
			s.fail("unclosed string")
			return i
		case formatted && strings.HasPrefix(src[i:], "{{") && depth == 0:
			i += 2
		case formatted && src[i] == '{':
			depth++
			i++
		case formatted && src[i] == '}' && depth > 0:
			depth--
			i++
		default:
			i++
		}
	}
	s.fail("unclosed string")
	return len(src)
}

// quotePairs reports whether the quote that s begins with has a partner on the
// same line that is followed by another quote of the same kind.
func quotePairs(s, q string) bool {
	line, _, _ := strings.Cut(s, "\n")
	return strings.Count(line, q[:1]) >= 3
}

// opLen is the length of the operator that s begins with.
func opLen(s string) int {
	if len(s) < 2 {
		return 1
	}
	same := s[1] == s[0]
	switch s[0] {
	case '(', ')', '[', ']', '{', '}', ',', ';', '~':
		return 1
	case '.':
		if strings.HasPrefix(s, "...") {
			return 3
		}
		return 1
	case '*', '/', '<', '>':
		switch {
		case same && len(s) > 2 && s[2] == '=':
			return 3
		case same || s[1] == '=':
			return 2
		}
	case '-':
		if s[1] == '>' || s[1] == '=' {
			return 2
		}
	case ':', '=', '!', '+', '%', '&', '|', '^', '@':
		if s[1] == '=' {
			return 2
		}
	}
	return 1
}

func endNumber(src string, i int) int {
	for i < len(src) {
		c := src[i]
		switch {
		case isDigit(c) || isIdent(c) || c == '.':
			i++
		case (c == '+' || c == '-') && (src[i-1] == 'e' || src[i-1] == 'E') && !strings.EqualFold(src[max(0, i-3):i-1], "0x"):
			i++
		default:
			return i
		}
	}
	return i
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isIdent(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func isStringPrefix(s string) bool {
	switch strings.ToLower(s) {
	case "r", "u", "b", "f", "t", "br", "rb", "fr", "rf", "tr", "rt":
		return true
	}
	return false
}

func closing(c byte) byte {
	switch c {
	case '(':
		return ')'
	case '[':
		return ']'
	}
	return '}'
}

var pyKeywords = map[string]bool{
	"False": true, "None": true, "True": true, "and": true, "as": true, "assert": true, "async": true,
	"await": true, "break": true, "class": true, "continue": true, "def": true, "del": true, "elif": true,
	"else": true, "except": true, "finally": true, "for": true, "from": true, "global": true, "if": true,
	"import": true, "in": true, "is": true, "lambda": true, "nonlocal": true, "not": true, "or": true,
	"pass": true, "raise": true, "return": true, "try": true, "while": true, "with": true, "yield": true,
}

// Balanced is the check for text that no interpreter is at hand for: every
// string ends and every bracket has its partner. It returns what is wrong.
func Balanced(src string) string {
	s := scan{src: src}
	s.each(func(token) {})
	return s.bad
}
