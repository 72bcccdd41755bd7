package lift

import (
	"slices"

	"github.com/thuml/depyf/internal/pyast"
)

// copiedUse joins two ways that use a value alike, each in a copy of the code behind the
// expression: from 3.10 on the compiler copies short exits, and the ends of statements
// with them.
//
//	a:  a_test, keeps the value       x = v and w
//	b:  x = w; return None         →  return None
//	j:  x = <kept>; return None
//
// b has computed w itself, and j finds the kept value as entry slot n behind its first
// statements, of which skip are its own. fold makes one expression of both values; nil
// where they belong to none. Of a's stack, below values stay.
func (r reducer) copiedUse(a, b, j *Block, skip, n, below int, fold func(w pyast.Expr) pyast.Expr) bool {
	if !own(a, b) || len(b.Stmts) == 0 || len(j.Stmts) != skip+len(b.Stmts) || !sameEnding(b, j) {
		return false
	}
	if len(b.Out) > below {
		return false
	}
	use := j.Stmts[skip:]
	w := filling(use[0], n, b.Stmts[0])
	if w == nil || !pyast.EqualStmts(use[1:], b.Stmts[1:]) {
		return false
	}
	e := fold(w)
	if e == nil {
		return false
	}
	rewriteStmt(b.Stmts[0], putting(slot(below), w))
	b.Stmts[0].Position().Line = a.Term.Line
	b.In = append(b.In[:below:below], exprValue(slot(below)))
	a.Out = a.Out[:below:below]
	r.setGoto(a, e, push{e, below, b})
	r.leaveAlone(j, nil)
	return true
}

// uncopy takes the copy of a short block out of b, one arm of a choice of a's, where c, the other, leads to that block
// with its value: from 3.12 on the compiler copies what drops or stores a value, too.
//
//	b: w; goto e            →   b: push w; goto j
//	c: push v; goto j           c: push v; goto j
//	j: <value>; goto e          j: <value>; goto e
func (r reducer) uncopy(a, b, c *Block) {
	p, ok := pushed(a, c, nil)
	if !ok || !own(a, b) || len(b.Stmts) == 0 || !b.keeps(0) || p.at != len(b.In) {
		return
	}
	j := p.to
	if len(j.In) != p.at+1 || len(j.Stmts) != len(b.Stmts) || !slices.Equal(j.Out, j.In[:p.at]) || !sameEnding(b, j) ||
		IsMarker(j.Stmts[0]) || !pyast.EqualStmts(j.Stmts[1:], b.Stmts[1:]) {
		return
	}
	w := filling(j.Stmts[0], p.at, b.Stmts[0])
	if w == nil {
		return
	}
	b.Succs(func(x *Block) { unpred(x, b) })
	b.Stmts, b.Out = nil, append(slices.Clone(b.In), exprValue(w))
	b.Term = Term{Kind: Goto, Line: b.Term.Line, Offset: b.Term.Offset}
	b.Next, b.True, b.False = j, nil, nil
	j.Preds = append(j.Preds, b)
}

// filling returns what stands in y where x has the stack's item n; nil unless the two
// statements are alike but for that.
func filling(x pyast.Stmt, n int, y pyast.Stmt) pyast.Expr {
	count := map[int]int{}
	countSlots(x, count)
	if count[n] != 1 {
		return nil
	}
	var found pyast.Expr
	pyast.Inspect(y, func(node pyast.Node) bool {
		w, ok := node.(pyast.Expr)
		if !ok || found != nil {
			return found == nil
		}
		filled := pyast.Clone(x)
		rewriteStmt(filled, func(e pyast.Expr) pyast.Expr {
			if isSlotNo(e, n) {
				return w
			}
			return e
		})
		if pyast.Equal(filled, y) {
			found = w
		}
		return found == nil
	})
	if found == nil || isSlotNo(found, n) {
		return nil
	}
	return found
}
