package sugar

import "github.com/thuml/depyf/internal/pyast"

// span is a run of statements of a function's body, outside of which a variable
// does not occur.
type span struct{ first, last int }

// spansIn finds the spans of the variables that are stored first, in a statement of
// the list itself.
func spansIn(list []pyast.Stmt, ours func(string) bool) map[string]span {
	out := map[string]span{}
	for i, s := range list {
		inspectScope([]pyast.Stmt{s}, func(x pyast.Node) bool {
			eachName(x, func(id *string) {
				if !ours(*id) {
					return
				}
				if at, seen := out[*id]; seen {
					out[*id] = span{at.first, i}
				} else if a, ok := s.(*pyast.Assign); ok && len(a.Targets) == 1 && a.Targets[0] == x {
					out[*id] = span{i, i}
				} else {
					out[*id] = span{-1, i}
				}
			})
			return true
		})
	}
	return out
}

// share names one of the dicts in which a module keeps its own after the module
// alone. It is only taken apart in the next lines, so that the name may serve again
// for the same part of another layer.
//
//	query_parameters = self_modules["query"]._parameters
//	layer_0_attention_self_query_weight = query_parameters["weight"]
func (s *tempScope) share(t string) string {
	p := s.path(t)
	at, known := s.spans[t]
	if p == nil || p.table == "" || len(p.parts) == 0 || !known || at.first < 0 || len(s.defs[t]) != 1 || s.wish[t] != "" {
		return ""
	}
	short := p.parts[len(p.parts)-1:]
	if c := short[0][0]; c >= '0' && c <= '9' && len(p.parts) > 1 {
		short = p.parts[len(p.parts)-2:] // layer_0
	}
	name := (&valuePath{parts: short, table: p.table}).name()
	if !usable(name) || s.taken[name] && s.shared[name] == nil {
		return ""
	}
	for _, other := range s.shared[name] {
		if at.first <= other.last && other.first <= at.last {
			return ""
		}
	}
	s.shared[name] = append(s.shared[name], at)
	return name
}
