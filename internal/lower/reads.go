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
	outer := &pyast.FunctionDef{Name: "_", Args: args, Body: []pyast.Stmt{f}}
	t := newTable(&pyast.Module{Body: []pyast.Stmt{outer}}, v, future)
	root := t.at[f]
	itself, inside = map[string]bool{}, map[string]bool{}
	var visit func(s *scope, read map[string]bool)
	visit = func(s *scope, read map[string]bool) {
		for _, n := range s.order {
			// A `nonlocal` statement inside wants the variable here, too: the text does not compile without.
			if s.where(n) == globalImplicit || s != root && s.use(n)&isNonlocal != 0 && root.use(n)&bound == 0 {
				read[n] = true
			}
		}
		for _, c := range s.children {
			visit(c, inside)
		}
	}
	visit(root, itself)
	return itself, inside
}
