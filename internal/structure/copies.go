package structure

import (
	"fmt"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/pyast"
)

// stripPrefix removes the statements of body from the front of list.
func (s *builder) stripPrefix(list, body []pyast.Stmt) ([]pyast.Stmt, bool) {
	if len(list) < len(body) || !s.sameStmts(list[:len(body)], body) {
		return list, false
	}
	return list[len(body):], true
}

// sameStmts compares two copies of a finally body. Each has temporaries and
// match statements of its own; only their numbers may differ.
func (s *builder) sameStmts(a, b []pyast.Stmt) bool {
	if len(a) != len(b) {
		return false
	}
	return pyast.EqualStmts(a, b) || pyast.EqualStmts(s.numbered(a), s.numbered(b))
}

// numbered returns a copy of the list in which match statements, and the
// temporaries that it stores, are numbered in order.
func (s *builder) numbered(list []pyast.Stmt) []pyast.Stmt {
	out := pyast.CloneStmts(list)
	numberMatches(out, s.g.CFG.Cases)
	numberTemps(out)
	return out
}

func numberTemps(list []pyast.Stmt) {
	names := map[string]string{}
	pyast.InspectStmts(list, func(n pyast.Node) bool {
		if a, ok := n.(*pyast.Assign); ok {
			for _, t := range a.Targets {
				if x, ok := t.(*pyast.Name); ok && lift.IsTemp(x.Id) && names[x.Id] == "" {
					names[x.Id] = fmt.Sprintf("%s#%d", lift.TempPrefix, len(names))
				}
			}
		}
		return true
	})
	pyast.InspectStmts(list, func(n pyast.Node) bool {
		if x, ok := n.(*pyast.Name); ok && names[x.Id] != "" {
			x.Id = names[x.Id]
		}
		return true
	})
}

// numberMatches puts expressions in the place of the markers of match
// statements, which nothing can compare, and names each case after its
// statement's number and the first case that has its pattern.
func numberMatches(list []pyast.Stmt, cases []cfg.Case) {
	number := map[int]int{}
	var unmark func(list []pyast.Stmt)
	unmark = func(list []pyast.Stmt) {
		for i, st := range list {
			mark, ok := st.(*lift.Marker)
			switch {
			case ok && mark.Kind == lift.MarkMatch:
				number[mark.ID] = len(number)
				list[i] = &pyast.ExprStmt{Value: &pyast.Hole{Kind: pyast.MatchBegins, N: number[mark.ID], Args: mark.Args}}
			case ok && mark.Kind == lift.MarkCase:
				list[i] = &pyast.ExprStmt{Value: lift.CaseTest(mark.ID)}
			case !ok:
				pyast.Blocks(st, func(b *[]pyast.Stmt) { unmark(*b) })
			}
		}
	}
	unmark(list)
	pyast.InspectStmts(list, func(n pyast.Node) bool {
		if x, ok := n.(*pyast.Hole); ok && x.Kind == pyast.CaseMatches && len(x.Args) == 0 && x.N < len(cases) {
			x.Args = []pyast.Expr{pyast.Int(int64(number[cases[x.N].ID]))}
			x.N = firstEqual(cases, x.N)
		}
		return true
	})
}

// firstEqual returns the first case that differs from the k-th in nothing but
// the match statement it belongs to.
func firstEqual(cases []cfg.Case, k int) int {
	c := cases[k]
	for i, d := range cases[:k] {
		same := d.Guarded == c.Guarded && d.Irrefutable == c.Irrefutable && d.Never == c.Never && d.Always == c.Always && d.Last == c.Last
		if same && d.Pattern != nil && c.Pattern != nil && pyast.Equal(d.Pattern, c.Pattern) {
			return i
		}
	}
	return k
}
