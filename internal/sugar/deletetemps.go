package sugar

import (
	"slices"

	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/pyast"
)

// deleteTemps takes the temporaries out of the namespace of a module or class again, where
// a variable of a function would end with the call. Each is bound first: a `del` of a name
// that no way has stored raises.
//
//	while True:          %t2 = None
//	    ...         →    while True:
//	                         ...
//	                     del %t1, %t2
func deleteTemps(list []pyast.Stmt) []pyast.Stmt {
	spans := spansIn(list, lift.IsTemp)
	if len(spans) == 0 {
		return list
	}
	var names, unbound []string
	first, last := len(list), -1
	for name, at := range spans {
		names, last = append(names, name), max(last, at.last)
		if at.first < 0 {
			unbound = append(unbound, name)
		}
	}
	slices.Sort(names)
	slices.Sort(unbound)
	for i := range list[:last+1] {
		if slices.ContainsFunc(unbound, func(n string) bool { return mentionsName(list[i], n) }) {
			first = i
			break
		}
	}
	del := &pyast.Delete{}
	for _, n := range names {
		del.Targets = append(del.Targets, pyast.N(n))
	}
	var out []pyast.Stmt
	for i, s := range list {
		if i == first {
			bind := &pyast.Assign{Value: pyast.None()}
			for _, n := range unbound {
				bind.Targets = append(bind.Targets, pyast.N(n))
			}
			out = append(out, bind)
		}
		if out = append(out, s); i == last {
			out = append(out, del)
		}
	}
	return out
}
