package sugar

import "github.com/thuml/depyf/internal/pyast"

// simplifyNot moves a `not` into the comparison that it negates, where the
// compiler does so too.
//
//	not a is None   →   a is not None
func simplifyNot(list []pyast.Stmt) []pyast.Stmt {
	pyast.RewriteOwn(list, func(e pyast.Expr) pyast.Expr {
		u, ok := e.(*pyast.UnaryOp)
		if !ok || u.Op != pyast.Not {
			return e
		}
		c, ok := u.Operand.(*pyast.Compare)
		if !ok || len(c.Ops) != 1 {
			return e
		}
		switch c.Ops[0] {
		case pyast.Is, pyast.IsNot, pyast.In, pyast.NotIn:
			return negate(c)
		}
		return e
	})
	return list
}
