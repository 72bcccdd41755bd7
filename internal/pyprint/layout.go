package pyprint

// This file breaks logical lines that are too long, the way black does: first
// at the last pair of brackets ("right-hand split"), then one item a line
// ("delimiter split"). The rules and their order are black's (linegen.py,
// lines.py and brackets.py of release 25); string literals that nothing else
// makes short enough are broken too, which black leaves to people.

// lineKind is the sort of statement a logical line belongs to.
type lineKind uint8

const (
	lineOther lineKind = iota
	lineDef            // def …:
	lineClass
	lineDecorator
	lineImport
	lineDocstring
	lineComment
	lineWith
	lineClause // else, elif, except, finally, case
	lineBlock  // if, for, while, try, match, …
)

// line is a logical line or a part of one.
type line struct {
	toks    []tok
	depth   int  // indentation, brackets included
	inside  bool // between brackets
	explode bool // has to be split even if it fits
	kind    lineKind
}

type layout struct{ width int }

// maxIndent is where splitting stops: no parser accepts more nesting.
const maxIndent = 200

// write appends the line to out, broken as needed, with a final newline.
func (l *layout) write(out []byte, ln line) []byte {
	if l.fits(ln.toks, ln.depth) && !hasBroken(ln.toks) {
		return appendLine(out, ln)
	}
	res, _ := l.transform(ln, false)
	for _, r := range res {
		out = appendLine(out, r)
	}
	return out
}

func appendLine(out []byte, ln line) []byte {
	if len(ln.toks) > 0 {
		for range ln.depth {
			out = append(out, "    "...)
		}
	}
	out = appendText(out, ln.toks)
	return append(out, '\n')
}

func (l *layout) fits(toks []tok, depth int) bool {
	w := 4 * depth
	for i := range toks {
		w += toks[i].width()
		if i == 0 && toks[i].space {
			w--
		}
		if w > l.width {
			return false
		}
	}
	return true
}

func (l *layout) fit(ln line) bool { return l.fits(ln.toks, ln.depth) }

// transform returns the physical lines of ln. The second result reports that
// an optional pair of parentheses became visible. force forbids the splits
// that leave such a pair invisible.
func (l *layout) transform(ln line, force bool) ([]line, bool) {
	if !ln.explode && l.fit(ln) && !hasBroken(ln.toks) || ln.depth > maxIndent {
		return []line{ln}, false
	}
	ln.toks = l.groupStrings(ln)
	if ln.kind == lineDef {
		if parts, ok := leftHandSplit(ln); ok {
			return l.all(parts, ln, force)
		}
	} else {
		if ln.inside {
			if parts := l.leadingString(ln); parts != nil {
				return l.all(parts, ln, force)
			}
			if parts, ok := delimiterSplit(ln); ok {
				return l.all(parts, ln, force)
			}
		}
		if parts, vis, ok := l.rightSplit(ln, force); ok {
			res, more := l.all(parts, ln, force)
			vis = vis || more
			if !force && !vis && hasInvisible(ln.toks) && !l.fit(res[0]) {
				// Everything was tried without optional parentheses, in vain.
				if parts, _, ok := l.rightSplit(ln, true); ok {
					second, _ := l.all(parts, ln, true)
					if l.allFit(second) {
						return second, true
					}
				}
			}
			return res, vis
		}
	}
	if parts := l.breakString(ln); parts != nil {
		return parts, false
	}
	return []line{ln}, false
}

func (l *layout) all(parts []line, whole line, force bool) ([]line, bool) {
	var out []line
	visible := false
	for _, part := range parts {
		if len(part.toks) == len(whole.toks) && part.toks[0].text == whole.toks[0].text && part.depth == whole.depth && !part.explode {
			out = append(out, part) // no progress
			continue
		}
		res, vis := l.transform(part, force)
		out = append(out, res...)
		visible = visible || vis
	}
	return out, visible
}

func (l *layout) allFit(list []line) bool {
	for _, ln := range list {
		if !l.fit(ln) {
			return false
		}
	}
	return true
}

func hasInvisible(toks []tok) bool {
	for i := range toks {
		if toks[i].flags&fInvisible != 0 && toks[i].text == "" {
			return true
		}
	}
	return false
}

// delims summarizes the places outside brackets where a line may break.
type delims struct {
	max   priority // the highest priority; 0 if there are none
	count int      // of that priority
}

// delimiters looks at toks; a trailing comma counts only if withLast.
func delimiters(toks []tok, withLast bool) delims {
	var d delims
	depth := 0
	for i := range toks {
		t := &toks[i]
		if t.kind == kClose && depth > 0 {
			depth--
		}
		if depth == 0 && breakAt(toks, i) && (withLast || t.kind != kComma || i < len(toks)-1) {
			switch {
			case t.prio > d.max:
				d = delims{t.prio, 1}
			case t.prio == d.max:
				d.count++
			}
		}
		if t.kind == kOpen {
			depth++
		}
	}
	return d
}

// breakAt reports whether a line may break at token i: after it for commas,
// before it for the rest.
func breakAt(toks []tok, i int) bool {
	return toks[i].prio > 0 && (toks[i].kind == kComma || i > 0)
}

// delimiterSplit breaks at the delimiters of the highest priority and ends a
// comma-separated list with a comma.
func delimiterSplit(ln line) ([]line, bool) {
	d := delimiters(ln.toks, false)
	if d.max == 0 || d.max == prioDot && d.count == 1 {
		return nil, false
	}
	var out []line
	start, depth := 0, 0
	part := func(end int) {
		if end > start {
			p := line{toks: ln.toks[start:end], depth: ln.depth, inside: true}
			out = append(out, p)
			start = end
		}
	}
	for i := range ln.toks {
		t := &ln.toks[i]
		if t.kind == kClose && depth > 0 {
			depth--
		}
		if depth == 0 && t.prio == d.max && breakAt(ln.toks, i) {
			if t.kind == kComma {
				part(i + 1)
			} else {
				part(i)
			}
		}
		if t.kind == kOpen {
			depth++
		}
	}
	part(len(ln.toks))
	if d.max == prioComma {
		last := &out[len(out)-1]
		if !last.toks[len(last.toks)-1].is(",") {
			last.toks = withComma(last.toks)
		}
	}
	return out, true
}

func withComma(toks []tok) []tok {
	comma := tok{text: ",", kind: kComma, prio: prioComma, id: -1}
	return append(toks[:len(toks):len(toks)], comma)
}

// leftHandSplit breaks the parameters of a def, or failing that its return
// annotation.
func leftHandSplit(ln line) ([]line, bool) {
	for i := range ln.toks {
		t := &ln.toks[i]
		if t.kind != kOpen || t.flags&(fParams|fInvisible) == 0 {
			continue
		}
		end := matching(ln.toks, i)
		if end <= i+1 {
			continue
		}
		body := line{toks: ln.toks[i+1 : end], depth: ln.depth + 1, inside: true, explode: t.flags&fBroken != 0}
		head := line{toks: ln.toks[:i+1], depth: ln.depth, kind: lineDef}
		tail := line{toks: ln.toks[end:], depth: ln.depth}
		if t.flags&fInvisible != 0 {
			head.toks = visible(head.toks, len(head.toks)-1, "(")
			tail.toks = visible(tail.toks, 0, ")")
		} else if !hasTopComma(body.toks) {
			body.toks = withComma(body.toks)
		}
		return []line{head, body, tail}, true
	}
	return nil, false
}

func hasTopComma(toks []tok) bool {
	for i := range toks {
		if toks[i].kind == kComma {
			return true
		}
	}
	return false
}

// matching returns the index of the bracket that closes the one at i, or -1.
func matching(toks []tok, i int) int {
	depth := 0
	for j := i; j < len(toks); j++ {
		switch toks[j].kind {
		case kOpen:
			depth++
		case kClose:
			depth--
			if depth == 0 {
				return j
			}
		}
	}
	return -1
}

// visible returns a copy of toks in which the parenthesis at i has a text.
func visible(toks []tok, i int, text string) []tok {
	c := append([]tok(nil), toks...)
	c[i].text = text
	return c
}
