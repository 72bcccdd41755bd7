package main

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The colours of Python source on a terminal, as SGR parameters.
const (
	colKeyword = "35"
	colString  = "32"
	colNumber  = "36"
	colComment = "90"
	colName    = "34;1" // of a function or class being defined
	colGood    = "32;1"
	colBad     = "31;1"
	colUnsure  = "33;1"
)

func paint(color, text string) string {
	// A terminal's state does not last over lines in every pager.
	return "\x1b[" + color + "m" + strings.ReplaceAll(text, "\n", "\x1b[0m\n\x1b["+color+"m") + "\x1b[0m"
}

var keywords = func() map[string]bool {
	out := map[string]bool{}
	for _, k := range strings.Fields(`False None True and as assert async await break class continue def del elif else except finally for
		from global if import in is lambda nonlocal not or pass raise return try while with yield`) {
		out[k] = true
	}
	return out
}()

// highlight colours Python source. It adds escape sequences and nothing else;
// control characters of the text itself, which a file may have put into a name,
// do not reach the terminal.
func highlight(src string) string {
	src = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return '\ufffd'
		}
		return r
	}, src)
	var out strings.Builder
	after := "" // the word before
	for i := 0; i < len(src); {
		c := src[i]
		switch n := stringEnd(src, i); {
		case n > 0:
			out.WriteString(paint(colString, src[i:n]))
			i = n
		case c == '#':
			n := strings.IndexByte(src[i:], '\n')
			if n < 0 {
				n = len(src) - i
			}
			out.WriteString(paint(colComment, src[i:i+n]))
			i += n
		case c >= '0' && c <= '9':
			n := i
			for n < len(src) && (isWord(rune(src[n])) || src[n] == '.') {
				n++
			}
			out.WriteString(paint(colNumber, src[i:n]))
			i = n
		default:
			r, size := utf8.DecodeRuneInString(src[i:])
			n := i
			for isWord(r) {
				n += size
				r, size = utf8.DecodeRuneInString(src[n:])
			}
			if n == i {
				out.WriteString(src[i : i+size])
				i += size
				continue
			}
			word := src[i:n]
			switch {
			case keywords[word]:
				out.WriteString(paint(colKeyword, word))
			case after == "def" || after == "class":
				out.WriteString(paint(colName, word))
			default:
				out.WriteString(word)
			}
			after, i = word, n
		}
	}
	return out.String()
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// stringEnd returns the end of the string literal that begins at i, prefix
// included, or 0 when none does.
func stringEnd(s string, i int) int {
	p := i
	for p < len(s) && p-i < 3 && strings.IndexByte("rRbBfFuUtT", s[p]) >= 0 {
		p++
	}
	if p == len(s) || s[p] != '"' && s[p] != '\'' {
		return 0
	}
	quote := s[p : p+1]
	if strings.HasPrefix(s[p:], strings.Repeat(quote, 3)) {
		quote = s[p : p+3]
	}
	for k := p + len(quote); k < len(s); k++ {
		switch {
		case s[k] == '\\':
			k++
		case strings.HasPrefix(s[k:], quote):
			return k + len(quote)
		case s[k] == '\n' && len(quote) == 1:
			return 0
		}
	}
	return 0
}

// colorVerdict is the colour of a verdict.
func colorVerdict(v string) string {
	switch v {
	case "exact", "proved":
		return colGood
	case "unproved":
		return colUnsure
	}
	return colBad
}
