package structure

import (
	"slices"

	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/opcode"
)

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
		if in.ID > w.ID && out != s.end && s.whileWritten(w, out) && s.splitHead(w, out) {
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
