package structure

import (
	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
)

// loopEnd returns where `break` leads in the loop with head h: 3.7 says so in
// the loop's SETUP_LOOP. It is nil where
// nothing breaks and exhaustion leaves the function, unknown in other versions.
func (s *builder) loopEnd(h *lift.Block) (*lift.Block, bool) {
	if !s.g.CFG.Func.Code.Version.HasLoopBlocks() || h.Src == nil {
		return nil, false
	}
	var setup *cfg.Block
	for _, b := range s.g.CFG.Blocks {
		if b.LoopEnd == nil || b.Dead || b.Last().Op != opcode.SetupLoop {
			continue
		}
		// The innermost SETUP_LOOP around the head: the last one in front of it, which
		// is joined with the head of a for loop that no edge returns to.
		if (b.ID < h.ID || b.ID == h.ID && h.Term.Kind == lift.For) && b.LoopEnd.ID > h.ID {
			setup = b
		}
	}
	if setup == nil {
		return nil, false
	}
	return s.behindBlock(setup), true
}

// behindBlock returns where the loop of a SETUP_LOOP ends: where `break` leads. It is nil where
// nothing goes there.
func (s *builder) behindBlock(setup *cfg.Block) *lift.Block {
	end := s.g.Of(setup.LoopEnd)
	for n := 0; end != nil && n < 100; n++ {
		if k, ok := number(end); ok && s.dom.Order[k] >= 0 {
			return end
		}
		end = end.Into // perhaps joined with the block in front
	}
	return nil // no `break`: what stands there is never reached
}

// splitTurns gives each loop that never goes round a head of its own, where its SETUP_LOOP stands.
func (s *builder) splitTurns() {
	heads := map[*lift.Block]*lift.Block{}
	for _, b := range s.g.Blocks {
		if b.TurnOf != nil {
			heads[b] = &lift.Block{ID: b.ID, Term: lift.Term{Kind: lift.Goto, Line: b.Line}, Next: b, Exc: b.TurnOf.Exc, Line: b.Line, In: b.In, Out: b.In}
		}
	}
	if len(heads) == 0 {
		return
	}
	s.turns = map[*lift.Block]*cfg.Block{}
	for _, p := range append([]*lift.Block(nil), s.g.Blocks...) {
		// ClauseEnd: a clause that does not come out would go round.
		for _, to := range []**lift.Block{&p.Next, &p.True, &p.False, &p.ClauseEnd} {
			if h := heads[*to]; h != nil {
				*to = h
			}
		}
		if h := heads[p]; h != nil {
			s.turns[h] = p.TurnOf
			s.g.Blocks = append(s.g.Blocks, h)
		}
	}
	s.g.ComputePreds()
}

// turnLoop writes the loop with head h, which never goes round, and returns where to continue.
// The failure of a test at its begin leads to the POP_BLOCK of the loop, if that is a while statement's.
//
//	while a:        while True:
//	    b               b
//	    break           break
//	else:
//	    c
func (s *builder) turnLoop(h *lift.Block, c ctx) (pyast.Stmt, *lift.Block) {
	setup := s.turns[h]
	after := s.behindBlock(setup)
	inner := ctx{fall: h, cont: h, brk: after, exc: c.exc, busy: &loopStack{h, c.busy}, stop: c.stop}
	b := h.Next
	if b.Term.Kind == lift.Branch && len(b.Stmts) == 0 && b.Exc == h.Exc {
		in, out, test := b.True, b.False, b.Term.Cond
		if endsLoop(in, setup) {
			in, out, test = out, in, lift.Not(test)
		}
		if endsLoop(out, setup) {
			node := &pyast.While{Pos: pyast.At(b.Term.Line, b.Term.Offset), Test: test, Body: s.build(in, inner)}
			if after == nil || !s.at(out, after) {
				node.OrElse = s.build(out, withFall(c, after))
			}
			return node, after
		}
	}
	return turn(b, s.build(b, inner)), after
}

// endsLoop reports whether b begins with the POP_BLOCK in the loop of a SETUP_LOOP.
func endsLoop(b *lift.Block, setup *cfg.Block) bool {
	return b.Src != nil && b.ID < setup.LoopEnd.ID && len(b.Src.Instrs) > 0 && b.Src.Instrs[0].Op == opcode.PopBlock
}

// testsLoop reports whether the test at the loop's head may be that of a while
// statement: in 3.7 its failure leads to the POP_BLOCK of the loop, later behind
// the loop. From 3.10 to 3.13 most have a copy of it at their end, which is enough.
func (s *builder) testsLoop(h *lift.Block, body map[*lift.Block]bool) bool {
	out := h.True
	if body[out] {
		out = h.False
	}
	if v := s.g.CFG.Func.Code.Version; !v.HasLoopBlocks() {
		if s.tested[h] != nil || out == s.end {
			return true
		}
		// The code behind a while statement does not stand inside it. What handles an
		// exception does not stand where the source has it (3.11+).
		if out.ID <= h.ID {
			return true
		}
		for b := range withoutHandlers(h, body) {
			if b.ID > out.ID {
				return false
			}
		}
		return true
	}
	return out.Src == nil || len(out.Src.Instrs) > 0 && out.Src.Instrs[0].Op == opcode.PopBlock
}

// withoutHandlers are the blocks of the loop with head h that a turn comes to without an exception.
func withoutHandlers(h *lift.Block, body map[*lift.Block]bool) map[*lift.Block]bool {
	set := map[*lift.Block]bool{}
	for b, more := range cfg.Walk(h) {
		if body[b] {
			set[b] = true
			b.Succs(more)
		}
	}
	return set
}
