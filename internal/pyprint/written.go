package pyprint

import (
	"slices"

	"github.com/thuml/depyf/internal/pyast"
)

// How the source was laid out is known where the nodes have their places (Options.AsWritten):
// who put each argument on a line of its own meant it, and who wrote a line longer than
// Width did so, too. The meaning is the same; the text reads like the one that was written.
//
// Each token carries the lines of the node that it begins; when a bracket closes, the lines
// of its items tell whether they stood below each other.

// written is what is known of the source of a logical line while its tokens are emitted.
type written struct {
	on    bool // Options.AsWritten
	line  int32
	end   int32
	seen  int32 // the line of the last token whose line is known
	first int32 // of the logical line
	last  int32
	right int  // the rightmost column that an expression ends at
	open  bool // some expression does not tell where it ends
}

// begins says that the next token is the first of e.
func (p *printer) begins(e pyast.Expr) {
	w := &p.written
	at := e.Position()
	if !w.on || at.Line <= 0 {
		return
	}
	w.line, w.end = int32(at.Line), int32(at.EndLine)
	w.reach(int32(at.Line), int32(max(at.Line, at.EndLine)))
	w.right = max(w.right, at.EndCol)
	w.open = w.open || at.EndLine == 0
}

// dot says that the next token is the dot of e. Before 3.11 e has one line, where it
// begins or, of a method that is called (3.10), where the name stands.
func (p *printer) dot(e *pyast.Attribute) {
	w := &p.written
	if !w.on {
		return
	}
	line := int32(e.EndLine)
	if line == 0 {
		if l := p.last(); l != nil && l.kind == kClose && int32(e.Line) <= w.seen {
			w.seen = 0 // `.b(` may stand below `a()`
			return
		}
		line = int32(e.Line)
	}
	w.line, w.end = line, line
}

// reach says that the logical line covers these lines of the source.
func (w *written) reach(first, last int32) {
	if w.first == 0 || first < w.first {
		w.first = first
	}
	w.last = max(w.last, last)
}

// oneLine reports whether all that is known of the logical line stood on one line.
func (w *written) oneLine() bool { return w.on && !w.open && w.first > 0 && w.first == w.last }

// places gives a token its lines.
func (w *written) places(t *tok) {
	if w.line == 0 {
		return
	}
	t.line, t.end = w.line, max(w.line, w.end)
	w.seen = w.line
	if t.kind != kOpen {
		w.seen = t.end
	}
	w.line, w.end = 0, 0
}

// lines is the range of lines of some tokens, 0 where nothing is known.
type lines struct{ first, last int32 }

func (l *lines) add(first, last int32) {
	if first > 0 && (l.first == 0 || first < l.first) {
		l.first = first
	}
	l.last = max(l.last, last)
}

// closed judges the bracket that has been opened by the token at open, on the line before,
// and closes behind the last one: were its items on lines of their own?
func (e *emitter) closed(open int, before int32) {
	if !e.written.on {
		return
	}
	inside := e.toks[open+1:]
	d := delimiters(inside, false)
	var items []lines
	var all, item lines
	depth := 0
	for i := range inside {
		t := &inside[i]
		if t.kind == kClose {
			depth--
		}
		if depth == 0 && t.prio == d.max && breakAt(inside, i) {
			items = append(items, item)
			item = lines{}
		}
		if t.kind == kOpen {
			depth++
		}
		if depth == 0 || t.kind == kOpen && depth == 1 {
			item.add(t.line, t.end)
			item.add(t.inside.first, t.inside.last)
		}
	}
	items = append(items, item)
	for _, x := range items {
		all.add(x.first, x.last)
	}
	t := &e.toks[open]
	t.inside = all
	real := t.text != ""
	if t.line > 0 {
		before = t.line
	}
	if t.flags&fParams != 0 {
		// A parameter has a place if it has an annotation.
		if items = slices.DeleteFunc(items, func(l lines) bool { return l.first == 0 }); len(items) < 2 {
			return
		}
		before = 0
	}
	for i, x := range items {
		if x.first == 0 || i > 0 && x.first <= items[i-1].last {
			return
		}
	}
	below := before > 0 && all.first > before
	switch n := len(items); d.max {
	case 0:
		if real && below {
			t.flags |= fBroken
		}
	case prioComma:
		if below || n > 2 || t.flags&fParams != 0 {
			t.flags |= fBroken
		}
	case prioComp, prioLogic, prioTernary:
		t.flags |= fBroken
	case prioDot:
		if n > 2 {
			t.flags |= fBroken
		}
	}
}

// hasBroken reports whether a pair of brackets among toks stood on several lines.
func hasBroken(toks []tok) bool {
	for i := range toks {
		if toks[i].flags&fBroken != 0 && matching(toks, i) >= 0 {
			return true
		}
	}
	return false
}
