package structure

import (
	"slices"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/opcode"
)

// splitShared gives a loop a head of its own whose body begins with another loop, and
// whose own head is nothing but a label: both would be one.
//
//	while True:
//	    while a:
//	        with b: break
//	    c
func (s *builder) splitShared() {
	changed := false
	for _, w := range append([]*lift.Block(nil), s.g.Blocks...) {
		in := s.tested[w]
		if in == nil {
			continue
		}
		out := w.True
		if out == in {
			out = w.False
		}
		if out != w && returnedFromBehind(w, out) {
			changed = s.splitHead(w, out, w.Exc) || changed
		}
	}
	if changed {
		s.g.ComputePreds()
	}
}

// returnedFromBehind reports whether something returns to w that the layout has behind out, as it has the code of an outer
// loop behind the one that begins at w.
func returnedFromBehind(w, out *lift.Block) bool {
	return slices.ContainsFunc(w.Preds, func(p *lift.Block) bool { return p.ID >= max(w.ID, out.ID) })
}

// splitHead gives a loop around that with head w, which is left for out, a head of its own, if what returns to w
// from behind out does so by such a loop. What led to out stands in region in.
func (s *builder) splitHead(w, out *lift.Block, in *cfg.Region) bool {
	behind := map[*lift.Block]bool{}
	for x, more := range cfg.Walk(out) {
		if x != w && len(behind) < 10*barrierBlocks {
			behind[x] = true
			x.Succs(more)
			for r := x.Exc; r != nil && r != w.Exc && !in.Inside(r); r = r.Parent {
				more(s.handlerOf(r))
			}
		}
	}
	if !slices.ContainsFunc(w.Preds, func(p *lift.Block) bool { return p.ID >= w.ID && behind[p] }) {
		return false
	}
	h := &lift.Block{ID: w.ID, Term: lift.Term{Kind: lift.Goto, Line: w.Line}, Next: w, Exc: w.Exc, Line: w.Line, In: w.In, Out: w.In}
	s.g.Blocks = append(s.g.Blocks, h)
	for _, p := range w.Preds {
		if p.ID < w.ID || behind[p] {
			leadTo(p, w, h)
		}
	}
	if s.g.Entry == w {
		s.g.Entry = h
	}
	return true
}

// splitBroken does what splitShared does for loops without a test: a `break` tells of the inner one.
//
//	while True:
//	    while True:
//	        try: a; break
//	        except E: b
//	    c
//
// So does a way out of a with statement on which a suppressed exception does not go.
func (s *builder) splitBroken() {
	if s.g.CFG.Func.Code.Version.HasLoopBlocks() {
		return // each loop has its SETUP_LOOP
	}
	for _, b := range append([]*lift.Block(nil), s.g.Blocks...) {
		out := b.Next
		if leavesWith(b) && out != nil && b.Term.Kind == lift.Goto && !b.Term.EndFinally && !s.suppressedTo(b, out) {
			out = s.pastExits(out)
		} else if !b.Term.Break {
			continue
		}
		if out == nil || out == s.end || out.ID <= b.ID {
			continue
		}
		var w *lift.Block // the innermost head of a loop around b
		for _, h := range s.g.Blocks {
			if h.ID <= b.ID && (w == nil || h.ID > w.ID) &&
				slices.ContainsFunc(h.Preds, func(p *lift.Block) bool { return p.ID >= b.ID }) {
				w = h
			}
		}
		if w == nil || w.Term.Kind == lift.For || w.Exc.Inside(b.Exc) || !slices.ContainsFunc(w.Preds, func(p *lift.Block) bool { return p.ID >= w.ID && p.ID < out.ID }) {
			continue
		}
		if s.splitHead(w, out, b.Exc) {
			s.g.ComputePreds()
		}
	}
}

// splitTested does what splitShared does where a while loop tests in one place, which is then the head of the
// loop around it, too (3.8, 3.9). As an `if` in that loop its body would end by a `continue`, or an
// `else:` would stand on a line between it and what follows:
//
//	while True:
//	    while a:
//	        b
//	    c
func (s *builder) splitTested() {
	if v := s.g.CFG.Func.Code.Version; v.HasLoopBlocks() || v.DeadCodeRemoved() {
		return
	}
	for _, w := range append([]*lift.Block(nil), s.g.Blocks...) {
		if w.Term.Kind != lift.Branch || len(w.Stmts) > 0 || w.Term.KeepTrue || w.Term.KeepFalse {
			continue
		}
		in, out := w.True, w.False
		if in.ID > out.ID {
			in, out = out, in
		}
		if in.ID > w.ID && out != s.end && returnedFromBehind(w, out) && s.whileWritten(w, out) && s.splitHead(w, out, w.Exc) {
			s.g.ComputePreds()
		}
	}
}

// whileWritten reports whether lines tell that what stands between the test w and out is the body of a while loop.
func (s *builder) whileWritten(w, out *lift.Block) bool {
	var last *lift.Block // of those that return to the test
	for _, p := range w.Preds {
		if p.ID >= w.ID && p.ID < out.ID && (last == nil || p.ID > last.ID) {
			last = p
		}
	}
	if last == nil {
		return false
	}
	inside := func(b *lift.Block) bool { return b.ID > w.ID && b.ID < out.ID }
	if slices.ContainsFunc(out.Preds, func(p *lift.Block) bool { return inside(p) && s.breakWritten(p) }) {
		return true
	}
	elif := out.Term.Kind == lift.Branch && len(out.Stmts) == 0 // that needs no line of its own
	return last.Term.Kind == lift.Goto && !s.ownPlace(&last.Term) && last.Term.Line > 0 && out.Line == last.Term.Line+1 && !elif
}

// breakWritten reports whether b ends by the jump of a `break` that stands on a line of its own: a jump over an else
// clause or another arm is relative to itself.
func (s *builder) breakWritten(b *lift.Block) bool {
	f := s.g.CFG.Func
	k := f.Index(b.Term.Offset)
	return b.Term.Kind == lift.Goto && k < len(f.Instrs) && opcode.For(f.Code.Version).Ops[f.Instrs[k].Raw].Flags&opcode.JumpAbs != 0 && s.ownPlace(&b.Term)
}
