package lift

import "github.com/thuml/depyf/internal/pyast"

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
	if !own(a, b) || len(b.Stmts) == 0 || len(j.Stmts) != skip+len(b.Stmts) || pending(a.Out[:below]) || !sameEnding(b, j) {
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
	rewriteStmt(b.Stmts[0], func(x pyast.Expr) pyast.Expr {
		if x == w {
			return e
		}
		return x
	})
	b.Stmts[0].Position().Line = a.Term.Line
	a.Out = a.Out[:below:below]
	b.substitute(a.Out)
	a.Succs(func(x *Block) { unpred(x, a) })
	if len(j.Preds) == 0 {
		j.Succs(func(x *Block) { unpred(x, j) })
		r.remove(j)
	}
	a.loud = a.loud || !b.quiet()
	a.Stmts = append(a.Stmts, b.Stmts...)
	a.Out, a.Term, a.Next, a.True, a.False = b.Out, b.Term, b.Next, nil, nil
	r.remove(b)
	r.repred(a, b)
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
