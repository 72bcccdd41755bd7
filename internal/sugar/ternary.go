package sugar

import "github.com/thuml/depyf/internal/pyast"

// conditionalAssign restores conditional expressions that an exit copied into
// both arms (3.10+) has torn apart. Only arms on the line of the test count.
//
//	if c:             →   x = a if c else b
//	    x = a
//	else:
//	    x = b
func conditionalAssign(list []pyast.Stmt) []pyast.Stmt {
	return eachList(list, func(l []pyast.Stmt) []pyast.Stmt {
		for i, s := range l {
			n, ok := s.(*pyast.If)
			if !ok || len(n.Body) != 1 || len(n.OrElse) != 1 || n.Line == 0 {
				continue
			}
			a, ok1 := n.Body[0].(*pyast.Assign)
			b, ok2 := n.OrElse[0].(*pyast.Assign)
			if !ok1 || !ok2 || a.Line != n.Line || b.Line != n.Line || len(a.Targets) != len(b.Targets) {
				continue
			}
			same := true
			for k := range a.Targets {
				same = same && pyast.Equal(a.Targets[k], b.Targets[k])
			}
			if !same {
				continue
			}
			a.Value = &pyast.IfExp{Test: n.Test, Body: a.Value, OrElse: b.Value}
			l[i] = a
		}
		return l
	})
}
