package pyprint

import (
	"strings"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// Until 3.11 an f-string is an ordinary string token whose fields are parsed
// afterwards: a field can hold neither a backslash nor the quotes of any
// enclosing f-string. From 3.12 on fields may hold anything, but the older
// rules still give the more readable text, so they are tried first ("strict").
// A newline or a tab in a field can only stand there as it is: in a string with
// triple quotes, in an f-string with the other triple quotes.

// fcontext describes the f-strings around the expression being printed.
type fcontext struct {
	delims []string // their quotes, outermost first
	strict bool
	failed bool // the expression cannot be written under these rules
}

var allDelims = []string{`"`, "'", `"""`, "'''"}

// joinedStr emits an f-string.
func (p *printer) joinedStr(values []pyast.Expr) {
	line, end := p.written.line, p.written.end
	text, ok := p.fliteral("f", values, p.fstring)
	if !ok && p.fstring == nil {
		if _, _, percent := p.percentForm(values); !percent {
			p.fieldLines = true
			text, ok = p.fliteral("f", values, nil)
			p.fieldLines = false
		}
	}
	p.written.line, p.written.end = line, end // not those of what stands in it
	switch {
	case ok && p.fstring != nil:
		p.text(text)
	case ok:
		p.literal(text, longFString{p, "f", values})
	case p.fstring != nil:
		p.fstring.failed = true
		p.text(`""`)
	default:
		p.formatCall(values)
	}
}

// templateStr emits a t-string.
func (p *printer) templateStr(values []pyast.Expr) {
	p.require(p.g.templates(), "t-strings")
	line, end := p.written.line, p.written.end
	text, ok := p.fliteral("t", values, p.fstring)
	p.written.line, p.written.end = line, end
	switch {
	case ok && p.fstring != nil:
		p.text(text)
	case ok:
		p.literal(text, longFString{p, "t", values})
	case p.fstring != nil:
		p.fstring.failed = true
		p.text(`""`)
	default:
		p.problem("t-string cannot be written")
		p.text(`t""`)
	}
}

// fliteral writes an f-string or t-string inside the f-strings of outer.
func (p *printer) fliteral(prefix string, values []pyast.Expr, outer *fcontext) (string, bool) {
	var delims []string
	strict := true
	if outer != nil {
		delims, strict = outer.delims, outer.strict
	}
	if strict || outer == nil {
		for _, d := range delimOrder(values) {
			if len(delims) >= len(allDelims) || contains(delims, d) {
				continue
			}
			ctx := &fcontext{delims: append(delims[:len(delims):len(delims)], d), strict: true}
			body, ok := p.fbody(values, ctx, false)
			text := prefix + d + body + d
			if ok && (outer == nil || p.acceptable(text, delims)) {
				return text, true
			}
		}
		if outer != nil {
			return "", false
		}
	}
	if !p.g.freeFStrings() {
		return "", false
	}
	d := delimOrder(values)[0]
	if contains(delims, d) && !contains(delims, otherQuote(d)) {
		d = otherQuote(d)
	}
	ctx := &fcontext{delims: append(delims[:len(delims):len(delims)], d)}
	body, ok := p.fbody(values, ctx, false)
	return prefix + d + body + d, ok
}

func otherQuote(d string) string {
	if d == `"` {
		return "'"
	}
	return `"`
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// delimOrder prefers double quotes unless the literal parts hold more of them
// than of single ones.
func delimOrder(values []pyast.Expr) []string {
	n := 0
	for _, v := range values {
		s, _ := strPart(v)
		n += strings.Count(s, `"`) - strings.Count(s, "'")
	}
	if n > 0 {
		return []string{"'", `"`, "'''", `"""`}
	}
	return allDelims
}

// acceptable reports whether text may stand in a field of the strict kind, in f-strings with the given delimiters:
// over several lines if fields may be and these may.
func (p *printer) acceptable(text string, delims []string) bool {
	if strings.Contains(text, `\`) {
		return false
	}
	lines := strings.Contains(text, "\n")
	for _, d := range delims {
		if lines && (!p.fieldLines || len(d) == 1) || strings.Contains(text, d) {
			return false
		}
	}
	return true
}

// strPart returns the text of a literal part.
func strPart(e pyast.Expr) (string, bool) {
	if c, ok := e.(*pyast.Constant); ok {
		if s, ok := c.Value.(pyc.Str); ok {
			return string(s), true
		}
	}
	return "", false
}

// fbody writes the parts between the quotes, or those of a format spec.
func (p *printer) fbody(values []pyast.Expr, ctx *fcontext, spec bool) (string, bool) {
	defer func() { p.depth-- }()
	if !p.enter() {
		return "", true
	}
	var b strings.Builder
	quote := ctx.delims[len(ctx.delims)-1]
	pending := "" // literal text that a following {x=} may absorb
	lines := p.fieldLines && len(ctx.delims) > 1 && len(quote) == 3
	flush := func() {
		escapeFString(&b, pending, quote, spec, lines)
		pending = ""
	}
	for _, v := range values {
		ok := true
		switch v := v.(type) {
		case *pyast.Constant:
			if s, isStr := v.Value.(pyc.Str); isStr {
				pending += string(s)
				continue
			}
			flush()
			ok = p.field(&b, v, 0, nil, ctx, "")
		case *pyast.FormattedValue:
			eq := ""
			if !spec && p.g.selfDocumenting() && (v.Conversion != 0 || v.FormatSpec != nil) {
				text, good := p.flatExpr(v.Value, ctx)
				if good {
					pending, eq = absorb(pending, text)
				}
			}
			flush()
			conv := v.Conversion
			if eq != "" && conv == 'r' && v.FormatSpec == nil {
				conv = 0 // what = does by itself
			}
			ok = p.field(&b, v.Value, conv, v.FormatSpec, ctx, eq)
		case *pyast.Interpolation:
			eq, conv := "", v.Conversion
			if !spec && v.Str != "" && (conv != 0 || v.FormatSpec != nil) {
				pending, eq = absorb(pending, v.Str)
			}
			if eq != "" && conv == 'r' && v.FormatSpec == nil {
				conv = 0
			}
			flush()
			ok = p.interpolation(&b, v, conv, ctx, eq)
		case *pyast.JoinedStr:
			flush()
			var text string
			text, ok = p.fbody(v.Values, ctx, spec)
			b.WriteString(text)
		default:
			flush()
			ok = p.field(&b, v, 0, nil, ctx, "")
		}
		if !ok {
			return "", false
		}
	}
	flush()
	return b.String(), true
}

// absorb splits "… x = " into "… " and " = " if it ends with the text of the
// expression x and an equals sign, which is how f"{x = }" compiles.
func absorb(literal, expr string) (rest, eq string) {
	t := strings.TrimRight(literal, " ")
	if !strings.HasSuffix(t, "=") {
		return literal, ""
	}
	t = strings.TrimRight(strings.TrimSuffix(t, "="), " ")
	if !strings.HasSuffix(t, expr) || strings.ContainsAny(expr, "\\\n") {
		return literal, ""
	}
	rest = t[:len(t)-len(expr)]
	if n := len(rest); n > 0 && (rest[n-1] >= 0x80 || strings.IndexByte(" \n\t,;:(/|[", rest[n-1]) < 0) {
		return literal, "" // the end of another word
	}
	return rest, literal[len(t):]
}

// field writes one {value!conv:spec}.
func (p *printer) field(b *strings.Builder, value pyast.Expr, conv rune, spec pyast.Expr, ctx *fcontext, eq string) bool {
	text, ok := p.flatExpr(value, ctx)
	if !ok {
		return false
	}
	b.WriteByte('{')
	if strings.HasPrefix(text, "{") {
		b.WriteByte(' ') // {{ would be an escaped brace
	}
	b.WriteString(text)
	b.WriteString(eq)
	return p.fieldEnd(b, conv, spec, ctx)
}

// interpolation writes a field of a t-string. Its expression's text is part of
// the value, so it is copied, not printed.
func (p *printer) interpolation(b *strings.Builder, e *pyast.Interpolation, conv rune, ctx *fcontext, eq string) bool {
	if strings.TrimSpace(e.Str) == "" {
		return p.field(b, e.Value, conv, e.FormatSpec, ctx, eq)
	}
	if ctx.strict && !p.acceptable(e.Str, ctx.delims) {
		return false
	}
	b.WriteByte('{')
	if strings.HasPrefix(e.Str, "{") {
		b.WriteByte(' ')
	}
	b.WriteString(e.Str)
	b.WriteString(eq)
	return p.fieldEnd(b, conv, e.FormatSpec, ctx)
}

func (p *printer) fieldEnd(b *strings.Builder, conv rune, spec pyast.Expr, ctx *fcontext) bool {
	if conv != 0 {
		b.WriteByte('!')
		b.WriteRune(conv)
	}
	if spec != nil {
		parts := []pyast.Expr{spec}
		if j, ok := spec.(*pyast.JoinedStr); ok {
			parts = j.Values
		}
		text, ok := p.fbody(parts, ctx, true)
		if !ok {
			return false
		}
		b.WriteByte(':')
		b.WriteString(text)
	}
	b.WriteByte('}')
	return true
}

// flatExpr prints a field's expression on one line.
func (p *printer) flatExpr(e pyast.Expr, ctx *fcontext) (string, bool) {
	saved, outer := p.emitter, p.fstring
	p.emitter, p.fstring = emitter{flat: true}, ctx
	failed := ctx.failed
	ctx.failed = false
	pr := precTest
	if hasOpenLambda(e) {
		pr = precAtom // its colon would start the format spec
	}
	p.item(e, pr)
	text := string(appendText(nil, p.toks))
	ok := !ctx.failed
	ctx.failed = failed
	p.emitter, p.fstring = saved, outer
	if ctx.strict && !p.acceptable(text, ctx.delims) {
		ok = false
	}
	return text, ok
}

// hasOpenLambda reports a lambda that is not inside brackets.
func hasOpenLambda(e pyast.Expr) bool {
	switch e := e.(type) {
	case *pyast.Lambda:
		return true
	case *pyast.IfExp:
		return hasOpenLambda(e.OrElse)
	}
	return false
}

// escapeFString escapes literal text. Inside a format spec a brace cannot be
// doubled, so it is written as an escape sequence. With lines, newlines and tabs stand as they are.
func escapeFString(b *strings.Builder, s, delim string, spec, lines bool) {
	q := delim[0]
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case (c == '{' || c == '}') && spec:
			writeHex(b, 'x', 2, uint32(c))
			i++
		case c == '{' || c == '}':
			b.WriteByte(c)
			b.WriteByte(c)
			i++
		case lines && (c == '\n' || c == '\t'), c == q && len(delim) == 3 && i+1 < len(s) && s[i+1] != q:
			b.WriteByte(c)
			i++
		default:
			i += escapeRune(b, s[i:], q)
		}
	}
}

// nestedStr writes a string or bytes literal inside a field.
func (p *printer) nestedStr(s, prefix string) string {
	ctx := p.fstring
	printableChar := printable
	if prefix == "b" {
		printableChar = printableASCII
	}
	plain := !strings.Contains(s, `\`)
	for _, r := range s {
		plain = plain && (printableChar(r) || p.fieldLines && (r == '\n' || r == '\t'))
	}
	if plain {
		lines := strings.Contains(s, "\n")
		for _, d := range allDelims {
			if lines && len(d) == 1 || strings.Contains(s, d) || strings.HasSuffix(s, d[:1]) && len(d) == 3 || contains(ctx.delims, d) {
				continue
			}
			if text := prefix + d + s + d; p.acceptable(text, ctx.delims) {
				return text
			}
		}
	}
	if ctx.strict {
		ctx.failed = true
		return prefix + `""`
	}
	q := pickQuote(s)
	if contains(ctx.delims, q) && !contains(ctx.delims, otherQuote(q)) {
		q = otherQuote(q)
	}
	if rawOK(s, q, printableChar) {
		return "r" + prefix + q + s + q
	}
	if prefix == "b" {
		return "b" + q + escapeBytes(s, q) + q
	}
	return q + escape(s, q) + q
}

// formatCall writes what an f-string of the old kind cannot express. From 3.11
// on `"…" % (…)` compiles to the same code when every field has a conversion.
func (p *printer) formatCall(values []pyast.Expr) {
	if format, args, ok := p.percentForm(values); ok {
		e := &pyast.BinOp{Left: pyast.Str(format), Op: pyast.Mod, Right: &pyast.Tuple{Elts: args}}
		p.bracket("(", ")", fDisplay, func() { p.bare(e, true) })
		return
	}
	p.problem("Python %s cannot express this f-string; str.format is used instead", p.g.v)
	var args []pyast.Expr
	var b strings.Builder
	p.formatTemplate(&b, values, &args, false)
	p.bare(pyast.CallE(pyast.Attr(pyast.Str(b.String()), "format"), args...), false)
}

// percentForm returns the parts of `"…" % (…)` if that compiles to the f-string.
func (p *printer) percentForm(values []pyast.Expr) (format string, args []pyast.Expr, ok bool) {
	if !p.g.percentToFString() {
		return "", nil, false
	}
	var b strings.Builder
	for _, v := range values {
		if s, ok := strPart(v); ok {
			b.WriteString(strings.ReplaceAll(s, "%", "%%"))
			continue
		}
		f, ok := v.(*pyast.FormattedValue)
		if !ok || f.Conversion == 0 || f.FormatSpec != nil {
			return "", nil, false
		}
		b.WriteByte('%')
		b.WriteRune(f.Conversion)
		args = append(args, f.Value)
	}
	return b.String(), args, true
}

func (p *printer) formatTemplate(b *strings.Builder, values []pyast.Expr, args *[]pyast.Expr, spec bool) {
	for _, v := range values {
		if s, ok := strPart(v); ok {
			if !spec {
				s = strings.NewReplacer("{", "{{", "}", "}}").Replace(s)
			}
			b.WriteString(s)
			continue
		}
		f, ok := v.(*pyast.FormattedValue)
		if !ok {
			f = &pyast.FormattedValue{Value: v}
		}
		*args = append(*args, f.Value)
		b.WriteByte('{')
		if f.Conversion != 0 {
			b.WriteByte('!')
			b.WriteRune(f.Conversion)
		}
		if j, ok := f.FormatSpec.(*pyast.JoinedStr); ok {
			b.WriteByte(':')
			p.formatTemplate(b, j.Values, args, true)
		}
		b.WriteByte('}')
	}
}
