package lower

import (
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// GlobalReads tells the names that a function's tree reads as those of global variables without declaring them, itself
// and in the functions and classes inside of it. That is not the same: what one comprehension binds is the function's own
// variable for those behind it, but not for functions. captured are the variables that it has from outside.
func GlobalReads(f *pyast.FunctionDef, captured []string, v pyc.Version, future bool) (itself, inside map[string]bool) {
	args := &pyast.Arguments{}
	for _, n := range captured {
		args.Args = append(args.Args, &pyast.Arg{Arg: n})
	}
	named := *f
	named.Name = "" // which is no variable that the function could read
	f = &named
	outer := &pyast.FunctionDef{Name: "_", Args: args, Body: []pyast.Stmt{f}}
	t := newTable(&pyast.Module{Body: []pyast.Stmt{outer}}, v, future)
	itself, inside = map[string]bool{}, map[string]bool{}
	out := t.at[outer]
	var visit func(s *scope, read map[string]bool)
	visit = func(s *scope, read map[string]bool) {
		for _, n := range s.order {
			if s.where(n) == globalImplicit || s.use(n)&isNonlocal != 0 && !s.boundAround(n, out) {
				read[n] = true
			}
		}
		for _, c := range s.children {
			visit(c, inside)
		}
	}
	visit(t.at[f], itself)
	return itself, inside
}

// boundAround reports whether a scope between s and outer, or outer itself, has the variable that s declares nonlocal.
func (s *scope) boundAround(name string, outer *scope) bool {
	for s != outer && s.parent != nil {
		s = s.parent
		if p := s.where(name); s.kind != classScope && (p == localPlace || p == cellPlace) {
			return true
		}
	}
	return false
}
