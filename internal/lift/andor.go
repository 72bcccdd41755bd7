package lift

import (
	"slices"

	"github.com/thuml/depyf/internal/pyast"
)

// orPop folds `v and w` and `v or w` as values.
func (r reducer) orPop(a *Block) bool {
	t := &a.Term
	var b, j *Block
	op := pyast.And
	switch {
	case t.KeepFalse && !t.KeepTrue:
		b, j = a.True, a.False
	case t.KeepTrue && !t.KeepFalse:
		b, j, op = a.False, a.True, pyast.Or
	default:
		return false
	}
	k := len(a.Out)
	if r.orPopTwice(a, b, j, op) {
		return true
	}
	if w, ok := pushed(a, b, j); ok && w.at == k {
		r.setGoto(a, r.boolOp(op, a, t.Cond, w.e), w, b)
		return true
	}
	if w, ok := pushed(a, b, nil); ok && w.at == k && len(w.to.In) == len(j.In) && sameTail(j.Stmts, j, w.to) {
		r.setGoto(a, r.boolOp(op, a, t.Cond, w.e), w, b) // j is a copy
		return true
	}
	return len(j.In) == k+1 && r.copiedUse(a, b, j, 0, k, k, func(w pyast.Expr) pyast.Expr { return r.boolOp(op, a, t.Cond, w) })
}

// orPopTwice folds two operands in a row, of which each may be the value, with more behind
// them that other ways lead to as well: the first two of `a and (b or c) or d` in the brackets.
func (r reducer) orPopTwice(a, b, j *Block, op pyast.BoolOpKind) bool {
	if !own(a, b) || b.Term.Kind != Branch || !b.pure(0) || b.Term.KeepTrue && b.Term.KeepFalse || len(a.Out) != len(b.In) {
		return false
	}
	kept := b.Term.KeepFalse && b.False == j
	if op == pyast.Or {
		kept = b.Term.KeepTrue && b.True == j
	}
	return kept && r.fold(a, b, r.boolOp(op, a, a.Term.Cond, b.Term.Cond))
}

// sameEnding reports whether two blocks go to the same place, or leave the function with
// the same value, whatever they do before.
func sameEnding(a, b *Block) bool {
	switch {
	case a.Term.Kind != b.Term.Kind:
		return false
	case a.Term.Kind == Return:
		return equalExpr(a.Term.Value, b.Term.Value)
	case a.Term.Kind == Raise:
		return equalExpr(a.Term.Value, b.Term.Value) && equalExpr(a.Term.Cause, b.Term.Cause)
	case a.Term.Kind == Reraise:
		return true
	case a.Term.Kind == Goto:
		return landing(a.Next) == landing(b.Next) || sameTail(landing(a.Next).Stmts, landing(a.Next), landing(b.Next))
	}
	return false
}

// boolOp builds `x op y`, where x is what a tests, flat where the compiler makes no difference.
// The jump of a test that has lost its row (cfg.Graph.Stray) led to the end of the brackets that
// x and what follows it stand in: `(x and y) and z`. One that has kept its row stands in none, and a
// constant that it tests was computed behind the tests: `x and not 1 and y`.
func (r reducer) boolOp(op pyast.BoolOpKind, a *Block, x, y pyast.Expr) pyast.Expr {
	g := r.g
	inside, known := g.CFG.Stray[a.Term.Offset]
	if c, ok := x.(*pyast.Constant); ok && known && !inside {
		x = pyast.Choice(c)
	}
	if l, ok := x.(*pyast.BoolOp); ok && l.Op == op && g.dynamo {
		// It is tested once more behind its brackets (3.12, 3.13), which the effects show.
		out := &pyast.BoolOp{Op: op, Values: []pyast.Expr{x, y}}
		span(out, x, y)
		return out
	}
	before, behind := g.operands(op, x), g.operands(op, y)
	out := &pyast.BoolOp{Op: op}
	if inside {
		out = g.bracket(op, before[len(before)-1], behind[0])
		before, behind = before[:len(before)-1], behind[1:]
		if len(before)+len(behind) == 0 {
			return out
		}
		before = append(before[:len(before):len(before)], out)
		out = &pyast.BoolOp{Op: op}
	}
	out.Values = slices.Concat(before, behind)
	span(out, x, y)
	return out
}

// operands are those of an expression as one of op: itself, if it is none or stands in brackets.
func (g *Graph) operands(op pyast.BoolOpKind, e pyast.Expr) []pyast.Expr {
	if b, ok := e.(*pyast.BoolOp); ok && b.Op == op && !g.brackets[b] {
		return b.Values
	}
	return []pyast.Expr{e}
}

// bracket puts two expressions into the same brackets.
func (g *Graph) bracket(op pyast.BoolOpKind, x, y pyast.Expr) *pyast.BoolOp {
	out := pyast.Join(op, x, y)
	span(out, x, y)
	if g.brackets == nil {
		g.brackets = map[*pyast.BoolOp]bool{}
	}
	g.brackets[out] = true
	return out
}
