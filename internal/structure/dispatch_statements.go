package structure

import (
	"slices"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
)

// forLoop writes the loop with head h. A turn that ends with another state than the
// head's leaves the loop.
func (d *dispatcher) forLoop(h *lift.Block, l *level) []pyast.Stmt {
	n := len(h.Out) - 1
	for n >= 0 && h.Out[n].Kind != lift.KIter {
		n--
	}
	if n < 0 {
		fail("a loop without an iterator")
	}
	iter := h.Out[n]
	body := &level{up: l, region: l.region, head: h}
	body.in = func(b *lift.Block) bool { return b != h && len(b.In) > n && b.In[n] == iter }
	node := &pyast.For{Pos: pyast.At(h.Term.Line, h.Term.Offset), IsAsync: h.Term.Async}
	node.Body = d.loop(h.True, body)
	node.Body = append(node.Body, &pyast.If{Test: d.is(pyast.NotEq, d.number(h, l)), Body: []pyast.Stmt{&pyast.Break{}}})
	goOver(node, h)
	node.OrElse = d.jump(h.False, l, 0)
	return []pyast.Stmt{node}
}

// with writes the with statement that marker m enters; its body begins with b.
func (d *dispatcher) with(m *lift.Marker, b *lift.Block, l *level) []pyast.Stmt {
	w := m.With
	node := withOf(m)
	body := &level{up: l, region: l.region, with: w}
	ended := d.s.g.NewTempFor("ended") // says that the body came out by itself
	body.in = func(x *lift.Block) bool {
		return slices.ContainsFunc(x.In, func(v *lift.Value) bool { return v.Kind == lift.KExit && v.With() == w })
	}
	var suppressed *lift.Block
	if r := d.regionOf(w, l.region); r != nil {
		h := d.s.handlerOf(r)
		body.region = r
		if d.s.g.CFG.Func.Code.Version.SharesFinallyBody() {
			body.shared, body.end = h, sharedEnd(h)
			suppressed = body.end
		} else {
			suppressed = suppressedTo(h)
		}
	}
	node.Body = append(d.loop(b, body), pyast.AssignS(pyast.N(ended), pyast.Bool(true)))
	if suppressed == nil {
		node.Body = node.Body[:len(node.Body)-1]
		return []pyast.Stmt{node}
	}
	return []pyast.Stmt{
		pyast.AssignS(pyast.N(ended), pyast.Bool(false)), node,
		&pyast.If{Test: lift.Not(pyast.N(ended)), Body: d.jump(suppressed, l, 0)},
	}
}

// regionOf finds the protected region of a with statement within region outer: its
// handler calls the statement's __exit__. A body that cannot raise has none.
func (d *dispatcher) regionOf(w *lift.With, outer *cfg.Region) *cfg.Region {
	var found *cfg.Region
	for _, r := range d.s.g.CFG.Regions {
		h := d.s.catcher[r]
		if h == nil {
			continue
		}
		k := handlerBase(h) - 1
		if k >= 0 && k < len(h.In) && h.In[k].Kind == lift.KExit && h.In[k].With() == w && r != outer && r.Inside(outer) &&
			d.s.classify(r, h) == opcode.SetupWith && (found == nil || found.Inside(r)) {
			found = r
		}
	}
	return found
}

// sharedEnd finds where clean-up code that all ways share leads (≤3.8).
func sharedEnd(h *lift.Block) *lift.Block {
	for x, more := range cfg.Walk(h) {
		if x.Term.EndFinally && len(x.Out) < len(h.In) {
			return x.Next
		}
		x.Succs(more)
	}
	fail("clean-up code without an end")
	return nil
}

// suppressedTo finds where an exception leads that the handler h of a with statement
// suppresses, nil where it never does.
func suppressedTo(h *lift.Block) *lift.Block {
	base := handlerBase(h)
	x := h
	for n := 0; n < 100 && x != nil; n++ {
		switch {
		case x != h && !handling(x, base):
			return x
		case x.Term.Kind == lift.Branch:
			if u, ok := x.Term.Cond.(*pyast.UnaryOp); ok && u.Op == pyast.Not {
				x = x.False
			} else {
				x = x.True
			}
		case x.Term.Kind == lift.Goto:
			x = x.Next
		default:
			if x == h {
				return nil
			}
			return x
		}
	}
	return x
}

// protected writes a try statement whose body is entered at b.
func (d *dispatcher) protected(b *lift.Block, l *level) []pyast.Stmt {
	r := outermost(b.Exc, l.region)
	h := d.s.handlerOf(r)
	body := &level{up: l, region: r}
	body.in = func(x *lift.Block) bool { return x.Exc.Inside(r) }
	node := &pyast.Try{Pos: pyast.At(b.Line, 0)}
	whole := pyast.Stmt(node)
	shared := d.s.g.CFG.Func.Code.Version.SharesFinallyBody()
	switch kind := d.s.classify(r, h); {
	case kind == opcode.SetupWith:
		fail("a with block without its entry")
	case kind == opcode.SetupFinally && (shared || r.Clean):
		// Only the statement itself runs the clause on every way out.
		f := &dispatcher{s: d.s, c: ctx{exc: l.region, fall: noBlock}, state: d.s.g.NewTempFor("state"), num: map[armKey]int{}, subjects: map[int]string{}, rests: d.rests, room: d.room, final: true, outer: d, at: l}
		f.root = &level{region: l.region}
		base := handlerBase(h)
		f.root.in = func(x *lift.Block) bool { return handling(x, base) }
		node.FinalBody = f.loop(h, f.root)
		if stores(node.FinalBody, f.state) {
			// Nothing reads the variable behind the clause.
			node.FinalBody = []pyast.Stmt{&pyast.Pass{}}
		}
		out := func(jump pyast.Stmt) {
			node.FinalBody = append(node.FinalBody, &pyast.If{Test: f.is(pyast.Eq, continues), Body: []pyast.Stmt{jump}})
		}
		switch {
		case f.out && !d.s.g.CFG.Func.Code.Version.ContinueInFinally():
			out(&pyast.Break{})
			whole = turn(b, []pyast.Stmt{node, &pyast.Break{}})
		case f.out:
			l.looped = true
			out(&pyast.Continue{})
		}
		d.room = f.room
		if shared {
			body.shared, body.end = h, f.after
			if f.after == nil {
				body.end = noBlock
			}
		}
		node.Body = d.loop(b, body)
	case hasStar(h):
		// Several clauses may run, one behind the other, or none: control comes out
		// behind the statement.
		ended := d.s.g.NewTempFor("ended")
		node.Body = append(d.loop(b, body), pyast.AssignS(pyast.N(ended), pyast.Bool(true)))
		node.Handlers, node.IsStar = d.clauses(h, l)
		out := []pyast.Stmt{pyast.AssignS(pyast.N(ended), pyast.Bool(false)), node}
		var behind []pyast.Stmt
		if exits := d.s.handlerExits(h, ctx{exc: l.region}); len(exits) > 0 {
			behind = d.jump(exits[0], l, 0)
		} else if end := returnsFrom(h); end != nil {
			behind = []pyast.Stmt{d.s.writeReturn(end)}
		} else if out := d.s.leaving(b, r, ctx{exc: l.region}); len(out) > 0 {
			behind = d.jump(out[len(out)-1].to, l, 0) // no clause comes out: where the body does
		}
		if behind != nil {
			out = append(out, &pyast.If{Test: lift.Not(pyast.N(ended)), Body: behind})
		}
		return out
	default:
		node.Body = d.loop(b, body)
		node.Handlers, node.IsStar = d.clauses(h, l)
	}
	return []pyast.Stmt{whole}
}

// returnsFrom finds the end of the function behind the clauses of handler h, which
// has joined their end.
func returnsFrom(h *lift.Block) *lift.Block {
	base := handlerBase(h)
	for x, more := range cfg.Walk(h) {
		if x.Term.Kind == lift.Return {
			return x
		}
		x.Succs(func(n *lift.Block) {
			if handling(n, base) {
				more(n)
			}
		})
	}
	return nil
}

// stores reports whether a list does nothing but store a variable.
func stores(list []pyast.Stmt, name string) bool {
	for _, st := range list {
		a, ok := st.(*pyast.Assign)
		if !ok || !pyast.Equal(a.Targets[0], pyast.N(name)) {
			return false
		}
	}
	return true
}

// clauses writes the except clauses of handler h. A finally clause whose body is
// copied to the ways out is one that raises the exception again.
func (d *dispatcher) clauses(h *lift.Block, l *level) (out []*pyast.ExceptHandler, star bool) {
	base := handlerBase(h)
	for b := h; b != nil; {
		for n := 0; n < 100 && len(b.Stmts) == 0 && b.Term.Kind == lift.Goto && b.Next != nil && handling(b.Next, base) && len(b.Next.Preds) == 1; n++ {
			b = b.Next
		}
		if noClause(b) || b.Term.Kind == lift.Stop && len(b.Stmts) == 0 {
			break
		}
		eh := &pyast.ExceptHandler{Pos: pyast.At(b.Line, 0)}
		body, next := b, (*lift.Block)(nil)
		if b.Term.Kind == lift.Branch && lift.IsExcTest(b.Term.Cond) {
			test := b.Term.Cond.(*pyast.Hole)
			if len(test.Args) == 0 {
				fail("an except test without a class")
			}
			eh.Type = withNames(b.Stmts, test.Args[0])
			star = star || hasStar(b)
			body, next = b.True, b.False
		}
		if len(body.Stmts) > 0 && isExcAs(body.Stmts[0]) {
			n, ok := body.Stmts[0].(*lift.Marker).Target.(*pyast.Name)
			if !ok || eh.Type == nil {
				fail("an exception is stored in something that is no name")
			}
			eh.Name = n.Id
		}
		c := &level{up: l, region: l.region, handler: true, star: star}
		c.in = func(x *lift.Block) bool { return handling(x, base) }
		eh.Body = d.loop(body, c)
		if eh.Name != "" {
			eh.Body = dropClear(eh.Body, eh.Name)
		}
		if len(eh.Body) == 0 {
			eh.Body = []pyast.Stmt{&pyast.Pass{}}
		}
		out = append(out, eh)
		if eh.Type == nil {
			break
		}
		b = next
	}
	if len(out) == 0 { // it lets every exception pass
		out = append(out, &pyast.ExceptHandler{Body: []pyast.Stmt{&pyast.Raise{}}})
	}
	return out, star
}

// withNames is an expression that stores the variables of the statements in front of it, in their order: the class of a clause has no
// place for a statement.
//
//	%t = a; except f(%t)   →   except (%t := a, f(%t))[-1]
func withNames(list []pyast.Stmt, e pyast.Expr) pyast.Expr {
	if len(list) == 0 {
		return e
	}
	t := &pyast.Tuple{}
	for _, s := range list {
		a, ok := s.(*pyast.Assign)
		if !ok || len(a.Targets) != 1 {
			fail("statements before an except test")
		}
		n, ok := a.Targets[0].(*pyast.Name)
		if !ok {
			fail("statements before an except test")
		}
		t.Elts = append(t.Elts, &pyast.NamedExpr{Target: n, Value: a.Value})
	}
	t.Elts = append(t.Elts, e)
	return pyast.Index(t, pyast.Int(-1))
}
