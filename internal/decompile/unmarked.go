package decompile

import (
	"slices"

	"github.com/thuml/depyf/internal/lower"
	"github.com/thuml/depyf/internal/pyast"
)

// unmarked adds the annotations that __annotate__ computes and the statements do not leave to it: their marks stood in code
// that nothing reaches. The copies of a finally clause have one each, reached or not, and only lowering the statements
// tells how many copies these have.
//
//	try:                                                      x: int
//	    pass          annotations["x"] = int, twice;    →     if False:
//	finally:          mark 0                                      x: int
//	    x: int
func (u *unit) unmarked(list []pyast.Stmt, vars []annotation) []pyast.Stmt {
	there, ok := lower.Annotations(list, isClassBody(u.code), u.code.Version)
	if !ok {
		return list
	}
	same := func(a *annotation, d *lower.Deferred) bool {
		return a.name == d.Name && a.mark >= 0 == d.Marked && pyast.Equal(a.value, d.Value)
	}
	at := make([]pyast.Expr, len(vars)) // where each stands
	left := there
	copies := map[pyast.Expr]int{}
	for _, d := range there {
		copies[d.Value]++
	}
	for i := range vars {
		if len(left) == 0 {
			break
		}
		e := left[0].Value // of a single copy the mark is known
		later := copies[e] == 1 && slices.ContainsFunc(vars[i+1:], func(a annotation) bool { return a.value == e })
		if !later && same(&vars[i], &left[0]) {
			at[i], left = e, left[1:]
		}
	}
	var before pyast.Expr
	for i := range vars {
		a := &vars[i]
		known := len(left) > 0 && slices.ContainsFunc(there, func(d lower.Deferred) bool { return same(a, &d) }) // in another order
		if at[i] == nil && !known {
			var behind pyast.Expr
			if k := slices.IndexFunc(at[i:], func(e pyast.Expr) bool { return e != nil }); k >= 0 {
				behind = at[i+k]
			}
			at[i] = a.value
			list = insertBetween(list, a.statement(), before, behind)
		}
		if at[i] != nil {
			before = at[i]
		}
	}
	return list
}

// insertBetween puts an annotation that nothing reaches between two others, at its line.
func insertBetween(list []pyast.Stmt, node *pyast.AnnAssign, before, behind pyast.Expr) []pyast.Stmt {
	from := slices.IndexFunc(list, func(s pyast.Stmt) bool { return hasAnnotation(s, before) })
	to := slices.IndexFunc(list, func(s pyast.Stmt) bool { return hasAnnotation(s, behind) })
	if from >= 0 && from == to {
		done := false
		pyast.Blocks(list[from], func(b *[]pyast.Stmt) {
			if !done && slices.ContainsFunc(*b, func(s pyast.Stmt) bool { return hasAnnotation(s, before) }) {
				*b, done = insertBetween(*b, node, before, behind), true
			}
		})
		return list
	}
	if to < 0 {
		to = len(list)
	}
	if from >= 0 {
		if n, ok := list[from].(*pyast.If); ok && pyast.Equal(n.Test, pyast.Bool(false)) {
			n.Body = append(n.Body, node)
			return list
		}
	}
	at := min(max(byLine(list, node.Line), from+1), to)
	return slices.Insert(list, at, pyast.Stmt(&pyast.If{Pos: node.Pos, Test: pyast.Bool(false), Body: []pyast.Stmt{node}}))
}

// hasAnnotation reports whether an annotation stands in a statement.
func hasAnnotation(s pyast.Stmt, e pyast.Expr) (found bool) {
	pyast.InspectOwn([]pyast.Stmt{s}, func(n pyast.Node) bool {
		a, ok := n.(*pyast.AnnAssign)
		found = found || ok && a.Annotation == e
		return !found
	})
	return found
}

// byLine is where a statement of the line stands in a list.
func byLine(list []pyast.Stmt, line int) int {
	for i, s := range list {
		if l := s.Position().Line; l > line && !compilerMade(s) {
			return i
		}
	}
	return len(list)
}
