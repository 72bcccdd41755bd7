package sugar

import (
	"fmt"

	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/pyast"
)

// tempPrefix starts the names of temporaries in the text.
const tempPrefix = "_temp_"

// NameTemps gives the temporaries that are left readable names, which nothing in
// the list has: the parameter they are passed as, where a called function's
// parameters are known, else a number in order of appearance, from one on in each
// statement of the list.
func NameTemps(list []pyast.Stmt, argNames map[string][]string) {
	left := false // mostly none is
	pyast.InspectStmts(list, func(n pyast.Node) bool {
		eachName(n, func(id *string) { left = left || lift.IsTemp(*id) })
		return !left
	})
	if !left {
		return
	}
	taken := map[string]bool{}
	pyast.InspectStmts(list, func(n pyast.Node) bool {
		eachName(n, func(id *string) { taken[*id] = true })
		return true
	})
	for _, s := range list {
		nameTemps(s, taken, argNames)
	}
}

func nameTemps(st pyast.Stmt, taken map[string]bool, argNames map[string][]string) {
	var order []string
	seen := map[string]bool{}
	wish := map[string]string{}
	factories := map[*pyast.Call]bool{}
	pyast.Inspect(st, func(n pyast.Node) bool {
		eachName(n, func(id *string) {
			if lift.IsTemp(*id) && !seen[*id] {
				seen[*id] = true
				order = append(order, *id)
			}
		})
		x, ok := n.(*pyast.Call)
		if !ok {
			return true
		}
		f, ok := x.Func.(*pyast.Name)
		if made, isCall := x.Func.(*pyast.Call); isCall {
			// The factory of a function with cells: __resume_at_34_3((w,))(y).
			f, ok = made.Func.(*pyast.Name)
			factories[made] = true
		}
		if !ok || factories[x] {
			return true
		}
		params := argNames[f.Id]
		for i, a := range x.Args {
			if t, ok := a.(*pyast.Name); ok && lift.IsTemp(t.Id) && i < len(params) && wish[t.Id] == "" {
				wish[t.Id] = params[i]
			}
		}
		return true
	})
	if len(order) == 0 {
		return
	}
	names := map[string]string{}
	given := map[string]bool{}
	n := 0
	for _, t := range order {
		w := wish[t]
		for w == "" || taken[w] || given[w] {
			n++
			w = fmt.Sprintf("%s%d", tempPrefix, n)
		}
		names[t], given[w] = w, true
	}
	pyast.Inspect(st, func(n pyast.Node) bool {
		eachName(n, func(id *string) {
			if w, ok := names[*id]; ok {
				*id = w
			}
		})
		return true
	})
}

// eachName calls f for each name of a variable that n itself holds.
func eachName(n pyast.Node, f func(id *string)) {
	switch x := n.(type) {
	case *pyast.Name:
		f(&x.Id)
	case *pyast.Arg:
		f(&x.Arg)
	case *pyast.FunctionDef:
		f(&x.Name)
	case *pyast.ClassDef:
		f(&x.Name)
	case *pyast.ExceptHandler:
		f(&x.Name)
	case *pyast.Alias:
		f(&x.Name)
		f(&x.AsName)
	case *pyast.Global:
		eachOf(x.Names, f)
	case *pyast.Nonlocal:
		eachOf(x.Names, f)
	}
}

func eachOf(names []string, f func(id *string)) {
	for i := range names {
		f(&names[i])
	}
}
