package structure

import (
	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/pyast"
)

// finally writes try/finally.
func (s *builder) finally(out []pyast.Stmt, b *lift.Block, r *cfg.Region, h *lift.Block, c ctx) ([]pyast.Stmt, *lift.Block) {
	node := &pyast.Try{Pos: pyast.At(b.Line, 0)}
	inner := c
	inner.exc = r
	if s.g.CFG.Func.Code.Version.SharesFinallyBody() {
		inner.fall = h
		node.Body = s.build(b, inner)
		fc := c
		fc.fall = noBlock
		fc.final = &finalEnd{}
		node.FinalBody = trimReraise(s.build(h, fc))
		if len(node.FinalBody) == 0 {
			node.FinalBody = []pyast.Stmt{&pyast.Pass{}}
		}
		return append(out, node), fc.final.after
	}
	hc := c
	hc.fall = noBlock
	if end := s.reraise[r]; end != nil {
		hc.fall = end
	}
	body := trimReraise(s.build(h, hc))
	node.FinalBody = body
	if len(body) == 0 {
		node.FinalBody = []pyast.Stmt{&pyast.Pass{}}
	}
	if r.Clean {
		x := s.bodyEnd(r, c)
		x = s.place(bodyEnds, b, x, c, func() map[*lift.Block]bool { return s.leavingTo(b, r, c) })
		inner.fall = noBlock
		if x != nil {
			inner.fall = x
		}
		node.Body = s.build(b, inner)
		if !completes(body) {
			if node.Body = dropLeaving(node.Body, body[0]); len(node.Body) == 0 {
				node.Body = []pyast.Stmt{&pyast.Pass{}}
			}
			return append(out, node), nil // the clause leaves by itself, whatever the body does
		}
		return append(out, node), x
	}
	leaves := s.leaving(b, r, c)
	var x *lift.Block
	for i := len(leaves) - 1; i >= 0; i-- {
		if !returnsSaved(leaves[i].to) {
			x = leaves[i].to
			break
		}
	}
	inner.fall = noBlock
	if x != nil {
		inner.fall = x
	}
	node.Body = s.build(b, inner)
	if len(leaves) > 0 { // else there are no copies: what looks like one stands in a loop of the body
		node.Body = s.dropCopies(node.Body, body)
	}
	out = append(out, node)
	if x == nil {
		return out, nil
	}
	rest := s.build(x, c)
	rest, ok := s.stripPrefix(rest, body)
	if !ok {
		fail("the copies of a finally body differ")
	}
	return append(out, rest...), nil
}

// dropLeaving removes the copies of a finally clause that is one jump, from the ends of the body: what falls off the
// end of the body takes that jump. A jump that the body has of its own stands elsewhere.
func dropLeaving(list []pyast.Stmt, jump pyast.Stmt) []pyast.Stmt {
	if len(list) == 0 {
		return list
	}
	copied := func(st pyast.Stmt) bool {
		line := st.Position().Line
		return line <= 0 || line == jump.Position().Line
	}
	switch st := list[len(list)-1].(type) {
	case *pyast.Break:
		if _, ok := jump.(*pyast.Break); ok && copied(st) {
			return list[:len(list)-1]
		}
	case *pyast.Continue:
		if _, ok := jump.(*pyast.Continue); ok && copied(st) {
			return list[:len(list)-1]
		}
	case *pyast.Return:
		if to, ok := jump.(*pyast.Return); ok && st.Position().Line > 0 && copied(st) && pyast.Equal(st.Value, to.Value) {
			return list[:len(list)-1]
		}
	case *pyast.If:
		if st.Body = dropLeaving(st.Body, jump); len(st.Body) == 0 {
			st.Body = []pyast.Stmt{&pyast.Pass{}}
		}
		st.OrElse = dropLeaving(st.OrElse, jump)
	case *pyast.Try:
		if len(st.FinalBody) > 0 {
			break
		}
		st.OrElse = dropLeaving(st.OrElse, jump)
		for _, h := range st.Handlers {
			if h.Body = dropLeaving(h.Body, jump); len(h.Body) == 0 {
				h.Body = []pyast.Stmt{&pyast.Pass{}}
			}
		}
	}
	return list
}

// finalEnd receives where a shared finally body (≤3.8) continues.
type finalEnd struct{ after *lift.Block }

// returnsSaved reports whether b leads to the return of a value computed before
// the finally body: that way belongs to a `return` inside the try.
func returnsSaved(b *lift.Block) bool {
	stored := map[string]bool{} // on the way: such a value was not saved before
	for i := 0; b != nil && i < 50; i++ {
		for _, st := range b.Stmts {
			if a, ok := st.(*pyast.Assign); ok {
				for _, t := range a.Targets {
					if n, ok := t.(*pyast.Name); ok {
						stored[n.Id] = true
					}
				}
			}
		}
		if b.Term.Kind == lift.Return {
			n, ok := b.Term.Value.(*pyast.Name)
			return ok && lift.IsTemp(n.Id) && !stored[n.Id]
		}
		switch b.Term.Kind {
		case lift.Goto:
			b = b.Next
		case lift.Branch:
			b = b.True
		case lift.For:
			b = b.False
		default:
			return false
		}
	}
	return false
}

func trimReraise(list []pyast.Stmt) []pyast.Stmt {
	var out []pyast.Stmt
	for _, st := range list {
		if _, ok := st.(*reraise); ok {
			continue
		}
		pyast.Blocks(st, func(b *[]pyast.Stmt) { *b = trimReraise(*b) })
		out = append(out, st)
	}
	return out
}

// dropCopies removes the copies of a finally body that stand before a jump out
// of the try body.
func (s *builder) dropCopies(list, body []pyast.Stmt) []pyast.Stmt {
	for _, st := range list {
		switch st.(type) {
		case *pyast.FunctionDef, *pyast.ClassDef:
			continue
		}
		pyast.Blocks(st, func(b *[]pyast.Stmt) { *b = s.dropCopies(*b, body) })
	}
	n, k := len(list), len(body)
	if n == 0 || k == 0 {
		return list
	}
	switch list[n-1].(type) {
	case *pyast.Return, *pyast.Break, *pyast.Continue:
		if n-1 >= k && s.sameStmts(list[n-1-k:n-1], body) {
			return append(list[:n-1-k:n-1-k], list[n-1])
		}
	}
	return list
}
