package pyc

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ReprReader reads constants as Python's repr writes them. Named reads what is no
// literal from the front of a text, and says how long it is; 0: it cannot.
type ReprReader struct {
	Named func(text string) (c Const, length int)
	text  string
	at    int
	depth int
}

// Read reads a constant that fills the text; not ok where the text is none.
func (r *ReprReader) Read(text string) (c Const, ok bool) {
	r.text, r.at, r.depth = text, 0, 0
	c, ok = r.one()
	r.space()
	return c, ok && r.at == len(r.text)
}

func (r *ReprReader) space() {
	for r.at < len(r.text) && r.text[r.at] == ' ' {
		r.at++
	}
}

func (r *ReprReader) next(s string) bool {
	r.space()
	if strings.HasPrefix(r.text[r.at:], s) {
		r.at += len(s)
		return true
	}
	return false
}

// maxReprDepth is how deep values may stand in each other.
const maxReprDepth = 200

// singletons are the constants that are spelt as words.
var singletons = []struct {
	text  string
	value Const
}{
	{"None", None{}},
	{"True", Bool(true)},
	{"False", Bool(false)},
	{"Ellipsis", Ellipsis{}},
	{"frozenset()", FrozenSet(nil)},
}

func (r *ReprReader) one() (Const, bool) {
	r.space()
	for _, w := range singletons {
		if r.next(w.text) {
			return w.value, true
		}
	}
	rest := r.text[r.at:]
	if r.Named != nil {
		if c, n := r.Named(rest); n > 0 {
			r.at += n
			return c, true
		}
	}
	switch {
	case rest == "":
		return nil, false
	case rest[0] == '(':
		r.at++
		if c, ok := r.complexNumber(); ok {
			return c, true
		}
		list, ok := r.list(")")
		return Tuple(list), ok
	case strings.HasPrefix(rest, "frozenset({"):
		r.at += len("frozenset({")
		list, ok := r.list("}")
		return FrozenSet(list), ok && r.next(")")
	case strings.HasPrefix(rest, "slice("):
		r.at += len("slice(")
		list, ok := r.list(")")
		if !ok || len(list) != 3 {
			return nil, false
		}
		return Slice{Start: list[0], Stop: list[1], Step: list[2]}, true
	case rest[0] == '\'' || rest[0] == '"':
		s, ok := r.quoted()
		return Str(s), ok
	case strings.HasPrefix(rest, "b'") || strings.HasPrefix(rest, `b"`):
		r.at++
		s, ok := r.quotedBytes()
		return Bytes(s), ok
	}
	return r.number()
}

func (r *ReprReader) list(end string) ([]Const, bool) {
	var out []Const
	r.depth++
	defer func() { r.depth-- }()
	for !r.next(end) {
		if r.depth > maxReprDepth {
			return nil, false
		}
		c, ok := r.one()
		if !ok {
			return nil, false
		}
		out = append(out, c)
		if !r.next(",") {
			return out, r.next(end)
		}
	}
	return out, true
}

// quoted reads a string. repr escapes what is not printable, and the quotes around it.
func (r *ReprReader) quoted() (string, bool) {
	quote := r.text[r.at]
	r.at++
	var b []byte
	for r.at < len(r.text) {
		c := r.text[r.at]
		r.at++
		switch {
		case c == quote:
			return string(b), true
		case c != '\\':
			b = append(b, c)
			continue
		}
		n, ok := r.escape()
		if !ok {
			return "", false
		}
		b = appendWTF8(b, n)
	}
	return "", false
}

func (r *ReprReader) quotedBytes() (string, bool) {
	quote := r.text[r.at]
	r.at++
	var b []byte
	for r.at < len(r.text) {
		c := r.text[r.at]
		r.at++
		if c == quote {
			return string(b), true
		}
		if c == '\\' {
			n, ok := r.escape()
			if !ok {
				return "", false
			}
			c = byte(n)
		}
		b = append(b, c)
	}
	return "", false
}

func (r *ReprReader) escape() (rune, bool) {
	if r.at >= len(r.text) {
		return 0, false
	}
	c := r.text[r.at]
	r.at++
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	if digits > 0 {
		if r.at+digits > len(r.text) {
			return 0, false
		}
		n, err := strconv.ParseInt(r.text[r.at:r.at+digits], 16, 32)
		r.at += digits
		return rune(n), err == nil
	}
	plain, ok := map[byte]rune{'n': '\n', 't': '\t', 'r': '\r', '\\': '\\', '\'': '\'', '"': '"'}[c]
	return plain, ok
}

// appendWTF8 appends a code point, which may be a lone surrogate.
func appendWTF8(b []byte, c rune) []byte {
	if c >= 0xd800 && c < 0xe000 {
		return append(b, 0xe0|byte(c>>12), 0x80|byte(c>>6)&0x3f, 0x80|byte(c)&0x3f)
	}
	return utf8.AppendRune(b, c)
}

// token is the text of a number.
func (r *ReprReader) token() string {
	r.space()
	from := r.at
	for r.at < len(r.text) && (strings.IndexByte("0123456789.+-einfaj_", r.text[r.at]) >= 0) {
		c := r.text[r.at]
		if (c == '+' || c == '-') && r.at > from && r.text[r.at-1] != 'e' {
			break
		}
		r.at++
	}
	return r.text[from:r.at]
}

func (r *ReprReader) number() (Const, bool) {
	t := r.token()
	if n, ok := new(big.Int).SetString(t, 10); ok {
		return Int{Big: n}, true
	}
	if im, ok := strings.CutSuffix(t, "j"); ok {
		f, err := strconv.ParseFloat(im, 64)
		return Complex{Imag: bits(f)}, err == nil
	}
	f, err := strconv.ParseFloat(t, 64)
	return bits(f), t != "" && (err == nil || math.IsInf(f, 0))
}

func bits(f float64) Float { return Float{Bits: math.Float64bits(f)} }

// complexNumber reads "1+2j)", behind the parenthesis.
func (r *ReprReader) complexNumber() (Const, bool) {
	from := r.at
	re, err := strconv.ParseFloat(r.token(), 64)
	im, ok := strings.CutSuffix(r.token(), "j")
	f, err2 := strconv.ParseFloat(im, 64)
	if err != nil || err2 != nil || !ok || !r.next(")") {
		r.at = from
		return nil, false
	}
	return Complex{Real: bits(re), Imag: bits(f)}, true
}
