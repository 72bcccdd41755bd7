package pyprint

import (
	"strings"
	"unicode/utf8"

	"github.com/thuml/depyf/internal/pyast"
)

// longStr can break a str (prefix "") or bytes (prefix "b") literal.
type longStr struct{ s, prefix string }

func (l longStr) literal(s string) string {
	if l.prefix == "b" {
		return bytesLiteral(s)
	}
	return strLiteral(s)
}

// width is that of s in a literal, the quotes aside.
func (l longStr) width(s string) int {
	if plain(s) {
		return len(s)
	}
	return textWidth(l.literal(s)) - 2 - len(l.prefix)
}

func (l longStr) pieces(width int) []string {
	words := splitText(l.s, " ")
	atoms := make([]atom, len(words))
	for i, s := range words {
		atoms[i] = atom{text: s, width: l.width(s), nl: strings.HasSuffix(s, "\n")}
	}
	var out []string
	start := 0
	for _, g := range fill(atoms, width-2-len(l.prefix)) {
		end := start
		for _, a := range g {
			end += len(a.text)
		}
		out = l.hardSplit(out, l.s[start:end], width)
		start = end
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// hardSplit cuts text without blanks, such as base64 data, but only where it
// is far too long: a slightly long word is easier to read in one piece.
func (l longStr) hardSplit(out []string, s string, width int) []string {
	lit := l.literal(s)
	if width < 20 || textWidth(lit) <= width*2 {
		return append(out, lit)
	}
	used, start := 2+len(l.prefix), 0
	for i := 0; i < len(s); {
		n := 1
		if l.prefix == "" {
			_, n = utf8.DecodeRuneInString(s[i:])
			if _, ok := surrogate(s[i:]); ok {
				n = 3
			}
		}
		w := l.width(s[i : i+n])
		if used+w > width {
			out = append(out, l.literal(s[start:i]))
			start, used = i, 2+len(l.prefix)
		}
		used += w
		i += n
	}
	return append(out, l.literal(s[start:]))
}

// longFString can break an f-string or t-string.
type longFString struct {
	p      *printer
	prefix string
	values []pyast.Expr
}

// pieces cuts at blanks; where that leaves a piece too wide, at commas too.
func (l longFString) pieces(width int) []string {
	out := l.cut(width, " ")
	for _, s := range out {
		if textWidth(s) > width {
			return l.cut(width, " ,")
		}
	}
	if out == nil {
		out = l.cut(width, " ,")
	}
	return out
}

func (l longFString) cut(width int, ends string) []string {
	var words []atom
	open := false // the last word has not ended with a blank yet
	put := func(a atom) {
		if open {
			w := &words[len(words)-1]
			w.parts = append(w.parts, a.parts...)
			w.width += a.width
			w.nl = a.nl
		} else {
			words = append(words, a)
		}
		open = !a.nl && (a.text == "" || !strings.Contains(ends, a.text[len(a.text)-1:]))
	}
	fields := 0
	for _, v := range l.values {
		if s, ok := strPart(v); ok {
			for _, t := range splitText(s, ends) {
				put(atom{
					text: t, parts: []pyast.Expr{pyast.Str(t)}, nl: strings.HasSuffix(t, "\n"),
					width: textWidth(strLiteral(t)) - 2,
				})
			}
			continue
		}
		fields++
		one := []pyast.Expr{v}
		text, ok := l.p.fliteral(l.prefix, one, nil)
		if !ok {
			return nil
		}
		put(atom{parts: one, width: textWidth(text) - 3})
	}
	var out []string
	for _, g := range fill(words, width-3) {
		var parts []pyast.Expr
		plain := true
		for _, a := range g {
			for _, e := range a.parts {
				s, isStr := strPart(e)
				plain = plain && isStr
				if n := len(parts); isStr && n > 0 {
					if before, ok := strPart(parts[n-1]); ok {
						parts[n-1] = pyast.Str(before + s)
						continue
					}
				}
				parts = append(parts, e)
			}
		}
		if plain && fields > 0 && l.prefix == "f" && len(parts) == 1 {
			s, _ := strPart(parts[0])
			out = append(out, strLiteral(s))
			continue
		}
		text, ok := l.p.fliteral(l.prefix, parts, nil)
		if !ok {
			return nil
		}
		out = append(out, text)
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// atom is a part of a string literal that stays in one piece.
type atom struct {
	text  string
	parts []pyast.Expr // for f-strings
	width int
	nl    bool // ends with a newline
}

// splitText cuts text after newlines and after the characters of ends, which may
// have blanks behind them.
func splitText(s, ends string) []string {
	var out []string
	for s != "" {
		i := strings.IndexAny(s, ends+"\n")
		if i < 0 {
			return append(out, s)
		}
		if s[i] != ' ' && s[i] != '\n' {
			i++
		}
		for i < len(s) && s[i] == ' ' {
			i++
		}
		if i < len(s) && s[i] == '\n' {
			i++
		}
		out = append(out, s[:i])
		s = s[i:]
	}
	return out
}

// fill distributes atoms over lines of at most width columns, beginning a new
// one after every newline.
func fill(atoms []atom, width int) [][]atom {
	var out [][]atom
	start, used := 0, 0
	for i, a := range atoms {
		if i > start && (used+a.width > width || atoms[i-1].nl) {
			out = append(out, atoms[start:i])
			start, used = i, 0
		}
		used += a.width
	}
	return append(out, atoms[start:])
}
