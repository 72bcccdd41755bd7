package sugar

import "github.com/thuml/depyf/internal/pyast"

// chained writes a value that is stored twice as one assignment: both compile alike, whether or not a branch lies
// between the stores, and an assignment expression is for where no statement can stand.
//
//	a[b and c] = (x := v)   →   x = a[b and c] = v
func chained(list []pyast.Stmt) {
	_ = eachList(list, func(l []pyast.Stmt) []pyast.Stmt {
		for _, s := range l {
			a, ok := s.(*pyast.Assign)
			if !ok {
				continue
			}
			for n, ok := a.Value.(*pyast.NamedExpr); ok; n, ok = a.Value.(*pyast.NamedExpr) {
				a.Targets, a.Value = append([]pyast.Expr{n.Target}, a.Targets...), n.Value
			}
		}
		return l
	})
}
