package structure

import (
	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
)

// postDominators computes, for each block, the first block that every way from
// it to the end of the function passes. Exceptions are left aside.
func (s *builder) postDominators() {
	n := len(s.blocks)
	preds := make([][]int, n+1)
	for i, b := range s.blocks {
		if s.dom.Order[i] < 0 {
			continue
		}
		ends := true
		b.Succs(func(x *lift.Block) {
			if k, ok := number(x); ok {
				preds[k] = append(preds[k], i)
				ends = false
			}
		})
		if ends {
			preds[n] = append(preds[n], i)
		}
	}
	s.pdom = cfg.Dominators(n+1, n, func(i int, f func(int)) {
		for _, p := range preds[i] {
			f(p)
		}
	})
}

// quickJoin finds where the arms of the branch b meet when all their ways do so,
// before any of them reaches a block of the context. That is the common case,
// and looking only at the arms keeps the work linear in long functions.
func (s *builder) quickJoin(b, x, y *lift.Block, c ctx) *lift.Block {
	k, ok := number(b)
	if !ok {
		return nil
	}
	if s.pdom == nil {
		s.postDominators()
	}
	p := s.pdom.Idom[k]
	if p < 0 || p >= len(s.blocks) {
		return nil
	}
	j := s.thru(s.blocks[p])
	if s.at(j, c.fall) && !s.at(j, c.cont) && !s.at(j, c.brk) && s.armsMeet(x, y, j, c) {
		return c.fall
	}
	if j == s.end || s.ctxBlock(j, c) {
		return nil
	}
	if s.armsMeet(x, y, j, c) {
		return j
	}
	seen := map[*lift.Block]bool{}
	shared := map[*lift.Block]bool{}
	for arm, start := range []*lift.Block{x, y} {
		mine := map[*lift.Block]bool{}
		arrives := false // an arm that loops for ever never does
		for z, more := range s.walkThru(s.thru(start)) {
			if z == j {
				arrives = true
				continue
			}
			if s.ctxBlock(z, c) || len(mine) > 4000 {
				return nil
			}
			mine[z] = true
			if arm == 1 && seen[z] {
				shared[z] = true
			}
			z.Succs(more)
		}
		if !arrives {
			return nil
		}
		for z := range mine {
			seen[z] = true
		}
	}
	if len(shared) > 0 {
		return nil // the arms touch before the join: let the full search decide
	}
	return j
}
