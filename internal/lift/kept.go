package lift

import "github.com/thuml/depyf/internal/pyast"

// splitKept takes conditions apart whose value goes on to another block, where it could not be made a
// part of an expression. In a variable, the value of `a or b` would be tested once more.
//
//	if a or b: ← keeps the value     %t1 = a
//	                             →   if %t1: ←
//	                                 else:
//	                                     %t1 = b
//	                                     if %t1: ←
func (r reducer) splitKept() {
	for i := 0; i < len(r.g.Blocks); i++ {
		for r.splitFirst(r.g.Blocks[i]) {
		}
	}
}

// splitFirst leaves the first operand of p's condition in p.
func (r reducer) splitFirst(p *Block) bool {
	c, ok := p.Term.Cond.(*pyast.BoolOp)
	if !ok || p.Term.Kind != Branch || !p.keepsFor(p.True, p.Term.KeepTrue) && !p.keepsFor(p.False, p.Term.KeepFalse) {
		return false
	}
	rest := c.Values[1]
	if len(c.Values) > 2 {
		rest = &pyast.BoolOp{Op: c.Op, Values: c.Values[1:]}
	}
	if !p.passes(rest) {
		return false
	}
	q := &Block{ID: p.ID, Term: p.Term, True: p.True, False: p.False, Exc: p.Exc, Line: p.Line, Src: p.Src}
	q.Term.Cond = rest
	for k, v := range p.Out {
		if v.Kind == KExpr {
			v = exprValue(slot(k))
		}
		q.In = append(q.In, v)
	}
	q.Out = append(q.Out, q.In...)
	p.Term.Cond = c.Values[0]
	if c.Op == pyast.And {
		p.True, p.Term.KeepTrue = q, false
	} else {
		p.False, p.Term.KeepFalse = q, false
	}
	r.g.Blocks = append(r.g.Blocks, q)
	r.g.ComputePreds()
	return true
}

// keepsFor reports whether b uses the value that p has tested.
func (p *Block) keepsFor(b *Block, keeps bool) bool {
	k := len(p.Out)
	if !keeps || k >= len(b.In) || b.In[k].Kind != KExpr {
		return false
	}
	u := b.uses()
	return u.first[k]+u.later[k]+u.tail[k] > 0
}

// passes reports whether what e takes from the stack lies there behind p as before.
func (p *Block) passes(e pyast.Expr) bool {
	same := true
	pyast.Inspect(e, func(n pyast.Node) bool {
		if h, ok := n.(*pyast.Hole); ok && h.Kind == pyast.StackItem {
			k, isSlot := -1, false
			if h.N < len(p.Out) && p.Out[h.N].E != nil {
				k, isSlot = slotOf(p.Out[h.N].E)
			}
			same = same && isSlot && k == h.N
		}
		return same
	})
	return same
}
