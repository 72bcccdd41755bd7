package structure

import (
	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/opcode"
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
	end := s.g.Of[setup.LoopEnd]
	for n := 0; end != nil && n < 100; n++ {
		if k, ok := s.num[end]; ok && s.dom.Order[k] >= 0 {
			return end, true
		}
		end = end.Into // perhaps joined with the block in front
	}
	return nil, true // no `break`: what stands there is never reached
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
		for b := range body {
			if b.ID > out.ID && out.ID > h.ID && !s.behindHandler(b) {
				return false
			}
		}
		return true
	}
	return out.Src == nil || len(out.Src.Instrs) > 0 && out.Src.Instrs[0].Op == opcode.PopBlock
}

// behindHandler reports whether the only ways to b are through a handler.
func (s *builder) behindHandler(b *lift.Block) bool {
	for _, h := range s.catcher {
		if s.dom.Dominates(s.num[h], s.num[b]) {
			return true
		}
	}
	return false
}
