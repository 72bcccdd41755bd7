package decompile

import (
	"slices"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// args are the names of the parameters.
func (u *unit) args() []string {
	var out []string
	each(u.arguments(), func(a *pyast.Arg) { out = append(out, a.Arg) })
	return out
}

// inOrder makes the compiler number the variables as the code does, which is how
// locals() lists them, if the body has another order: it goes by where each is met
// first.
//
//	if False:
//	    x = y = None
func (u *unit) inOrder(body []pyast.Stmt) []pyast.Stmt {
	args := u.args()
	// A resume function may keep a variable that it never stores beside one of that name that it captures.
	captured := u.code.FreeVars()
	met, inside := map[string]int{}, map[string]bool{}
	pyast.InspectStmts(body, func(n pyast.Node) bool {
		names, inner := binds(n)
		switch x := n.(type) {
		case *pyast.Name:
			names = []string{x.Id}
		case *pyast.Lambda:
			inner = true
		}
		for _, name := range names {
			if met[name] == 0 {
				met[name] = len(met) + 1
			}
		}
		if inner { // What it reads of this function's is captured, but for decorators, defaults and the like.
			pyast.Inspect(n, func(n pyast.Node) bool {
				if x, ok := n.(*pyast.Name); ok {
					inside[x.Id] = true
				}
				return true
			})
		}
		return !inner
	})
	var targets []pyast.Expr
	var places []int
	for i, name := range u.code.LocalsPlusNames {
		if slices.Contains(captured, name) {
			continue
		}
		name = u.unmangleName(name)
		if u.code.LocalsPlusKinds[i] == pyc.KindLocal && (met[name] > 0 || inside[name]) && !slices.Contains(args, name) {
			targets = append(targets, pyast.N(name))
			places = append(places, met[name])
		}
	}
	if slices.IsSorted(places) {
		return nil
	}
	return []pyast.Stmt{unrun(&pyast.Assign{Targets: targets, Value: pyast.None()})}
}
