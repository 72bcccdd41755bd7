package sugar

import (
	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/pyast"
)

// lastDeletes leaves out Dynamo's `del` of a graph's results right before what
// only returns one of them: the variable ends with the function.
//
//	_temp_1 = graph_out_0[0]      _temp_1 = graph_out_0[0]
//	del graph_out_0           →   return _temp_1
//	return _temp_1
//
// In front of a call the `del` stays: the memory is free while the call runs.
func lastDeletes(list []pyast.Stmt) []pyast.Stmt {
	return eachList(list, func(l []pyast.Stmt) []pyast.Stmt {
		n := len(l)
		if n < 2 {
			return l
		}
		r, ok1 := l[n-1].(*pyast.Return)
		d, ok2 := l[n-2].(*pyast.Delete)
		if !ok1 || !ok2 || len(d.Targets) != 1 {
			return l
		}
		if t, ok := d.Targets[0].(*pyast.Name); !ok || !cfg.GraphResult(t.Id) {
			return l
		}
		if r.Value != nil && Mentions(r, func(x pyast.Node) bool {
			switch x.(type) {
			case *pyast.Return, *pyast.Name, *pyast.Constant, *pyast.Tuple, *pyast.List, *pyast.Dict:
				return false
			}
			return true
		}) {
			return l
		}
		return append(l[:n-2:n-2], r)
	})
}
