package cfg

import "github.com/thuml/depyf/internal/opcode"

// alternatives reads an or-pattern. p is behind the COPY 1 of the first one:
//
//	COPY 1; first; jump end        on failure:
//	COPY 1; second; jump end       on failure:
//	POP_TOP; jump fail
//	end: POP_TOP
//
// The last one has no test where it is `_` or a name, which only a guard makes sense of.
// It is told from a case by its end, where the ways of two alternatives meet.
func (r *reader) alternatives(p place, whole, view *part) bool {
	// The stack is copied: a long one, which no pattern has, counts as many steps.
	if !r.afford(len(r.st)) {
		return false
	}
	o := &orReader{whole: whole, base: append([]slot(nil), r.st...), line: p.b.Instrs[p.i-1].Pos.Line}
	for more := true; more; {
		if len(o.alts) >= mostAlternatives {
			return false
		}
		a := &part{}
		if len(o.alts) == 0 {
			a = view
		}
		s := &reader{at: p, root: whole, old: r.old, left: r.left, nest: r.nest + 1}
		s.st = append(append([]slot(nil), o.base...), slot{kind: 'p', part: a})
		if !o.read(s) || !o.meet(s) {
			return false
		}
		o.alts = append(o.alts, a)
		var ok bool
		if p, more, ok = o.next(r, s); !ok {
			return false
		}
	}
	r.endLine = max(r.endLine, o.endLine)
	whole.subs, whole.alts = nil, o.alts
	r.special = true
	r.st = o.endStack
	r.at, r.met = o.end, o.end
	return true
}

const mostAlternatives = 1000

// orReader is what has been read of an or-pattern.
type orReader struct {
	whole    *part
	alts     []*part
	base     []slot // the stack in front of it
	end      place  // where the alternatives meet, once one has been read
	endStack []slot
	endLine  int
	line     int32 // of the first alternative
}

// read follows s to the end of its alternative.
func (o *orReader) read(s *reader) bool {
	for {
		q := s.at
		q.i = behindNops(q.b.Instrs, q.i)
		if q.i == len(q.b.Instrs) || q.b.Instrs[q.i].Op == opcode.Jump {
			if q.b.Taken != nil || q.b.Next == nil {
				return false
			}
			if e := skip(place{q.b.Next, 0}); o.endsAt(s, e) {
				s.at = e
				return true
			}
			if *s.left--; *s.left < 0 {
				return false // empty blocks in a circle
			}
			s.at = place{q.b.Next, 0}
			continue
		}
		s.at = q
		if o.ledTo(s, q) {
			return true
		}
		if op := q.b.Instrs[q.i].Op; len(s.st) == len(o.base) && (op == opcode.Pop || op.Stores()) {
			return false // a case: its own way goes on
		}
		if !s.step(&q.b.Instrs[q.i]) || s.steps > 2000 || len(s.st) < len(o.base) {
			return false
		}
	}
}

// endsAt reports whether the alternative that s reads ends with a jump to e, which may be a mere block boundary.
func (o *orReader) endsAt(s *reader, e place) bool {
	n := len(o.base)
	return len(s.st) >= n && s.st[n-1].part == o.whole && len(e.b.Preds) > 1 && e.i == 0 || len(o.alts) > 0 && e == o.end
}

// ledTo reports whether the alternative that s reads ends at q because unthread has led the test there directly.
func (o *orReader) ledTo(s *reader, q place) bool {
	if len(o.alts) > 0 {
		return q == o.end
	}
	return q != s.met && s.steps > 0 && q.i == 0 && len(q.b.Preds) > 1 && len(s.st) >= len(o.base)
}

// meet joins an alternative with those before: what they capture is stored behind them, once.
func (o *orReader) meet(s *reader) bool {
	if len(o.alts) == 0 {
		o.end, o.endStack = s.at, s.st
	} else if s.at != o.end || len(s.st) != len(o.endStack) {
		return false
	}
	kept := len(s.st) // but for what each of them drops at the common end
	for i := o.end.i; kept > len(o.base) && i < len(o.end.b.Instrs) && o.end.b.Instrs[i].Op == opcode.Pop; i++ {
		kept--
	}
	for i := range s.st[:kept] { // what a capture has left may lie below the subject
		mine, first := &s.st[i], &o.endStack[i]
		if mine.part == nil && first.part == nil && mine.kind == first.kind {
			continue // to be dropped at the common end (3.10)
		}
		if mine.part == nil || first.part == nil {
			return false
		}
		if mine.part != first.part {
			mine.part.twin = first.part
		}
	}
	o.endLine = max(o.endLine, s.endLine)
	return true
}

// next is where the alternative behind that of s begins, if there is one.
func (o *orReader) next(r, s *reader) (p place, more, ok bool) {
	if s.fail.b == nil {
		return p, false, len(o.alts) > 1 // the last one, which matches everything
	}
	f, ok := dropPops(s.fail, s.depth-len(o.base))
	if !ok || f.i == len(f.b.Instrs) {
		return p, false, false
	}
	// Of `_` the compiler leaves nothing, or the place (3.12+). What ends the alternatives stands where they begin: at the first of
	// them, or a bracket in front of it.
	if e := skip(f); e == o.end && popsAt(e) && e.b.Instrs[e.i].Pos.Line <= o.line {
		o.alts = append(o.alts, &part{})
		return p, false, true
	}
	in := &f.b.Instrs[f.i]
	if in.Op == opcode.Copy && in.Arg == 1 {
		return place{f.b, f.i + 1}, true, true
	}
	if in.Op != opcode.Pop || len(o.alts) < 2 {
		return p, false, false
	}
	f.i++
	if r.fail.b == nil {
		// The whole fails where its subject has been dropped.
		r.fail, r.depth = skip(f), len(o.base)-1
	}
	return p, false, true
}
