package decompile

import "github.com/thuml/depyf/internal/pyast"

// withoutImplied takes those names out of a module's `global` statements that
// are global there anyway: the compiler stores a module's variable as a global
// where any function declares it so, or a walrus in a comprehension stores it.
//
//	x = 1                     x = 1         (STORE_GLOBAL x, for f's sake)
//	def f():              →   def f():
//	    global x                  global x
func withoutImplied(decls, body []pyast.Stmt) []pyast.Stmt {
	implied := map[string]bool{}
	pyast.InspectStmts(body, func(n pyast.Node) bool {
		if x, ok := n.(*pyast.Global); ok {
			for _, name := range x.Names {
				implied[name] = true
			}
		}
		return true
	})
	var visit func(n pyast.Node, comprehension bool)
	visit = func(n pyast.Node, comprehension bool) {
		pyast.Inspect(n, func(x pyast.Node) bool {
			switch x := x.(type) {
			case *pyast.FunctionDef, *pyast.ClassDef, *pyast.Lambda:
				return false // variables of their own
			case *pyast.ListComp, *pyast.SetComp, *pyast.DictComp, *pyast.GeneratorExp:
				if !comprehension {
					visit(x, true)
					return false
				}
			case *pyast.NamedExpr:
				if t, ok := x.Target.(*pyast.Name); ok && comprehension {
					implied[t.Id] = true
				}
			}
			return true
		})
	}
	for _, s := range body {
		visit(s, false)
	}
	var out []pyast.Stmt
	for _, d := range decls {
		g, ok := d.(*pyast.Global)
		if !ok {
			out = append(out, d)
			continue
		}
		var keep []string
		for _, name := range g.Names {
			if !implied[name] {
				keep = append(keep, name)
			}
		}
		if len(keep) > 0 {
			out = append(out, &pyast.Global{Names: keep})
		}
	}
	return out
}
