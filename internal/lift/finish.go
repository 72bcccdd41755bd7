package lift

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/pyast"
)

// fillSlots gives every value that is still alive across an edge a temporary, so
// that no placeholder is left. Compiled Python needs none but for a few (`return f()`
// through a finally).
func fillSlots(g *Graph) {
	r := reducer{g: g}
	r.splitKept()
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
	if !pending(b.In) {
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

// hoist computes e, which p compares with and the next comparison of a chain has, too, into t in front
// of the comparison, and the left side before it. It reports whether there is such a comparison.
//
//	if a() < b()       %t2 = a()
//	               →   %t1 = b()
//	                   if %t2 < %t1
func (r reducer) hoist(p *Block, e pyast.Expr, line int, t string) bool {
	c, at := p.comparedWith(e)
	if c == nil {
		return false
	}
	var before []pyast.Stmt
	if _, isConst := c.Left.(*pyast.Constant); !isConst && !isTempName(c.Left) {
		left := r.g.NewTemp()
		before = append(before, assignTemp(left, c.Left, line))
		c.Left = pyast.N(left)
	}
	before = append(before, assignTemp(t, e, line))
	c.Comparators[0] = pyast.N(t)
	p.Stmts = slices.Insert(p.Stmts, at, before...)
	return true
}

// looksUp reports whether e reads a name that is no local variable: that may raise, and call.
func (r reducer) looksUp(e pyast.Expr) bool {
	n, ok := e.(*pyast.Name)
	return ok && !IsTemp(n.Id) && !slices.Contains(r.g.CFG.Func.Code.LocalsPlusNames, n.Id)
}

// comparedWith is the comparison that p tests, if its right side is e itself, and the place of the
// statement that it is part of. The result may be in a temporary by now.
func (p *Block) comparedWith(e pyast.Expr) (c *pyast.Compare, at int) {
	cond, at := p.Term.Cond, len(p.Stmts)
	if isTempName(cond) && at > 0 {
		if a, ok := p.Stmts[at-1].(*pyast.Assign); ok && len(a.Targets) == 1 && pyast.Equal(a.Targets[0], cond) {
			cond, at = a.Value, at-1
		}
	}
	if u, ok := cond.(*pyast.UnaryOp); ok && u.Op == pyast.Not {
		cond = u.Operand
	}
	if c, ok := cond.(*pyast.Compare); ok && len(c.Comparators) == 1 && c.Comparators[0] == e {
		return c, at
	}
	return nil, 0
}

// incoming makes all predecessors leave entry slot k in one variable.
func (r reducer) incoming(b *Block, k int) *Value {
	// One constant, untouched name or display of these on every way in needs no variable.
	var same pyast.Expr
	ok := len(b.Preds) > 0
	for _, p := range b.Preds {
		r.settle(p, b, k)
		e := p.outValue(b, k)
		if e == nil || isSlot(e) || !settled(e) {
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

// settle makes p compute the items of the display that it leaves in slot k, which a later block
// extends. A display in a variable could not be extended.
//
//	[a(), *(b if c else d)]       %t1 = a()
//	                          →   … [%t1, *b]
func (r reducer) settle(p, b *Block, k int) {
	if k >= len(p.Out) {
		return
	}
	v := p.Out[k]
	for i, w := range p.Out {
		if w == v && i != k {
			return // two have it: it is one object
		}
	}
	items := itemsOf(v.E)
	if v.used || len(v.Targets()) > 0 || !b.extends(k) && slices.ContainsFunc(items, func(x item) bool { return x.all }) {
		return
	}
	for i, x := range items {
		if x.settled() || i == 0 && x.handedOver() {
			continue
		}
		t, e := r.g.NewTemp(), *x.e
		if x.all {
			e = x.copied()
		}
		p.assign(t, e, v.Line)
		*x.e = pyast.N(t)
	}
}

// extends reports whether b goes on with a display that lies in slot k.
func (b *Block) extends(k int) bool {
	found := false
	visit := func(n pyast.Node) bool {
		if h, ok := n.(*pyast.Hole); ok && (h.Kind == pyast.Extended || h.Kind == pyast.ExtendedAll) {
			i, slot := slotOf(h.Args[0])
			found = found || slot && i == k
		}
		return !found
	}
	for _, s := range b.Stmts {
		pyast.Inspect(s, visit)
	}
	for _, v := range b.Out {
		if v.E != nil {
			pyast.Inspect(v.E, visit)
		}
	}
	for _, e := range []pyast.Expr{b.Term.Cond, b.Term.Value} {
		if e != nil {
			pyast.Inspect(e, visit)
		}
	}
	return found
}

// item is an item of a display, or an expression all of whose items are.
type item struct {
	e    *pyast.Expr
	all  bool
	dict bool
}

// itemsOf is the items of a display, for a change in place.
func itemsOf(e pyast.Expr) (out []item) {
	elts := func(list []pyast.Expr) {
		for i, e := range list {
			if s, ok := e.(*pyast.Starred); ok {
				out = append(out, item{e: &s.Value, all: true})
			} else {
				out = append(out, item{e: &list[i]})
			}
		}
	}
	switch d := e.(type) {
	case *pyast.List:
		elts(d.Elts)
	case *pyast.Set:
		elts(d.Elts)
	case *pyast.Dict:
		for i, k := range d.Keys {
			if k != nil {
				out = append(out, item{e: &d.Keys[i]})
			}
			out = append(out, item{e: &d.Values[i], all: k == nil, dict: true})
		}
	}
	return out
}

// copied is a display of the items alone.
func (x item) copied() pyast.Expr {
	if x.dict {
		return &pyast.Dict{Keys: []pyast.Expr{nil}, Values: []pyast.Expr{*x.e}}
	}
	return &pyast.List{Elts: []pyast.Expr{&pyast.Starred{Value: *x.e}}}
}

// handedOver reports whether x, the first item of a display, is all that the display had before a graph break.
func (x item) handedOver() bool { return x.all && isStackSlot(*x.e) }

// settled is the same of the item; of what stands behind a star, others may change the items.
func (x item) settled() bool { return settled(*x.e) && (!x.all || isTempName(*x.e)) }

func isDisplay(e pyast.Expr) bool {
	switch e.(type) {
	case *pyast.List, *pyast.Set, *pyast.Dict:
		return true
	}
	return false
}

// settled reports whether e is the same at any later point: a constant, a temporary, what a resume function is given
// of the stack, which it does not store to, or a display of these. Nobody else has a display that was begun before a
// graph break (cfg.BeginDisplays), so its items are the same, too.
func settled(e pyast.Expr) bool {
	switch d := e.(type) {
	case *pyast.Constant:
		return true
	case *pyast.List, *pyast.Set, *pyast.Dict:
		items := itemsOf(e)
		if len(items) > 0 && items[0].handedOver() {
			items = items[1:]
		}
		return !slices.ContainsFunc(items, func(x item) bool { return !x.settled() || isDisplay(*x.e) })
	case *pyast.Name:
		return IsTemp(d.Id) || bytecode.IsStackSlot(d.Id)
	}
	return false
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

// assign ends the statements of b with `t = e`.
func (b *Block) assign(t string, e pyast.Expr, line int) {
	b.Stmts = append(b.Stmts, assignTemp(t, e, line))
}

func assignTemp(t string, e pyast.Expr, line int) *pyast.Assign {
	s := pyast.AssignS(pyast.N(t), e)
	s.Line = line
	return s
}

// replaceOut puts w into every exit slot that holds v: the same value may stand in several.
func (b *Block) replaceOut(v, w *Value) {
	for i, x := range b.Out {
		if x == v {
			b.Out[i] = w
		}
	}
}

// leave makes p assign its exit slot k to t before it goes to b.
func (r reducer) leave(p, b *Block, k int, t string) {
	if k < len(p.Out) {
		v := p.Out[k]
		e := v.E
		if e == nil {
			return
		}
		plain := Simple(e) && !r.looksUp(e)
		if plain || !r.hoist(p, e, v.Line, t) {
			if v.used {
				e = pyast.Clone(e)
			}
			p.assign(t, e, v.Line)
		}
		if !plain {
			p.replaceOut(v, exprValue(pyast.N(t))) // for the other way out
		}
		return
	}
	if e := p.outValue(b, k); e != nil {
		p.assign(t, e, p.Term.Line)
		p.Term.Cond = pyast.N(t)
	}
}
