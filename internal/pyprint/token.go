package pyprint

// kind classifies tokens as far as the layout needs it.
type kind uint8

const (
	kText kind = iota
	kOpen
	kClose
	kComma
	kString
)

// flags refine a token.
type flags uint8

const (
	// fInvisible marks both halves of an optional pair of parentheses. They
	// have no text until the layout splits a line there.
	fInvisible flags = 1 << iota
	// fDisplay marks the opening bracket of a tuple, list, set or dict: once
	// split, it takes one line per item.
	fDisplay
	// fSubscript marks an opening [ that follows a value.
	fSubscript
	// fParams marks the opening parenthesis of a function's parameters.
	fParams
	// fBroken marks an opening bracket whose items stood on lines of their own in the
	// source: they do so again.
	fBroken
)

// priority ranks the places where a line may break: of those outside nested
// brackets, all with the highest priority are used. The values are black's.
type priority uint8

const (
	prioDot     priority = 1
	prioPower   priority = 2
	prioTerm    priority = 4
	prioArith   priority = 5
	prioShift   priority = 6
	prioBitAnd  priority = 7
	prioBitXor  priority = 8
	prioBitOr   priority = 9
	prioCompare priority = 10
	prioString  priority = 12
	prioLogic   priority = 14
	prioTernary priority = 16
	prioComma   priority = 18
	prioComp    priority = 20
)

// tok is one token of a logical line.
type tok struct {
	text  string
	str   breaker // for a kString that may be broken into several literals
	id    int32   // index in the logical line
	kind  kind
	flags flags
	prio  priority // of a break before the token; after it for commas
	space bool     // a blank precedes, unless the token starts a line

	line, end int32 // lines of the source, of the node that the token begins; 0 unknown
	inside    lines // of an opening bracket: what stands in it
}

// breaker breaks a string literal into several adjacent ones of at most width
// columns. It returns nil when that is not possible.
type breaker interface{ pieces(width int) []string }

func (t *tok) is(text string) bool { return t.text == text }

func (t *tok) width() int {
	w := textWidth(t.text)
	if t.space {
		w++
	}
	return w
}

// emitter collects the tokens of a logical line.
type emitter struct {
	toks []tok
	pend bool // the next token is preceded by a blank
	// quiet is above zero between "for" and "in" and between "lambda" and ":",
	// where black never breaks at commas.
	quiet int
	// sole is the number of tokens at which an expression starts that has a
	// pair of parentheses for itself.
	sole int
	// flat is set inside f-string fields, where no line may ever break.
	flat    bool
	written written
}

func (e *emitter) space() { e.pend = true }

func (e *emitter) add(t tok) {
	t.space = e.pend && len(e.toks) > 0
	t.id = int32(len(e.toks))
	e.pend = false
	e.written.places(&t)
	e.toks = append(e.toks, t)
}

// text emits a token after which a line never breaks by itself.
func (e *emitter) text(s string) { e.add(tok{text: s}) }

// word emits " s ": a keyword or operator between operands.
func (e *emitter) word(s string, p priority) {
	e.space()
	e.add(tok{text: s, prio: p})
	e.space()
}

// comma emits ", ".
func (e *emitter) comma() {
	t := tok{text: ",", kind: kComma, prio: prioComma}
	if e.quiet > 0 {
		t.prio = 0
	}
	e.add(t)
	e.space()
}

// bracket emits a pair of brackets around what body emits.
func (e *emitter) bracket(open, close string, f flags, body func()) {
	quiet := e.quiet
	e.quiet = 0
	at, before := len(e.toks), e.written.seen
	e.add(tok{text: open, kind: kOpen, flags: f})
	body()
	if quiet == 0 && !e.flat {
		e.closed(at, before)
	}
	e.pend = false
	e.add(tok{text: close, kind: kClose, flags: f & fInvisible})
	e.quiet = quiet
}

// optional emits body inside parentheses that appear only if a line has to be
// split there.
func (e *emitter) optional(body func()) {
	if e.flat {
		body()
		return
	}
	e.bracket("", "", fInvisible|fDisplay, func() {
		e.sole = len(e.toks)
		body()
	})
}

// last is the last token, or nil.
func (e *emitter) last() *tok {
	if len(e.toks) == 0 {
		return nil
	}
	return &e.toks[len(e.toks)-1]
}

// appendText appends the tokens as one line of text.
func appendText(b []byte, toks []tok) []byte {
	for i := range toks {
		if toks[i].space && i > 0 {
			b = append(b, ' ')
		}
		b = append(b, toks[i].text...)
	}
	return b
}
