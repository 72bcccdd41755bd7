package structure

import (
	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
)

// enters reports whether b begins a protected statement.
func (s *builder) enters(b *lift.Block, c ctx) bool {
	return b.Exc != nil && b.Exc != c.exc && b.Exc.Inside(c.exc)
}

// regionStartsAt reports whether a protected statement that begins at b
// encloses the loop that b heads.
func (s *builder) regionStartsAt(b *lift.Block, c ctx) bool {
	if !s.enters(b, c) {
		return false
	}
	r := outermost(b.Exc, c.exc)
	for x := range s.loops[b] {
		if !x.Exc.Inside(r) {
			return false
		}
	}
	return s.loops[b] == nil || !s.leapsOut(r, c)
}

// leapsOut reports whether a clause of r's handler breaks out of, or continues,
// a loop that is not being written: it encloses the statement.
func (s *builder) leapsOut(r *cfg.Region, c ctx) bool {
	h := s.handlerOf(r)
	base := handlerBase(h)
	for x, more := range cfg.Walk(h) {
		if x != h && !handling(x, base) {
			continue
		}
		if t := &x.Term; (t.Break || t.Continue) && x.Next != nil && !handling(x.Next, base) {
			if to := s.outOfBodies(x.Next); !s.at(to, c.brk) && !s.at(to, c.cont) {
				return true
			}
		}
		x.Succs(more)
	}
	return false
}

// outOfBodies follows the ends of the protected bodies that begin at b.
func (s *builder) outOfBodies(b *lift.Block) *lift.Block {
	b = s.thru(b)
	for b != s.end && len(b.Stmts) == 0 && b.Term.Kind == lift.Goto && b.Term.EndBody != nil {
		b = s.thru(b.Next)
	}
	return b
}

// outermost is the region around r whose parent is the context's.
func outermost(r, c *cfg.Region) *cfg.Region {
	for r.Parent != c && r.Parent != nil {
		r = r.Parent
	}
	return r
}

// try writes a protected statement that begins at b; out is the list so far. It
// returns the list and where to continue, nil when the list is complete.
func (s *builder) try(out []pyast.Stmt, b *lift.Block, c ctx) ([]pyast.Stmt, *lift.Block) {
	r := outermost(b.Exc, c.exc)
	h := s.handlerOf(r)
	switch s.classify(r, h) {
	case opcode.SetupWith:
		if to := s.exitsApart(out, b, r, h, c); to != nil {
			return s.withApart(out, b, r, h, to, c)
		}
		return s.with(out, b, r, h, c)
	case opcode.SetupFinally:
		if x := s.brokenTo(b, r, h, c); x != nil {
			s.turned[r] = true
			return append(out, s.oneTurn(b, x, c)), x
		}
		return s.finally(out, b, r, h, c)
	}
	return s.except(out, b, r, h, c)
}

// classify tells what statement a handler belongs to: up to 3.10 the bytecode says so, then
// what it begins with.
func (s *builder) classify(r *cfg.Region, h *lift.Block) opcode.Op {
	switch r.Kind {
	case cfg.RegionTable:
	case cfg.RegionWith, cfg.RegionAsyncWith:
		return opcode.SetupWith
	case cfg.RegionExcept:
		return opcode.SetupExcept
	default:
		return opcode.SetupFinally
	}
	first := opcode.Nop
	for i := range h.Src.Instrs {
		switch op := h.Src.Instrs[i].Op; op {
		case opcode.WithExceptStart:
			return opcode.SetupWith
		case opcode.Nop, opcode.PushExcInfo, opcode.Resume:
			continue
		default:
			first = op
		}
		break
	}
	switch {
	case first == opcode.Pop && !r.Clean:
		return opcode.SetupExcept // bare
	case h.Term.Kind == lift.Branch && lift.IsExcTest(h.Term.Cond) && len(h.Stmts) == 0:
		return opcode.SetupExcept
	case first == opcode.StoreFast || first == opcode.StoreName || first == opcode.StoreDeref || first == opcode.StoreGlobal:
		return opcode.SetupExcept
	}
	return opcode.SetupFinally
}
