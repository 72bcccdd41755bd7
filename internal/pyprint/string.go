package pyprint

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// strConst emits a string literal.
func (p *printer) strConst(s string) {
	if p.fstring != nil {
		p.text(p.nestedStr(s, ""))
		return
	}
	p.literal(strLiteral(s), longStr{s, ""})
}

// bytesConst emits a bytes literal.
func (p *printer) bytesConst(s string) {
	if p.fstring != nil {
		p.text(p.nestedStr(s, "b"))
		return
	}
	p.literal(bytesLiteral(s), longStr{s, "b"})
}

// literal emits a literal, which may be broken unless it stood on one line.
func (p *printer) literal(text string, s breaker) {
	t := tok{text: text, kind: kString, str: s}
	if w := &p.written; w.line > 0 && w.line == w.end {
		t.str = nil
	}
	p.add(t)
}

// strLiteral is s, text in WTF-8, as a literal on one line.
func strLiteral(s string) string {
	if plain(s) {
		return `"` + s + `"`
	}
	q := pickQuote(s)
	if rawOK(s, q, printable) {
		return "r" + q + s + q
	}
	return q + escape(s, q) + q
}

// plain reports whether a literal holds s as it is: most texts need no second look.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\'' || c == '\\' {
			return false
		}
	}
	return true
}

// bytesLiteral is s as a bytes literal on one line.
func bytesLiteral(s string) string {
	if plain(s) {
		return `b"` + s + `"`
	}
	q := pickQuote(s)
	if rawOK(s, q, printableASCII) {
		return "rb" + q + s + q
	}
	return "b" + q + escapeBytes(s, q) + q
}

// pickQuote prefers double quotes unless single ones need fewer escapes.
func pickQuote(s string) string {
	if strings.Count(s, `"`) > strings.Count(s, "'") {
		return "'"
	}
	return `"`
}

func printable(r rune) bool      { return r != utf8.RuneError && unicode.IsPrint(r) }
func printableASCII(r rune) bool { return r >= ' ' && r < 0x7f }

// rawOK reports whether a raw literal is possible and spares escapes.
func rawOK(s, quote string, ok func(rune) bool) bool {
	if !strings.Contains(s, `\`) || strings.HasSuffix(s, `\`) || strings.Contains(s, quote) {
		return false
	}
	for _, r := range s {
		if !ok(r) {
			return false
		}
	}
	return true
}

// escape escapes text for a literal in the one-character quote q.
func escape(s, q string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	for i := 0; i < len(s); {
		i += escapeRune(&b, s[i:], q[0])
	}
	return b.String()
}

// escapeRune writes the first character of s, escaped if need be, and returns
// its length in bytes. A zero quote means that quotes are not escaped.
func escapeRune(b *strings.Builder, s string, quote byte) int {
	c := s[0]
	switch {
	case c == '\\' || c == quote && quote != 0:
		b.WriteByte('\\')
		b.WriteByte(c)
		return 1
	case c == '\n':
		b.WriteString(`\n`)
		return 1
	case c == '\r':
		b.WriteString(`\r`)
		return 1
	case c == '\t':
		b.WriteString(`\t`)
		return 1
	case c < ' ' || c == 0x7f:
		writeHex(b, 'x', 2, uint32(c))
		return 1
	case c < utf8.RuneSelf:
		b.WriteByte(c)
		return 1
	}
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && n == 1:
		if r, ok := surrogate(s); ok {
			writeHex(b, 'u', 4, uint32(r))
			return 3
		}
		// Not WTF-8 at all; pyc never makes such a string.
		writeHex(b, 'x', 2, uint32(c))
	case unicode.IsPrint(r):
		b.WriteRune(r)
	case r < 0x100:
		writeHex(b, 'x', 2, uint32(r))
	case r < 0x10000:
		writeHex(b, 'u', 4, uint32(r))
	default:
		writeHex(b, 'U', 8, uint32(r))
	}
	return n
}

// surrogate decodes a lone surrogate, which is three bytes in WTF-8.
func surrogate(s string) (rune, bool) {
	if len(s) < 3 || s[0] != 0xed || s[1] < 0xa0 || s[1] > 0xbf || s[2]&0xc0 != 0x80 {
		return 0, false
	}
	return 0xd000 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), true
}

func writeHex(b *strings.Builder, letter byte, digits int, v uint32) {
	b.WriteByte('\\')
	b.WriteByte(letter)
	for i := digits - 1; i >= 0; i-- {
		b.WriteByte("0123456789abcdef"[v>>(4*i)&15])
	}
}

func escapeBytes(s, q string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf {
			writeHex(&b, 'x', 2, uint32(c))
		} else {
			escapeRune(&b, s[i:i+1], q[0])
		}
	}
	return b.String()
}
