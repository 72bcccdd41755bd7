package lift

import (
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
