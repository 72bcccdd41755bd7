package pyprint

// split is a line divided at one pair of brackets.
type split struct {
	head, body, tail line
	open, close      tok
}

// omitted is a set of closing brackets that must not be split at.
type omitted map[int32]bool

func (o omitted) with(id int32) omitted {
	c := make(omitted, len(o)+1)
	for k := range o {
		c[k] = true
	}
	c[id] = true
	return c
}

// rightSplit splits at the last pair of brackets that gives a first line short
// enough, or else simply at the last pair.
func (l *layout) rightSplit(ln line, force bool) (parts []line, visible, ok bool) {
	for _, omit := range l.trailersToOmit(ln) {
		parts, visible, ok = l.splitOmitting(ln, omit, force)
		if !ok {
			return nil, false, false
		}
		if l.fit(parts[0]) {
			return parts, visible, true
		}
	}
	return l.splitOmitting(ln, nil, force)
}

func (l *layout) splitOmitting(ln line, omit omitted, force bool) ([]line, bool, bool) {
	s, ok := firstSplit(ln, omit)
	if !ok {
		return nil, false, false
	}
	return l.resolve(s, ln, omit, force)
}

// firstSplit divides ln at its last pair of brackets that is neither omitted
// nor empty.
func firstSplit(ln line, omit omitted) (split, bool) {
	toks := ln.toks
	for i := len(toks) - 1; i >= 0; i-- {
		if toks[i].kind != kClose || omit[toks[i].id] {
			continue
		}
		open := opening(toks, i)
		if open < 0 {
			return split{}, false // closes a bracket of an earlier line
		}
		if open < i-1 {
			return makeSplit(ln, open, i), true
		}
		i = open
	}
	return split{}, false
}

// opening returns the index of the bracket that toks[i] closes, or -1.
func opening(toks []tok, i int) int {
	depth := 0
	for j := i; j >= 0; j-- {
		switch toks[j].kind {
		case kClose:
			depth++
		case kOpen:
			depth--
			if depth == 0 {
				return j
			}
		}
	}
	return -1
}

func makeSplit(ln line, open, end int) split {
	t := ln.toks
	s := split{open: t[open], close: t[end]}
	s.head = line{toks: t[:open+1], depth: ln.depth, kind: ln.kind}
	s.body = line{toks: t[open+1 : end], depth: ln.depth + 1, inside: true}
	s.tail = line{toks: t[end:], depth: ln.depth}
	if ln.kind == lineImport {
		s.body.toks = withComma(s.body.toks)
	}
	d := delimiters(s.body.toks, false)
	s.body.explode = d.max == prioComma && (s.open.flags&fDisplay != 0 || ln.kind == lineImport) || d.max > 0 && s.open.flags&fBroken != 0
	return s
}

// resolve decides whether a split at optional parentheses is worth making them
// visible, or whether to split inside or before them instead.
func (l *layout) resolve(s split, ln line, omit omitted, force bool) (parts []line, vis, ok bool) {
	optional := s.open.flags&fInvisible != 0 && s.open.text == ""
	if optional && !force && ln.kind != lineImport && s.open.flags&fBroken == 0 && l.canOmit(s, ln) {
		inner, found := firstSplit(ln, omit.with(s.close.id))
		tried := found && l.preferInner(inner, s)
		if tried {
			parts, vis, ok = l.resolve(inner, ln, omit.with(s.close.id), force)
			if ok {
				return parts, vis, true
			}
		}
		if (!found || tried) && !isChained(ln.toks) && !l.canBeSplit(s.body) && !l.fit(s.body) {
			return nil, false, false
		}
	}
	if optional {
		s.head.toks = visible(s.head.toks, len(s.head.toks)-1, "(")
		s.tail.toks = visible(s.tail.toks, 0, ")")
	}
	return []line{s.head, s.body, s.tail}, optional, true
}

// isChained reports a = b = c. As in black, keyword arguments count too.
func isChained(toks []tok) bool {
	n := 0
	for i := range toks {
		if toks[i].is("=") {
			n++
		}
	}
	return n > 1
}

// canBeSplit is false for lines that certainly cannot.
func (l *layout) canBeSplit(ln line) bool {
	toks := ln.toks
	if len(toks) == 1 {
		return toks[0].str != nil && toks[0].str.pieces(l.width-4*ln.depth) != nil
	}
	if len(toks) < 2 {
		return false
	}
	if toks[0].kind != kString || !toks[1].is(".") {
		return true
	}
	// "…".format(…) and the like.
	calls, dots := 0, 0
	next := &toks[len(toks)-1]
	for i := len(toks) - 2; i >= 0; i-- {
		t := &toks[i]
		switch {
		case t.kind == kOpen:
			if next.kind != kClose {
				return false
			}
			calls++
		case t.is("."):
			dots++
		case t.kind == kText:
			if !next.is(".") && next.kind != kOpen {
				return false
			}
		case t.kind != kClose:
			return false
		}
		if dots > 1 && calls > 1 {
			return false
		}
	}
	return true
}

// preferInner chooses between splitting inside (or before) the optional
// parentheses of outer and splitting at them.
func (l *layout) preferInner(inner, outer split) bool {
	h := outer.head.toks
	if len(h) < 2 || !h[len(h)-2].is("=") {
		return true // not right after an assignment
	}
	brackets := false
	for i := range h[:len(h)-1] {
		brackets = brackets || h[i].kind == kOpen || h[i].kind == kClose
	}
	if !brackets || !l.fits(h, outer.head.depth) {
		return true
	}
	if n := equals(h); n > 1 && n > equals(inner.head.toks) {
		return false
	}
	for i := len(inner.head.toks) - 1; i >= 0; i-- {
		t := &inner.head.toks[i]
		if t.is("=") {
			break
		}
		if t.kind == kClose {
			return true
		}
	}
	return equals(inner.head.toks) > 0 && l.fit(inner.head)
}

func equals(toks []tok) int {
	n := 0
	for i := range toks {
		if toks[i].is("=") {
			n++
		}
	}
	return n
}

// canOmit reports whether the body of a split at optional parentheses has a
// shape that looks well without them.
func (l *layout) canOmit(s split, ln line) bool {
	toks := s.body.toks
	if len(toks) == 1 && !l.fit(s.body) && l.canBeSplit(s.body) {
		return false // a literal that will take several lines
	}
	d := delimiters(toks, true)
	switch {
	case d.max == 0:
		return true
	case d.count > 1:
		return false
	case d.max == prioComma && ln.kind == lineWith:
		return false
	case d.max == prioDot:
		return true
	}
	if len(toks) < 2 {
		return false
	}
	first, second := &toks[0], &toks[1]
	if first.kind == kOpen && second.kind != kClose && l.canOmitOpening(s.body) {
		return true
	}
	last, before := &toks[len(toks)-1], &toks[len(toks)-2]
	if last.kind == kClose && (last.text != "]" || toks[opening(toks, len(toks)-1)].flags&fSubscript == 0) {
		if before.kind == kOpen {
			return false
		}
		return l.canOmitClosing(s.body)
	}
	return false
}

func (l *layout) canOmitOpening(b line) bool {
	end := matching(b.toks, 0)
	length, remainder := 4*b.depth, false
	for i := range b.toks {
		if i == end {
			remainder = true
		}
		if remainder {
			length += b.toks[i].width()
			if length > l.width {
				return false
			}
			if b.toks[i].kind == kOpen {
				remainder = false
			}
		}
	}
	return true
}

func (l *layout) canOmitClosing(b line) bool {
	open := opening(b.toks, len(b.toks)-1)
	length, others := 4*b.depth, false
	for i := range b.toks {
		length += b.toks[i].width()
		if i == open {
			return others || length <= l.width
		}
		if b.toks[i].kind == kOpen {
			others = true
		}
	}
	return false
}

// trailersToOmit returns growing sets of closing brackets to leave alone: as
// long as what follows the next bracket to the left fits in one line, the
// brackets on the right can be glued together.
func (l *layout) trailersToOmit(ln line) []omitted {
	out := []omitted{nil}
	if hasBroken(ln.toks) {
		out = nil // one of the brackets on the left may have to be split
	}
	omit := omitted{}
	inner := []int32{}
	length := 4 * ln.depth
	openAt, closing := -1, int32(-1)
	for i := len(ln.toks) - 1; i >= 0; i-- {
		t := &ln.toks[i]
		length += t.width()
		if length > l.width {
			break
		}
		if openAt >= 0 {
			if i == openAt {
				openAt = -1
			} else if t.kind == kClose {
				inner = append(inner, t.id)
			}
			continue
		}
		if t.kind != kClose {
			continue
		}
		if i > 0 && ln.toks[i-1].kind == kOpen {
			inner = append(inner, t.id)
			continue
		}
		if closing >= 0 {
			omit = omit.with(closing)
			for _, id := range inner {
				omit[id] = true
			}
			inner = inner[:0]
			out = append(out, omit)
		}
		at := opening(ln.toks, i)
		if at >= 0 && ln.toks[at].flags&fBroken != 0 {
			break
		}
		if t.text != "" {
			openAt, closing = at, t.id
		}
	}
	return out
}
