package listing

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/pyc"
)

// literals reads values as repr writes them.
type literals struct {
	text   string
	at     int
	depth  int
	codes  map[string]*pyc.Code // by repr
	opaque func(text string) pyc.Const
}

// value reads all of a text; what is no literal is an object that the listing only names.
func (l *literals) value(text string) pyc.Const {
	l.text, l.at = text, 0
	c, ok := l.one()
	l.space()
	if !ok || l.at != len(l.text) {
		return l.opaque(text)
	}
	return c
}

func (l *literals) space() {
	for l.at < len(l.text) && l.text[l.at] == ' ' {
		l.at++
	}
}

func (l *literals) next(s string) bool {
	l.space()
	if strings.HasPrefix(l.text[l.at:], s) {
		l.at += len(s)
		return true
	}
	return false
}

// maxDepth is how deep values may stand in each other.
const maxDepth = 200

var words = []struct {
	text  string
	value pyc.Const
}{
	{"None", pyc.None{}},
	{"True", pyc.Bool(true)},
	{"False", pyc.Bool(false)},
	{"Ellipsis", pyc.Ellipsis{}},
	{"frozenset()", pyc.FrozenSet(nil)},
}

func (l *literals) one() (pyc.Const, bool) {
	l.space()
	for _, w := range words {
		if l.next(w.text) {
			return w.value, true
		}
	}
	rest := l.text[l.at:]
	switch {
	case rest == "":
		return nil, false
	case strings.HasPrefix(rest, "<code object "):
		for repr, c := range l.codes {
			if strings.HasPrefix(rest, repr) {
				l.at += len(repr)
				return c, true
			}
		}
		return nil, false
	case rest[0] == '(':
		l.at++
		if c, ok := l.complexNumber(); ok {
			return c, true
		}
		list, ok := l.list(")")
		return pyc.Tuple(list), ok
	case strings.HasPrefix(rest, "frozenset({"):
		l.at += len("frozenset({")
		list, ok := l.list("}")
		return pyc.FrozenSet(list), ok && l.next(")")
	case strings.HasPrefix(rest, "slice("):
		l.at += len("slice(")
		list, ok := l.list(")")
		if !ok || len(list) != 3 {
			return nil, false
		}
		return pyc.Slice{Start: list[0], Stop: list[1], Step: list[2]}, true
	case rest[0] == '\'' || rest[0] == '"':
		s, ok := l.quoted()
		return pyc.Str(s), ok
	case strings.HasPrefix(rest, "b'") || strings.HasPrefix(rest, `b"`):
		l.at++
		s, ok := l.quotedBytes()
		return pyc.Bytes(s), ok
	}
	return l.number()
}

func (l *literals) list(end string) ([]pyc.Const, bool) {
	var out []pyc.Const
	l.depth++
	defer func() { l.depth-- }()
	for !l.next(end) {
		if l.depth > maxDepth {
			return nil, false
		}
		c, ok := l.one()
		if !ok {
			return nil, false
		}
		out = append(out, c)
		if !l.next(",") {
			return out, l.next(end)
		}
	}
	return out, true
}

// quoted reads a string. repr escapes what is not printable, and the quotes around it.
func (l *literals) quoted() (string, bool) {
	quote := l.text[l.at]
	l.at++
	var b []byte
	for l.at < len(l.text) {
		c := l.text[l.at]
		l.at++
		switch {
		case c == quote:
			return string(b), true
		case c != '\\':
			b = append(b, c)
			continue
		}
		n, ok := l.escape()
		if !ok {
			return "", false
		}
		b = appendWTF8(b, n)
	}
	return "", false
}

func (l *literals) quotedBytes() (string, bool) {
	quote := l.text[l.at]
	l.at++
	var b []byte
	for l.at < len(l.text) {
		c := l.text[l.at]
		l.at++
		if c == quote {
			return string(b), true
		}
		if c == '\\' {
			n, ok := l.escape()
			if !ok {
				return "", false
			}
			c = byte(n)
		}
		b = append(b, c)
	}
	return "", false
}

func (l *literals) escape() (rune, bool) {
	if l.at >= len(l.text) {
		return 0, false
	}
	c := l.text[l.at]
	l.at++
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	if digits > 0 {
		if l.at+digits > len(l.text) {
			return 0, false
		}
		n, err := strconv.ParseInt(l.text[l.at:l.at+digits], 16, 32)
		l.at += digits
		return rune(n), err == nil
	}
	plain, ok := map[byte]rune{'n': '\n', 't': '\t', 'r': '\r', '\\': '\\', '\'': '\'', '"': '"'}[c]
	return plain, ok
}

// appendWTF8 appends a code point, which may be a lone surrogate.
func appendWTF8(b []byte, r rune) []byte {
	if r >= 0xd800 && r < 0xe000 {
		return append(b, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f|0x80, 0x80|byte(r)&0x3f)
	}
	return append(b, string(r)...)
}

// token is the text of a number.
func (l *literals) token() string {
	l.space()
	from := l.at
	for l.at < len(l.text) && (strings.IndexByte("0123456789.+-einfaj_", l.text[l.at]) >= 0) {
		c := l.text[l.at]
		if (c == '+' || c == '-') && l.at > from && l.text[l.at-1] != 'e' {
			break
		}
		l.at++
	}
	return l.text[from:l.at]
}

func (l *literals) number() (pyc.Const, bool) {
	t := l.token()
	if n, ok := new(big.Int).SetString(t, 10); ok {
		return pyc.Int{Big: n}, true
	}
	if im, ok := strings.CutSuffix(t, "j"); ok {
		f, err := strconv.ParseFloat(im, 64)
		return pyc.Complex{Imag: bits(f)}, err == nil
	}
	f, err := strconv.ParseFloat(t, 64)
	return bits(f), t != "" && (err == nil || math.IsInf(f, 0))
}

func bits(f float64) pyc.Float { return pyc.Float{Bits: math.Float64bits(f)} }

// complexNumber reads "1+2j)", behind the parenthesis.
func (l *literals) complexNumber() (pyc.Const, bool) {
	from := l.at
	re, err := strconv.ParseFloat(l.token(), 64)
	im, ok := strings.CutSuffix(l.token(), "j")
	f, err2 := strconv.ParseFloat(im, 64)
	if err != nil || err2 != nil || !ok || !l.next(")") {
		l.at = from
		return nil, false
	}
	return pyc.Complex{Real: bits(re), Imag: bits(f)}, true
}

// opaqueName is an identifier for an object that is shown as <…>.
func opaqueName(n int) string { return fmt.Sprintf("___object_%d", n) }
