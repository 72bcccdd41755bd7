package decompile

import (
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/pyast"
)

// reader says who reads a name: a body itself, a comprehension whose code stands in the body's, or a function.
type reader uint8

const (
	inBody reader = iota
	inComprehension
	inFunction
)

// nest is a comprehension, the one around it, and where it stands among all.
type nest struct {
	in     *nest
	number int
}

// namesIn are the names that a body binds, those that comprehensions bind whose code stands in its own, and those that it reads.
func namesIn(body []pyast.Stmt) (own, comprised, read map[string]bool) {
	own, comprised, read = map[string]bool{}, map[string]bool{}, map[string]bool{}
	binders, readers := map[string][]*nest{}, map[string][]*nest{} // the comprehensions
	bind := func(e pyast.Expr) {
		for _, n := range targetNames(e) {
			own[n] = true
		}
	}
	var visit func(n pyast.Node, hidden []string, in reader)
	var at *nest
	count := 0
	visit = func(n pyast.Node, hidden []string, in reader) {
		pyast.Inspect(n, func(x pyast.Node) bool {
			switch v := x.(type) {
			case *pyast.ListComp, *pyast.SetComp, *pyast.DictComp, *pyast.GeneratorExp:
				clauses, _, _ := comprehensionParts(v)
				if len(clauses) == 0 {
					return false // in code that no compiler made
				}
				visit(clauses[0].Iter, hidden, in)
				hidden := slices.Clone(hidden)
				count++
				at = &nest{at, count}
				for _, c := range clauses {
					names := targetNames(c.Target)
					hidden = append(hidden, names...)
					for _, n := range names {
						binders[n] = append(binders[n], at)
					}
				}
				in := max(in, inComprehension)
				if _, function := v.(*pyast.GeneratorExp); function {
					in = inFunction
				}
				if in == inComprehension {
					for _, n := range hidden {
						comprised[n] = true
					}
				}
				pyast.Children(v, func(c pyast.Node) {
					if c == pyast.Node(clauses[0]) {
						first := *clauses[0]
						first.Iter = &pyast.Tuple{}
						c = &first
					}
					visit(c, hidden, in)
				})
				at = at.in
				return false
			case *pyast.Comprehension:
				return true
			case *pyast.Name:
				if !slices.Contains(hidden, v.Id) && in == inBody {
					read[v.Id] = true
				} else if in == inComprehension && !slices.Contains(hidden, v.Id) {
					readers[v.Id] = append(readers[v.Id], at)
				}
			case *pyast.Lambda:
				for _, e := range slices.Concat(v.Args.Defaults, v.Args.KwDefaults) {
					if e != nil {
						visit(e, hidden, in)
					}
				}
				hidden := slices.Clone(hidden)
				each(v.Args, func(a *pyast.Arg) { hidden = append(hidden, a.Arg) })
				visit(v.Body, hidden, inFunction)
				return false
			case *pyast.TypeAlias: // computed when it is asked for
				bind(v.Name)
				visit(v.Value, hidden, inFunction)
				for _, p := range v.TypeParams {
					visit(p, hidden, inFunction)
				}
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
		visit(s, nil, inBody)
	}
	for n, list := range readers {
		first := func(r *nest) bool {
			return !slices.ContainsFunc(binders[n], func(b *nest) bool { return b.number < r.number })
		}
		read[n] = read[n] || slices.ContainsFunc(list, first)
	}
	return own, comprised, read
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
