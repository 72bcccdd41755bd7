package lift

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// decided takes a test in an unfinished expression whose two sides are one: the compiler has left out
// the other, for a constant behind the test decides it.
//
//	x + (a if b or "c" else d)     LOAD x; LOAD b; POP_JUMP_IF_TRUE n; n: LOAD a; BINARY_OP +
//
// What is computed next belongs to it: `a if b or True else None`. So j goes on from the test's block, and
// the test waits there for the first value that j makes (choose).
func (l *lifter) decided(j *Block) *Block {
	if len(j.Preds) != 2 || !makesValue(l.g.CFG.Func.Code.Version, j.Src) {
		return nil
	}
	a := passed(j.Preds[0])
	t := &a.Term
	if a == j || a != passed(j.Preds[1]) || !a.lifted || t.Kind != Branch || t.KeepTrue || t.KeepFalse || HasCase(t.Cond) || hasSlot(t.Cond) || !sameExc(a, j) || !(l.g.unfinished(a.Out) || awaits(a.Out, j)) || len(a.Out) != len(j.In) {
		return nil
	}
	test := &pyast.BoolOp{Op: pyast.Or, Values: []pyast.Expr{t.Cond, pyast.Bool(true)}} // only that it is computed matters
	a.choices = append(slices.Clip(a.choices), choosing{test, len(a.Out)})
	for _, p := range j.Preds {
		if p != a {
			l.r.remove(p)
		}
	}
	return a
}

// unfinished reports whether an expression waits on the stack: what has a name, or gets one at the end of a block, does not.
func (g *Graph) unfinished(stack []*Value) bool {
	return slices.ContainsFunc(stack, func(v *Value) bool { return v.Kind == KExpr && !(g.named && (isSlot(v.E) || repeatable(v.E))) })
}

// awaits reports whether the value on top waits for an expression that b goes on with: an item for its target, the function of a
// comprehension for what that loops over, the exception for the class of a clause, of which there is a copy up to 3.10, the dict
// of annotations for the next of them, whose function has no other statements that test and do nothing.
func awaits(stack []*Value, b *Block) bool {
	n := len(stack)
	switch {
	case n == 0:
		return false
	case stack[n-1].Kind == KExc:
		return n > 1 && stack[n-1] == stack[n-2] || asksClass(b.Src)
	}
	return stack[n-1].Kind == KBind || stack[n-1].Kind == KFunc || isAnnotationDict(stack[n-1])
}

// asksClass reports whether b is part of the expression for the class of a clause: no statement ends between it and the question.
func asksClass(b *cfg.Block) bool {
	left := 50 // blocks, more than such an expression has
	for x, more := range cfg.Walk(b) {
		i := slices.IndexFunc(x.Instrs, func(in bytecode.Instr) bool {
			return in.Op == opcode.CheckExcMatch || in.Op == opcode.CheckEgMatch || in.Op.Stores() || in.Op.Exits() || in.Op == opcode.PopExcept
		})
		if i >= 0 && (x.Instrs[i].Op == opcode.CheckExcMatch || x.Instrs[i].Op == opcode.CheckEgMatch) {
			return true
		}
		if left--; i >= 0 || left < 0 {
			continue
		}
		for _, to := range [...]*cfg.Block{x.Next, x.Taken} {
			if to != nil {
				more(to)
			}
		}
	}
	return false
}

// passed is the block that leads to p, if p does nothing: a constant that was tested on a line of its own
// leaves a NOP there.
func passed(p *Block) *Block {
	if p.Term.Kind == Goto && p.lifted && p.pure(0) && p.popsNothing() && len(p.Preds) == 1 && own(p.Preds[0], p) {
		return p.Preds[0]
	}
	return p
}

// popsNothing reports whether p ends no statement and no body.
func (b *Block) popsNothing() bool {
	return !b.popsBlock() && b.Term.EndBody == nil && !b.Term.EndExcept && !b.Term.EndFinally
}

// makesValue reports whether a block computes something before it uses what it begins with.
func makesValue(v pyc.Version, b *cfg.Block) bool {
	for i := range b.Instrs {
		pop, push := bytecode.StackEffect(v, &b.Instrs[i], false)
		if pop > 0 || push > 0 {
			return pop == 0
		}
	}
	return false
}

// makesPart reports whether what an operation makes of the values is no value but part of what is made of it: the keywords and arguments
// of a call, a field of a template string, a slice, or a tuple with one.
func makesPart(op opcode.Op, of []*Value) bool {
	switch op {
	case opcode.BuildConstKeyMap, opcode.BuildTupleUnpackWithCall, opcode.BuildMapUnpackWithCall, opcode.BuildInterpolation, opcode.BuildSlice:
		return true
	}
	return slices.ContainsFunc(of, func(v *Value) bool { _, ok := v.E.(*pyast.Slice); return ok })
}

// choosing is a test that decides on the next value above so many others.
type choosing struct {
	test  pyast.Expr
	above int
}

// choose puts each choice that waits around the first value above those that the block began with, when the
// instruction at hand uses both, or leaves nothing of it: until then that value may be a display that grows.
func (m *machine) choose() {
	for n := len(m.choices); n > 0 && m.decides(m.choices[n-1]); n-- {
		m.put(m.choices[n-1])
		m.choices = m.choices[:n-1]
	}
}

// decides reports whether the value that c decides on is made, and used by the instruction at hand.
func (m *machine) decides(c choosing) bool {
	pop, push := bytecode.StackEffect(m.code.Version, m.in, false)
	switch n := len(m.stack); {
	case (m.in.Op == opcode.Swap || m.in.Op == opcode.Rot) && n > c.above && n-m.in.Arg < c.above: // a chain of comparisons moves it down
	case n-pop > c.above, n-pop == c.above && !makesPart(m.in.Op, m.stack[c.above:]) && (push > 0 || pop == 0 || m.in.Op.Conditional()):
		return false
	case n == c.above:
		m.fail("a test decides on nothing")
	}
	return true
}

// put puts a choice around the value that it decides on.
func (m *machine) put(c choosing) {
	chosen := func(e pyast.Expr) pyast.Expr { return &pyast.IfExp{Test: c.test, Body: e, OrElse: pyast.None()} }
	v := m.stack[c.above]
	if v.Kind == KIter { // of what the choice makes
		v.E = chosen(v.E)
		return
	}
	e := m.expr(v)
	if f := firstField(e); f != nil && (m.in.Op == opcode.BuildString || m.in.Op == opcode.FormatWithSpec || m.in.Op == opcode.FormatValue) {
		f.Value = chosen(f.Value) // part of a longer string, or of a specification, and no string of its own
	} else {
		e = chosen(e)
	}
	v.Kind, v.E, v.used = KExpr, e, false
}

// firstField is the field with which a string begins, nil for another expression.
func firstField(e pyast.Expr) *pyast.FormattedValue {
	s, ok := e.(*pyast.JoinedStr)
	if !ok || len(s.Values) == 0 {
		return nil
	}
	f, _ := s.Values[0].(*pyast.FormattedValue)
	return f
}

// chooseOwn replaces the first expression that the block computes itself; false where there is none.
func (b *Block) chooseOwn(choice func(pyast.Expr) pyast.Expr) bool {
	for i, s := range b.Stmts {
		if n, ok := s.(*pyast.Assign); ok && len(n.Targets) == 1 && isSlot(n.Value) && isName(n.Targets[0]) {
			continue // the value gets a name, which computes nothing
		}
		if m, ok := s.(*Marker); ok {
			return m.Kind == MarkAdd && chooseIn(m.Args, choice)
		}
		if i == 0 && !hasSlot(s) {
			return false
		}
		p := ownPart(s)
		if p != nil {
			pyast.Rewrite(s, putting(choice(p), p))
		}
		return p != nil
	}
	var roots []*pyast.Expr
	for _, v := range b.Out {
		if v.Kind == KExpr {
			roots = append(roots, &v.E)
		}
	}
	for _, e := range append(roots, &b.Term.Value, &b.Term.Cond) {
		if *e == nil || isSlot(*e) {
			continue
		}
		p := ownIn(*e)
		if p != nil {
			*e = pyast.RewriteExpr(*e, putting(choice(p), p))
		}
		return p != nil
	}
	return false
}

// ownPart is the first expression of a statement that is not from before; nil for none.
func ownPart(s pyast.Stmt) pyast.Expr {
	switch n := s.(type) {
	case *pyast.ExprStmt:
		return ownIn(n.Value)
	case *pyast.AugAssign:
		return ownIn(n.Value)
	case *pyast.Assign:
		if !isSlot(n.Value) {
			return ownIn(n.Value)
		}
		if len(n.Targets) == 1 {
			return ownInTarget(n.Targets[0])
		}
	case *pyast.Delete:
		if len(n.Targets) == 1 {
			return ownInTarget(n.Targets[0])
		}
	}
	return nil
}

// ownInTarget is the same of a target, which is no expression itself.
func ownInTarget(t pyast.Expr) pyast.Expr {
	if hasSlot(t) {
		return ownIn(t)
	}
	switch t := t.(type) {
	case *pyast.Attribute:
		return t.Value
	case *pyast.Subscript:
		return t.Value
	}
	return nil
}

// chooseIn replaces the first of the expressions that is computed behind those from before, or what is in it.
func chooseIn(list []pyast.Expr, choice func(pyast.Expr) pyast.Expr) bool {
	at := -1
	for i, e := range list {
		if hasSlot(e) {
			at = i
		}
	}
	if at < 0 {
		return false
	}
	if at+1 < len(list) {
		at++
	}
	p := ownIn(list[at])
	if p != nil {
		list[at] = pyast.RewriteExpr(list[at], putting(choice(p), p))
	}
	return p != nil
}

// ownIn is the first expression in a node that is computed behind those from before: the first
// part behind the last one with such a value, or in it. A value from before has none.
func ownIn(n pyast.Node) pyast.Expr {
	for {
		if e, ok := n.(pyast.Expr); ok && !hasSlot(e) {
			return e
		}
		var parts []pyast.Node
		pyast.Children(n, func(x pyast.Node) { parts = append(parts, x) })
		at := -1
		for i, p := range parts {
			if hasSlot(p) {
				at = i
			}
		}
		if at+1 < len(parts) {
			at++
		}
		if at < 0 {
			return nil
		}
		n = parts[at]
	}
}
