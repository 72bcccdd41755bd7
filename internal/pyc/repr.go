package pyc

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Repr returns c as Python's repr() shows it, for listings. It is not meant to
// be compiled: inf, nan, code and host objects have no literal form.
func Repr(c Const) string {
	var b strings.Builder
	repr(&b, c)
	return b.String()
}

func repr(b *strings.Builder, c Const) {
	switch c := c.(type) {
	case None:
		b.WriteString("None")
	case Ellipsis:
		b.WriteString("Ellipsis")
	case StopIteration:
		b.WriteString("<class 'StopIteration'>")
	case Bool:
		if c {
			b.WriteString("True")
		} else {
			b.WriteString("False")
		}
	case Int:
		b.WriteString(c.Big.String())
	case Float:
		b.WriteString(reprFloat(c.Value(), true))
	case Complex:
		reprComplex(b, c)
	case Str:
		quote(b, string(c), false)
	case Bytes:
		b.WriteByte('b')
		quote(b, string(c), true)
	case Tuple:
		b.WriteByte('(')
		reprItems(b, c)
		if len(c) == 1 {
			b.WriteByte(',')
		}
		b.WriteByte(')')
	case List:
		b.WriteByte('[')
		reprItems(b, c)
		b.WriteByte(']')
	case FrozenSet:
		reprSet(b, "frozenset", c)
	case Set:
		reprSet(b, "set", c)
	case Dict:
		reprPairs(b, c)
	case FrozenDict:
		b.WriteString("frozendict(")
		if len(c) > 0 {
			reprPairs(b, c)
		}
		b.WriteByte(')')
	case Slice:
		b.WriteString("slice(")
		reprItems(b, []Const{c.Start, c.Stop, c.Step})
		b.WriteByte(')')
	case *Code:
		fmt.Fprintf(b, "<code object %s, file \"%s\", line %d>", c.Name, c.Filename, c.FirstLine)
	case *Opaque:
		b.WriteString(c.Name)
	default:
		b.WriteString("<NULL>")
	}
}

func reprItems(b *strings.Builder, items []Const) {
	for i, c := range items {
		if i > 0 {
			b.WriteString(", ")
		}
		repr(b, c)
	}
}

func reprSet(b *strings.Builder, name string, items []Const) {
	switch {
	case len(items) == 0:
		b.WriteString(name + "()")
		return
	case name == "frozenset":
		b.WriteString("frozenset({")
		reprItems(b, items)
		b.WriteString("})")
	default:
		b.WriteByte('{')
		reprItems(b, items)
		b.WriteByte('}')
	}
}

func reprPairs(b *strings.Builder, items []DictItem) {
	b.WriteByte('{')
	for i, p := range items {
		if i > 0 {
			b.WriteString(", ")
		}
		repr(b, p.Key)
		b.WriteString(": ")
		repr(b, p.Value)
	}
	b.WriteByte('}')
}

// Value returns the number itself.
func (f Float) Value() float64 { return math.Float64frombits(f.Bits) }

// reprFloat writes f with the fewest digits that read back as f; like Python it
// uses an exponent below 1e-4 and from 1e16 on. point adds ".0" to integers.
func reprFloat(f float64, point bool) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case math.IsNaN(f):
		return "nan"
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	if exp, _ := strconv.Atoi(s[strings.IndexByte(s, 'e')+1:]); exp >= -4 && exp < 16 {
		s = strconv.FormatFloat(f, 'f', -1, 64)
		if point && !strings.Contains(s, ".") {
			s += ".0"
		}
	}
	return s
}

func reprComplex(b *strings.Builder, c Complex) {
	re, im := c.Real.Value(), c.Imag.Value()
	if c.Real.Bits == 0 { // +0.0
		b.WriteString(reprFloat(im, false) + "j")
		return
	}
	b.WriteString("(" + reprFloat(re, false))
	if !math.Signbit(im) || math.IsNaN(im) {
		b.WriteByte('+')
	}
	b.WriteString(reprFloat(im, false) + "j)")
}

// quote writes s in Python's quotes: single ones unless s has single and no
// double quotes.
func quote(b *strings.Builder, s string, bytes bool) {
	q := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		q = '"'
	}
	b.WriteByte(q)
	for i := 0; i < len(s); {
		if bytes || s[i] < utf8.RuneSelf {
			quoteByte(b, s[i], q)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case n == 1 && isSurrogate([]byte(s[i:min(i+3, len(s))])):
			r, n = rune(s[i]&15)<<12|rune(s[i+1]&63)<<6|rune(s[i+2]&63), 3
			fmt.Fprintf(b, `\u%04x`, r)
		case n == 1:
			quoteByte(b, s[i], q)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			fmt.Fprintf(b, `\U%08x`, r)
		}
		i += n
	}
	b.WriteByte(q)
}

func quoteByte(b *strings.Builder, c, q byte) {
	switch {
	case c == q || c == '\\':
		b.WriteByte('\\')
		b.WriteByte(c)
	case c == '\n':
		b.WriteString(`\n`)
	case c == '\r':
		b.WriteString(`\r`)
	case c == '\t':
		b.WriteString(`\t`)
	case c < ' ' || c >= 0x7f:
		fmt.Fprintf(b, `\x%02x`, c)
	default:
		b.WriteByte(c)
	}
}
