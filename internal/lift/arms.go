package lift

import (
	"slices"

	"github.com/thuml/depyf/internal/pyast"
)

// mergeArms joins the expressions of two copied exits. Since 3.10 the code
// behind a conditional expression is copied into its arms when it leaves the
// function:
//
//	LOAD user; LOAD delim; POP_JUMP_IF_FALSE f      return user, (p if delim else None)
//	   LOAD p; BUILD_TUPLE 2; RETURN_VALUE
//	f: LOAD None; BUILD_TUPLE 2; RETURN_VALUE
//
// Where both arms use a value from before the test, the test stands at the one
// place where they differ; otherwise around the whole.
func mergeArms(cond, x, y pyast.Expr) pyast.Expr {
	if hasSlot(x) && hasSlot(y) {
		if e := mergeDiff(cond, x, y); e != nil {
			return e
		}
	}
	return ifExp(cond, x, y)
}

func hasSlot(e pyast.Node) bool {
	m := map[int]int{}
	countSlots(e, m)
	return len(m) > 0
}

// mergeDiff puts the choice where x and y differ; nil when they differ in more
// places than one, or where a value from before the test would have to wait.
func mergeDiff(cond, x, y pyast.Expr) pyast.Expr {
	p, q := differing(x, y)
	if p == nil && pyast.Equal(x, y) { // what the arms push is the same
		p = ownIn(x)
		q = p
	}
	if p == nil {
		return nil
	}
	return pyast.RewriteExpr(x, putting(ifExp(cond, p, q), p))
}

// putting replaces old by e.
func putting(e, old pyast.Expr) func(pyast.Expr) pyast.Expr {
	return func(x pyast.Expr) pyast.Expr {
		if x == old {
			return e
		}
		return x
	}
}

// differing returns the expressions in which two trees differ: what each arm has
// computed itself, in the midst of what both use from before the test. They are nil
// when there are more such places, or none.
func differing(x, y pyast.Node) (p, q pyast.Expr) {
	x0, y0 := x, y
	target := false // x and y are what a statement assigns to, and no expressions themselves
	for {
		p, _ = x.(pyast.Expr)
		q, _ = y.(pyast.Expr)
		if p != nil && q != nil && !hasSlot(p) && !hasSlot(q) && !target {
			break
		}
		var xs, ys []pyast.Node
		pyast.Children(x, func(n pyast.Node) { xs = append(xs, n) })
		pyast.Children(y, func(n pyast.Node) { ys = append(ys, n) })
		if len(xs) != len(ys) {
			return nil, nil
		}
		at, differ := 0, 0
		for i := range xs {
			if !pyast.Equal(xs[i], ys[i]) {
				at = i
				differ++
			}
		}
		if differ != 1 {
			return nil, nil
		}
		target = assigns(x, xs[at], target)
		x, y = xs[at], ys[at]
	}
	if x != x0 { // names and operators are no children
		pyast.Rewrite(y0, putting(p, q))
		alike := pyast.Equal(x0, y0)
		pyast.Rewrite(y0, putting(q, p))
		if !alike {
			return nil, nil
		}
	}
	return p, q
}

// assigns reports whether a part of n is what n assigns to; n is a target itself, or not.
func assigns(n, part pyast.Node, target bool) bool {
	e, _ := part.(pyast.Expr)
	switch n := n.(type) {
	case *pyast.Assign:
		return slices.Contains(n.Targets, e)
	case *pyast.Delete:
		return slices.Contains(n.Targets, e)
	case *pyast.AugAssign:
		return n.Target == e
	case *pyast.Tuple, *pyast.List, *pyast.Starred:
		return target
	}
	return false
}

// armCopies joins the copies of the end of a statement: `f(a, x if c else y)`, where each
// arm calls f with what lies on the stack. That goes on in one arm, with a choice in it.
func (r reducer) armCopies(a, b, c *Block) bool {
	t := &a.Term
	if !pending(a.Out) || hasSlot(t.Cond) || len(b.Stmts) == 0 || len(b.Stmts) != len(c.Stmts) || pending(b.Out) || len(b.Out) != len(c.Out) ||
		!sameEnding(b, c) || !pyast.EqualStmts(b.Stmts[1:], c.Stmts[1:]) {
		return false
	}
	if IsMarker(b.Stmts[0]) || !hasSlot(b.Stmts[0]) {
		return false
	}
	if pyast.EqualStmts(b.Stmts[:1], c.Stmts[:1]) { // what the arms push is the same
		if !b.chooseOwn(func(e pyast.Expr) pyast.Expr { return ifExp(t.Cond, e, pyast.Clone(e)) }) {
			return false
		}
	} else {
		p, q := differing(b.Stmts[0], c.Stmts[0])
		if p == nil {
			return false
		}
		pyast.Rewrite(b.Stmts[0], putting(ifExp(t.Cond, p, q), p))
	}
	r.leaveOne(a, c)
	a.Term = Term{Kind: Goto, Line: t.Line, Offset: t.Offset}
	a.Next, a.True, a.False = b, nil, nil
	b.Preds = []*Block{a}
	return true
}

// leaveOne takes a's edges away, and the block c, to which nothing else leads.
func (r reducer) leaveOne(a, c *Block) {
	a.Succs(func(s *Block) { unpred(s, a) })
	c.Succs(func(s *Block) { unpred(s, c) })
	r.remove(c)
}
