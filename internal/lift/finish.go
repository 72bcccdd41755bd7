package lift

import "github.com/thuml/depyf/internal/pyast"

// fillSlots gives every value that is still alive across an edge a temporary, so
// that no placeholder is left. Compiled Python needs none but for a few (`return f()`
// through a finally).
func fillSlots(g *Graph) {
	r := reducer{g: g}
	for _, b := range g.Blocks {
		r.fill(b)
	}
}

// dropUnread drops the statements that only keep a value which nobody reads.
func dropUnread(g *Graph) {
	for _, b := range g.Blocks {
		b.Stmts = dropDead(b.Stmts)
	}
}

// fill replaces the placeholders that b uses.
func (r reducer) fill(b *Block) {
	if len(b.In) == 0 {
		return
	}
	u := b.uses()
	vals := make([]*Value, len(b.In))
	any := false
	for k, v := range b.In {
		if v.Kind != KExpr || u.first[k]+u.later[k]+u.tail[k] == 0 {
			continue
		}
		any = true
		vals[k] = r.incoming(b, k)
	}
	if any {
		b.substitute(vals)
	}
}

// incoming makes all predecessors leave entry slot k in one variable.
func (r reducer) incoming(b *Block, k int) *Value {
	// One constant or untouched name on every way in needs no variable.
	var same pyast.Expr
	ok := len(b.Preds) > 0
	for _, p := range b.Preds {
		e := p.outValue(b, k)
		if e == nil || isSlot(e) {
			ok = false
			break
		}
		if _, isConst := e.(*pyast.Constant); !isConst && !isTempName(e) {
			ok = false
			break
		}
		if same == nil {
			same = e
		} else if !pyast.Equal(same, e) {
			ok = false
			break
		}
	}
	if ok && same != nil {
		return &Value{Kind: KExpr, E: pyast.Clone(same)}
	}
	t := r.g.NewTemp()
	done := map[*Block]bool{}
	for _, p := range b.Preds {
		if done[p] {
			continue
		}
		done[p] = true
		r.leave(p, b, k, t)
	}
	return &Value{Kind: KExpr, E: pyast.N(t)}
}

func isTempName(e pyast.Expr) bool {
	n, ok := e.(*pyast.Name)
	return ok && IsTemp(n.Id)
}

// outValue is the expression that p leaves in slot k for b, or nil.
func (p *Block) outValue(b *Block, k int) pyast.Expr {
	if k < len(p.Out) {
		return p.Out[k].E
	}
	if k == len(p.Out) && p.Term.Kind == Branch {
		if p.True == b && p.Term.KeepTrue || p.False == b && p.Term.KeepFalse {
			return p.Term.Cond
		}
	}
	return nil
}

// leave makes p assign its exit slot k to t before it goes to b.
func (r reducer) leave(p, b *Block, k int, t string) {
	if k < len(p.Out) {
		v := p.Out[k]
		e := v.E
		if e == nil {
			return
		}
		if v.used && !Simple(e) {
			e = pyast.Clone(e)
		}
		s := pyast.AssignS(pyast.N(t), e)
		s.Line = v.Line
		p.Stmts = append(p.Stmts, s)
		if !Simple(e) {
			nv := exprValue(pyast.N(t))
			for i, w := range p.Out {
				if w == v {
					p.Out[i] = nv
				}
			}
		}
		return
	}
	if e := p.outValue(b, k); e != nil {
		s := pyast.AssignS(pyast.N(t), e)
		s.Line = p.Term.Line
		p.Stmts = append(p.Stmts, s)
		p.Term.Cond = pyast.N(t)
	}
}
