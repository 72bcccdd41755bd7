package sugar

import (
	"fmt"

	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/pyast"
)

// NameTemps gives the temporaries that are left readable names: the parameter
// they are passed as, where a called function's parameters are known, else a
// number in order of appearance.
func NameTemps(def *pyast.FunctionDef, argNames map[string][]string) {
	taken := map[string]bool{}
	var order []string
	seen := map[string]bool{}
	wish := map[string]string{}
	pyast.Inspect(def, func(n pyast.Node) bool {
		switch x := n.(type) {
		case *pyast.Name:
			if lift.IsTemp(x.Id) {
				if !seen[x.Id] {
					seen[x.Id] = true
					order = append(order, x.Id)
				}
			} else {
				taken[x.Id] = true
			}
		case *pyast.Arg:
			taken[x.Arg] = true
		case *pyast.Call:
			f, ok := x.Func.(*pyast.Name)
			if !ok {
				break
			}
			params := argNames[f.Id]
			for i, a := range x.Args {
				if t, ok := a.(*pyast.Name); ok && lift.IsTemp(t.Id) && i < len(params) && wish[t.Id] == "" {
					wish[t.Id] = params[i]
				}
			}
		}
		return true
	})
	names := map[string]string{}
	n := 0
	for _, t := range order {
		if w := wish[t]; w != "" && !taken[w] {
			taken[w] = true
			names[t] = w
			continue
		}
		for {
			n++
			w := fmt.Sprintf("%s%d", lift.TempPrefix, n)
			if !taken[w] {
				taken[w] = true
				names[t] = w
				break
			}
		}
	}
	pyast.Inspect(def, func(n pyast.Node) bool {
		if x, ok := n.(*pyast.Name); ok {
			if w, ok := names[x.Id]; ok {
				x.Id = w
			}
		}
		return true
	})
}
