package structure

import (
	"sort"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/opcode"
)

// joinReraises gives the handler of a finally clause one end. The compiler
// copies what leaves the function, the raising of the exception too, together
// with the last statements in front of it:
//
//	if a: x; z; reraise          if a: x
//	else: y; z; reraise    →     else: y
//	                             z
//	                             reraise
func (s *builder) joinReraises() {
	s.reraise = map[*cfg.Region]*lift.Block{}
	if s.g.CFG.Func.Code.Version.SharesFinallyBody() {
		return
	}
	for _, h := range append([]*lift.Block(nil), s.g.Blocks...) {
		if len(h.HandlerOf) == 0 || s.classify(h.HandlerOf[0], h) != opcode.SetupFinally {
			continue
		}
		ends := s.raisesAgain(h)
		if len(ends) == 0 {
			continue
		}
		last := ends[len(ends)-1]
		end := &lift.Block{ID: last.ID, Term: last.Term, Exc: last.Exc, Line: last.Term.Line, Src: last.Src, In: last.Out, Out: last.Out}
		for _, b := range ends {
			b.Term = lift.Term{Kind: lift.Goto, Line: b.Term.Line, Offset: b.Term.Offset}
			b.Next = end
		}
		s.g.Blocks = append(s.g.Blocks, end)
		s.g.ComputePreds()
		for _, r := range h.HandlerOf {
			s.reraise[r] = end
		}
	}
}

// raisesAgain lists the blocks that raise the exception again that h handles,
// in layout order. Those of statements inside of the handler have more on their
// stack.
func (s *builder) raisesAgain(h *lift.Block) []*lift.Block {
	var out []*lift.Block
	depth, base := len(h.In), handlerBase(h)
	if h.HandlerOf[0].Kind == cfg.RegionTable {
		depth++ // the exception handled before is saved by the handler itself
	}
	for x, more := range cfg.Walk(h) {
		if x != h && !handling(x, base) {
			continue // a loop may lead to other handlers
		}
		if x.Term.Kind == lift.Reraise && x.Next == nil && len(x.Out) == depth {
			out = append(out, x)
		}
		x.Succs(more)
		s.raisesTo(x, h.Exc, more)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out
}
