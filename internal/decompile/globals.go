package decompile

import (
	"slices"

	"github.com/thuml/depyf/internal/pyast"
)

// withoutImplied takes those names out of a module's `global` statements that
// are global there anyway: the compiler stores a module's variable as a global
// where any function declares it so, or a walrus in a comprehension stores it.
//
//	x = 1                     x = 1         (STORE_GLOBAL x, for f's sake)
//	def f():              →   def f():
//	    global x                  global x
func withoutImplied(decls, body []pyast.Stmt) []pyast.Stmt {
	if len(decls) == 0 {
		return nil
	}
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
		if g, ok := d.(*pyast.Global); ok {
			if g.Names = slices.DeleteFunc(g.Names, func(name string) bool { return implied[name] }); len(g.Names) == 0 {
				continue
			}
		}
		out = append(out, d)
	}
	return out
}

// declaredInside takes those variables out of a module's declarations that it annotates, and declares them in a function behind, which
// the compiler leaves out.
//
//	global x         x: int = 0
//	x: int = 0   →   if False:
//	                     def _():
//	                         global x
func (u *unit) declaredInside(decls, body []pyast.Stmt) (front, behind []pyast.Stmt) {
	annotated := map[string]bool{}
	pyast.InspectOwn(body, func(n pyast.Node) bool {
		if a, ok := n.(*pyast.AnnAssign); ok && a.Simple {
			annotated[a.Target.(*pyast.Name).Id] = true
		}
		return true
	})
	inside := &pyast.Global{}
	for _, d := range decls {
		g, ok := d.(*pyast.Global)
		if ok {
			g.Names = slices.DeleteFunc(g.Names, func(name string) bool {
				if annotated[name] {
					inside.Names = append(inside.Names, name)
				}
				return annotated[name]
			})
		}
		if !ok || len(g.Names) > 0 {
			front = append(front, d)
		}
	}
	if len(inside.Names) > 0 {
		behind = append(behind, unrun(&pyast.FunctionDef{Name: u.unusedName(), Args: &pyast.Arguments{}, Body: []pyast.Stmt{inside}}))
	}
	return front, behind
}
