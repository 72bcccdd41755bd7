package pyprint

// A literal too long for any line is written as several adjacent ones, each on
// a line of its own, which the compiler joins again.

// groupStrings puts parentheses around the literals of a line that would not
// even fit on one of their own, so that the layout has a place to split. None
// are needed around a literal that is alone between brackets or comes first
// there and is formatted with %.
func (l *layout) groupStrings(ln line) []tok {
	var out []tok
	done := 0 // tokens of ln.toks that are in out
	for i := range ln.toks {
		t := &ln.toks[i]
		width := l.width - 4*(ln.depth+1)
		if t.str == nil || ln.kind == lineDocstring || t.width() <= width {
			continue
		}
		last := i == len(ln.toks)-1
		if starts := i == 0 && ln.inside || i > 0 && ln.toks[i-1].kind == kOpen; starts &&
			(last || ln.toks[i+1].kind == kClose || ln.toks[i+1].is("%")) {
			continue
		}
		if t.str.pieces(width) == nil {
			continue
		}
		out = append(out, ln.toks[done:i]...)
		lit := *t
		lit.space = false
		out = append(out, tok{text: "(", kind: kOpen, space: t.space, prio: t.prio}, lit, tok{text: ")", kind: kClose})
		done = i + 1
	}
	if done == 0 {
		return ln.toks
	}
	out = append(out, ln.toks[done:]...)
	for i := range out {
		out[i].id = int32(i)
	}
	return out
}

// leadingString breaks a literal at the start of a line that goes on with %
// and the like. The rest of the line stays with the last piece.
func (l *layout) leadingString(ln line) []line {
	t := &ln.toks[0]
	if len(ln.toks) < 2 || t.str == nil || t.width() <= l.width-4*ln.depth {
		return nil
	}
	if d := delimiters(ln.toks, false); d.max > prioString {
		return nil
	}
	pieces := t.str.pieces(l.width - 4*ln.depth)
	if pieces == nil {
		return nil
	}
	var out []line
	for _, s := range pieces {
		out = append(out, line{toks: []tok{{text: s, kind: kString, id: t.id}}, depth: ln.depth, inside: true})
	}
	last := &out[len(out)-1]
	last.toks = append(last.toks, ln.toks[1:]...)
	return out
}

// breakString splits the longest literal of a line that nothing else could
// shorten, in parentheses of its own unless the line has nothing else.
func (l *layout) breakString(ln line) []line {
	best := -1
	for i := range ln.toks {
		if ln.toks[i].str != nil && (best < 0 || len(ln.toks[i].text) > len(ln.toks[best].text)) {
			best = i
		}
	}
	if best < 0 || ln.kind == lineDocstring {
		return nil
	}
	t := ln.toks[best]
	alone := ln.inside && len(ln.toks) == 1
	depth := ln.depth
	if !alone {
		depth++
	}
	pieces := t.str.pieces(l.width - 4*depth)
	if pieces == nil {
		return nil
	}
	var out []line
	if !alone {
		open := tok{text: "(", space: t.space, kind: kOpen}
		out = append(out, line{toks: append(append([]tok(nil), ln.toks[:best]...), open), depth: ln.depth})
	}
	for _, s := range pieces {
		out = append(out, line{toks: []tok{{text: s, kind: kString}}, depth: depth, inside: true})
	}
	if !alone {
		closing := tok{text: ")", kind: kClose}
		out = append(out, line{toks: append([]tok{closing}, ln.toks[best+1:]...), depth: ln.depth})
	}
	return out
}
