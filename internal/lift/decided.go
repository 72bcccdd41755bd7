package lift

import (
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
)

// decided folds a test in an unfinished expression whose two sides are one: the compiler has left out
// the other, for a constant behind the test decides it.
//
//	x + (a if b or "c" else d)     LOAD x; LOAD b; POP_JUMP_IF_TRUE n; n: LOAD a; BINARY_OP +
//
// What is computed next belongs to it: `a if b or True else None`.
func (r reducer) decided(a *Block) bool {
	t := &a.Term
	b := a.True
	if b != a.False || t.KeepTrue || t.KeepFalse || HasCase(t.Cond) || !pending(a.Out) || hasSlot(t.Cond) || a.Src == nil {
		return false
	}
	for _, p := range b.Preds {
		if p != a {
			return false
		}
	}
	if b == a || !b.lifted || b.entry || len(b.HandlerOf) > 0 || !sameExc(a, b) || len(a.Out) != len(b.In) {
		return false
	}
	cond := pyast.Expr(&pyast.BoolOp{Op: pyast.Or, Values: []pyast.Expr{t.Cond, pyast.Bool(true)}})
	if last := a.Src.Last(); last != nil && last.Op == opcode.PopJumpIfFalse {
		cond = not(&pyast.BoolOp{Op: pyast.And, Values: []pyast.Expr{t.Cond, pyast.Bool(false)}})
	}
	if !b.chooseOwn(func(e pyast.Expr) pyast.Expr { return &pyast.IfExp{Test: cond, Body: e, OrElse: pyast.None()} }) {
		return false
	}
	a.Term = Term{Kind: Goto, Line: t.Line, Offset: t.Offset}
	a.Next, a.True, a.False = b, nil, nil
	b.Preds = []*Block{a}
	return true
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
		if len(n.Targets) == 1 && !isName(n.Targets[0]) {
			return ownIn(n.Targets[0])
		}
	case *pyast.Delete:
		if len(n.Targets) == 1 {
			return ownIn(n.Targets[0])
		}
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
