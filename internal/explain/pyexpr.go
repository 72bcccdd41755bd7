package explain

import (
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

// IsExpression reports whether text is one Python expression. Guards come as
// text that mostly is one; the rest ("… ids == None" with a space inside, or
// "___check_global_state() against {…}") has to become a comment, or the dumped
// file would not be Python.
func IsExpression(text string) bool {
	s := scanPython(text)
	if s.bad != "" {
		return false
	}
	p := exprParser{scan: s, toks: s.tokens[:0]} // what is kept moves to the front
	for _, t := range s.tokens {
		switch t.kind {
		case tokComment:
			return false
		case tokNewline:
			if len(p.toks) > 0 {
				p.sawNewline = true
			}
		default:
			if p.sawNewline && p.depth == 0 {
				return false // a second line that no bracket holds
			}
			p.sawNewline = false
			switch s.text(t) {
			case "(", "[", "{":
				p.depth++
			case ")", "]", "}":
				p.depth--
			}
			p.toks = append(p.toks, t)
		}
	}
	return p.expr(0) && p.at == len(p.toks)
}

// exprParser is a recognizer by recursive descent. It builds nothing.
type exprParser struct {
	scan       scan
	toks       []token
	at         int
	depth      int
	sawNewline bool
}

const maxExprDepth = 200 // texts come from outside: bound the recursion

func (p *exprParser) peek() string {
	if p.at < len(p.toks) {
		return p.scan.text(p.toks[p.at])
	}
	return ""
}

func (p *exprParser) kind() tokKind {
	if p.at < len(p.toks) {
		return p.toks[p.at].kind
	}
	return tokNewline
}

func (p *exprParser) accept(op string) bool {
	if p.at < len(p.toks) && p.toks[p.at].kind != tokString && p.peek() == op {
		p.at++
		return true
	}
	return false
}

// name accepts an identifier that is no keyword.
func (p *exprParser) name() bool {
	if p.kind() == tokName && !pyKeywords[p.peek()] {
		p.at++
		return true
	}
	return false
}

// expr is a test: lambda, ternary or assignment expression.
func (p *exprParser) expr(d int) bool {
	if d > maxExprDepth {
		return false
	}
	if p.accept("lambda") {
		return p.lambda(d)
	}
	if !p.or(d + 1) {
		return false
	}
	if p.accept(":=") {
		return p.expr(d + 1)
	}
	if p.accept("if") {
		return p.or(d+1) && p.accept("else") && p.expr(d+1)
	}
	return true
}

func (p *exprParser) lambda(d int) bool {
	for !p.accept(":") {
		if !p.accept("*") && !p.accept("**") && !p.accept("/") {
			if !p.name() || p.accept("=") && !p.expr(d+1) {
				return false
			}
		} else {
			p.name()
		}
		if p.accept(",") {
			continue
		}
		if p.accept(":") {
			break
		}
		return false
	}
	return p.expr(d + 1)
}

func (p *exprParser) or(d int) bool {
	for {
		for p.accept("not") {
		}
		if !p.binary(d + 1) {
			return false
		}
		if !p.comparisons(d) {
			return false
		}
		if !p.accept("or") && !p.accept("and") {
			return true
		}
	}
}

func (p *exprParser) comparisons(d int) bool {
	for {
		switch p.peek() {
		case "<", ">", "==", ">=", "<=", "!=", "in":
			p.at++
		case "is":
			p.at++
			p.accept("not")
		case "not":
			p.at++
			if !p.accept("in") {
				return false
			}
		default:
			return true
		}
		if !p.binary(d + 1) {
			return false
		}
	}
}

// binary is a chain of arithmetic operators; precedence does not matter to a
// recognizer.
func (p *exprParser) binary(d int) bool {
	for {
		if !p.unary(d + 1) {
			return false
		}
		switch p.peek() {
		case "|", "^", "&", "<<", ">>", "+", "-", "*", "/", "//", "%", "@", "**":
			if p.kind() != tokOp {
				return false
			}
			p.at++
		default:
			return true
		}
	}
}

func (p *exprParser) unary(d int) bool {
	if d > maxExprDepth {
		return false
	}
	for p.accept("-") || p.accept("+") || p.accept("~") || p.accept("await") {
	}
	return p.atom(d) && p.trailers(d)
}

func (p *exprParser) atom(d int) bool {
	switch p.kind() {
	case tokNumber:
		ok := numberForm.MatchString(p.peek())
		p.at++
		return ok
	case tokString:
		for p.kind() == tokString {
			p.at++
		}
		return true
	case tokName:
		switch p.peek() {
		case "None", "True", "False":
			p.at++
			return true
		}
		return p.name()
	}
	switch {
	case p.accept("..."):
		return true
	case p.accept("("):
		return p.items(")", d, false)
	case p.accept("["):
		return p.items("]", d, false)
	case p.accept("{"):
		return p.items("}", d, true)
	}
	return false
}

// items is the inside of a display, a tuple, a comprehension or a call.
func (p *exprParser) items(end string, d int, dict bool) bool {
	for !p.accept(end) {
		star := p.accept("*") || p.accept("**")
		if !p.expr(d + 1) {
			return false
		}
		if dict && !star && p.accept(":") && !p.expr(d+1) {
			return false
		}
		if !p.comprehension(d) {
			return false
		}
		if p.accept(",") {
			continue
		}
		return p.accept(end)
	}
	return true
}

func (p *exprParser) comprehension(d int) bool {
	for {
		p.accept("async")
		if !p.accept("for") {
			return true
		}
		for {
			p.accept("*")
			if !p.unary(d + 1) {
				return false
			}
			if !p.accept(",") {
				break
			}
		}
		if !p.accept("in") || !p.or(d+1) {
			return false
		}
		for p.accept("if") {
			if !p.or(d + 1) {
				return false
			}
		}
	}
}

func (p *exprParser) trailers(d int) bool {
	for {
		switch {
		case p.accept("."):
			if !p.name() {
				return false
			}
		case p.accept("("):
			if !p.arguments(d) {
				return false
			}
		case p.accept("["):
			if !p.subscript(d) {
				return false
			}
		default:
			return true
		}
	}
}

func (p *exprParser) arguments(d int) bool {
	for !p.accept(")") {
		if !p.accept("*") && !p.accept("**") && p.kind() == tokName &&
			p.at+1 < len(p.toks) && p.scan.text(p.toks[p.at+1]) == "=" {
			if !p.name() || !p.accept("=") {
				return false
			}
		}
		if !p.expr(d+1) || !p.comprehension(d) {
			return false
		}
		if p.accept(",") {
			continue
		}
		return p.accept(")")
	}
	return true
}

func (p *exprParser) subscript(d int) bool {
	for !p.accept("]") {
		p.accept("*")
		if p.peek() != ":" && !p.expr(d+1) {
			return false
		}
		for n := 0; n < 2 && p.accept(":"); n++ {
			if next := p.peek(); next != "]" && next != "," && next != ":" && !p.expr(d+1) {
				return false
			}
		}
		if p.accept(",") {
			continue
		}
		return p.accept("]")
	}
	return p.scan.text(p.toks[p.at-2]) != "[" // x[] is no expression
}

// numberForm is a number of Python's (Lexical analysis, "Numeric literals"): an integer, or one with a point,
// an exponent or a j. The scanner takes whatever looks like a number, and torch cuts some: "0....".
var numberForm = lazyregexp.New(strings.NewReplacer("D", `[0-9](?:_?[0-9])*`, "E", `[eE][+-]?[0-9](?:_?[0-9])*`).Replace(
	`^(?:0[xX](?:_?[0-9a-fA-F])+|0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0(?:_?0)*|[1-9](?:_?[0-9])*|` +
		`(?:(?:D)?\.D|D\.)(?:E)?[jJ]?|DE[jJ]?|D[jJ])$`))
