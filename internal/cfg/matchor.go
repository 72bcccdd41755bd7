package cfg

import "github.com/thuml/depyf/internal/opcode"

// alternatives reads an or-pattern. p is behind the COPY 1 of the first one:
//
//	COPY 1; first; jump end        on failure:
//	COPY 1; second; jump end       on failure:
//	POP_TOP; jump fail
//	end: POP_TOP
//
// It is told from a case by its end, where the ways of two alternatives meet.
func (r *reader) alternatives(p place, whole, view *part) bool {
	// The stack is copied: a long one, which no pattern has, counts as many steps.
	if !r.afford(len(r.st)) {
		return false
	}
	var alts []*part
	var end place
	base := append([]slot(nil), r.st...)
	var endStack []slot
	special := r.special
	endLine := 0
	for len(alts) < 1000 {
		a := &part{}
		if len(alts) == 0 {
			a = view
		}
		s := &reader{at: p, root: whole, old: r.old, left: r.left, nest: r.nest + 1}
		s.st = append(append([]slot(nil), base...), slot{kind: 'p', part: a})
		for {
			q := s.at
			for q.i < len(q.b.Instrs) && q.b.Instrs[q.i].Op == opcode.Nop {
				q.i++
			}
			if q.i == len(q.b.Instrs) || q.b.Instrs[q.i].Op == opcode.Jump {
				if q.b.Taken != nil || q.b.Next == nil {
					return false
				}
				// The end of an alternative, or a mere block boundary.
				e := skip(place{q.b.Next, 0})
				if len(s.st) >= len(base) && s.st[len(base)-1].part == whole && len(e.b.Preds) > 1 && e.i == 0 || len(alts) > 0 && e == end {
					q = e
					s.at = q
					break
				}
				if *r.left--; *r.left < 0 {
					return false // empty blocks in a circle
				}
				s.at = place{q.b.Next, 0}
				continue
			}
			if len(alts) > 0 && q == end || len(alts) == 0 && q != s.met && s.steps > 0 && q.i == 0 && len(q.b.Preds) > 1 && len(s.st) >= len(base) {
				// unthread has led the test to the end directly.
				s.at = q
				break
			}
			s.at = q
			if op := q.b.Instrs[q.i].Op; len(s.st) == len(base) && (op == opcode.Pop || op.Stores()) {
				return false // a case: its own way goes on
			}
			if !s.step(&q.b.Instrs[q.i]) {
				return false
			}
			if s.steps > 2000 || len(s.st) < len(base) {
				return false
			}
		}
		if len(alts) == 0 {
			end, endStack = s.at, s.st
		} else if s.at != end || len(s.st) != len(endStack) {
			return false
		}
		for i := len(base); i < len(s.st); i++ {
			// What the alternatives capture is stored behind them, once.
			if s.st[i].part == nil && endStack[i].part == nil && s.st[i].kind == endStack[i].kind {
				continue // to be dropped at the common end (3.10)
			}
			if s.st[i].part == nil || endStack[i].part == nil {
				return false
			}
			if s.st[i].part != endStack[i].part {
				s.st[i].part.twin = endStack[i].part
			}
		}
		special = special || s.special
		endLine = max(endLine, s.endLine)
		alts = append(alts, a)
		if s.fail.b == nil {
			// An irrefutable alternative is the last.
			return false
		}
		f, okPops := dropPops(s.fail, s.depth-len(base))
		if !okPops || f.i == len(f.b.Instrs) {
			return false
		}
		in := &f.b.Instrs[f.i]
		if in.Op == opcode.Copy && in.Arg == 1 {
			p = place{f.b, f.i + 1}
			continue
		}
		if in.Op != opcode.Pop || len(alts) < 2 {
			return false
		}
		f.i++
		if r.fail.b == nil {
			// The whole fails where its subject has been dropped.
			r.fail, r.depth = skip(f), len(base)-1
		}
		break
	}
	r.endLine = max(r.endLine, endLine)
	whole.subs, whole.alts = nil, alts
	r.special = true
	r.st = endStack
	r.at, r.met = end, end
	return true
}
