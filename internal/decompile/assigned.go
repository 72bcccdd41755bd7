package decompile

import (
	"cmp"

	"github.com/thuml/depyf/internal/pyast"
)

// unassigned drops the names that a plain assignment, loop or import among the statements stores, functions inside aside: no
// symbol table has to be asked about those, and most functions are left with none.
func unassigned(names []string, list []pyast.Stmt) []string {
	left := make(map[string]bool, len(names))
	for _, n := range names {
		left[n] = true
	}
	var target func(e pyast.Expr)
	target = func(e pyast.Expr) {
		switch e := e.(type) {
		case *pyast.Name:
			delete(left, e.Id)
		case *pyast.Tuple:
			for _, x := range e.Elts {
				target(x)
			}
		}
	}
	imported := func(list []*pyast.Alias) {
		for _, a := range list {
			delete(left, cmp.Or(a.AsName, a.Name))
		}
	}
	var visit func(list []pyast.Stmt)
	visit = func(list []pyast.Stmt) {
		for _, s := range list {
			if len(left) == 0 {
				return
			}
			switch s := s.(type) {
			case *pyast.Assign:
				for _, t := range s.Targets {
					target(t)
				}
			case *pyast.For:
				target(s.Target)
			case *pyast.With:
				for _, i := range s.Items {
					target(i.OptionalVars)
				}
			case *pyast.Import:
				imported(s.Names)
			case *pyast.ImportFrom:
				imported(s.Names)
			case *pyast.FunctionDef:
				delete(left, s.Name)
				continue
			case *pyast.ClassDef:
				delete(left, s.Name)
				continue
			case *pyast.Try:
				for _, h := range s.Handlers {
					delete(left, h.Name)
				}
			}
			pyast.Blocks(s, func(b *[]pyast.Stmt) { visit(*b) })
		}
	}
	visit(list)
	var out []string
	for _, n := range names {
		if left[n] {
			out = append(out, n)
		}
	}
	return out
}
