package decompile

import (
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/pyast"
)

// unbound lists the variables of comprehensions in a body that the body also reads as variables of its own, but does not bind.
func unbound(body []pyast.Stmt) []string {
	own, comprised, read := map[string]bool{}, map[string]bool{}, map[string]bool{}
	bind := func(e pyast.Expr) {
		for _, n := range targetNames(e) {
			own[n] = true
		}
	}
	var visit func(n pyast.Node, hidden []string)
	visit = func(n pyast.Node, hidden []string) {
		pyast.Inspect(n, func(x pyast.Node) bool {
			switch v := x.(type) {
			case *pyast.ListComp, *pyast.SetComp, *pyast.DictComp, *pyast.GeneratorExp:
				clauses, _, _ := comprehensionParts(v)
				if len(clauses) == 0 {
					return false // in code that no compiler made
				}
				visit(clauses[0].Iter, hidden)
				if _, function := v.(*pyast.GeneratorExp); function {
					return false
				}
				inside := slices.Clone(hidden)
				for _, c := range clauses {
					inside = append(inside, targetNames(c.Target)...)
				}
				for _, n := range inside {
					comprised[n] = true
				}
				pyast.Children(v, func(c pyast.Node) {
					if c == pyast.Node(clauses[0]) {
						first := *clauses[0]
						first.Iter = &pyast.Tuple{}
						c = &first
					}
					visit(c, inside)
				})
				return false
			case *pyast.Comprehension:
				return true
			case *pyast.Name:
				read[v.Id] = read[v.Id] || !slices.Contains(hidden, v.Id)
			case *pyast.Lambda:
				return false
			}
			eachTarget(x, bind)
			names, inner := binds(x)
			for _, n := range names {
				own[n] = true
			}
			return !inner
		})
	}
	for _, s := range body {
		visit(s, nil)
	}
	var out []string
	for n := range comprised {
		if read[n] && !own[n] {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// binds lists the names that a node binds but for those of eachTarget; inner, that it is a scope of its own.
func binds(n pyast.Node) (names []string, inner bool) {
	switch x := n.(type) {
	case *pyast.FunctionDef:
		return []string{x.Name}, true
	case *pyast.ClassDef:
		return []string{x.Name}, true
	case *pyast.NamedExpr:
		return targetNames(x.Target), false
	case *pyast.AugAssign:
		return targetNames(x.Target), false
	case *pyast.AnnAssign:
		return targetNames(x.Target), false
	case *pyast.TypeAlias:
		return targetNames(x.Name), false
	case *pyast.Delete:
		for _, t := range x.Targets {
			names = append(names, targetNames(t)...)
		}
		return names, false
	case *pyast.Alias:
		if x.AsName != "" {
			return []string{x.AsName}, false
		}
		first, _, _ := strings.Cut(x.Name, ".")
		return []string{first}, false
	case *pyast.ExceptHandler:
		return []string{x.Name}, false
	case *pyast.MatchAs:
		return []string{x.Name}, false
	case *pyast.MatchStar:
		return []string{x.Name}, false
	case *pyast.MatchMapping:
		return []string{x.Rest}, false
	}
	return nil, false
}
