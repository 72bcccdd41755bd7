package structure

import (
	"sort"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
)

// handlerOf returns the block where r's exceptions arrive.
func (s *builder) handlerOf(r *cfg.Region) *lift.Block {
	b := s.catcher[r]
	if b == nil {
		fail("a protected region without a handler")
	}
	return b
}

// raisesTo calls f for the handlers that an exception in x may come to, of the
// statements within region outer.
func (s *builder) raisesTo(x *lift.Block, outer *cfg.Region, f func(*lift.Block)) {
	for e := x.Exc; e != nil && e != outer && e.Inside(outer); e = e.Parent {
		f(s.handlerOf(e))
	}
}

// handlerBase is the stack depth below what an exception pushes.
func handlerBase(h *lift.Block) int {
	n := len(h.In)
	own := 6 // the saved exception and the running one
	if len(h.HandlerOf) > 0 && h.HandlerOf[0].Kind == cfg.RegionTable {
		own = 1
		if h.HandlerOf[0].Lasti {
			own = 2
		}
	} else if n > 0 && h.In[n-1].Kind == lift.KFin {
		own = 1
	}
	return max(n-own, 0)
}

// handling reports whether b runs while the exception caught at stack depth
// base is being handled: the saved exception state is still on its stack.
func handling(b *lift.Block, base int) bool {
	return len(b.In) > base && (b.In[base].Kind == lift.KOldExc || b.In[base].Kind == lift.KExc || b.In[base].Kind == lift.KFin)
}

// inHandler reports whether x belongs to r's handler.
func (s *builder) inHandler(x *lift.Block, r *cfg.Region) bool {
	h := s.handlerOf(r)
	return handling(x, handlerBase(h)) && s.dom.Dominates(numberOf(h), numberOf(x))
}

// handlerExits lists where control goes on after the exception was handled.
func (s *builder) handlerExits(h *lift.Block, c ctx) []*lift.Block {
	base := handlerBase(h)
	var out []*lift.Block
	for x, more := range cfg.Walk(h) {
		if x != s.end && handling(x, base) || x == h {
			if x.Term.EndFinally {
				continue // where the body of a finally clause ends, the exception goes on (≤3.8)
			}
			x.Succs(more)
			s.raisesTo(x, c.exc, more)
			continue
		}
		if !s.at(x, c.cont) && !(s.at(x, c.brk) && !s.at(x, c.fall)) && !c.busy.has(s.thru(x)) {
			out = append(out, x)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return s.order(s.thru(out[i])) < s.order(s.thru(out[j])) })
	return out
}
