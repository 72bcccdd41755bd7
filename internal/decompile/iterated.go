package decompile

import (
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// spellIterated writes the lists that a loop goes over so that the compiler leaves
// them lists: of `for x in [a, b]` it makes a tuple. One that stayed a list had a
// constant condition around it.
//
//	BUILD_LIST 2; GET_ITER   →   for x in [a, b] if True else ():
func spellIterated(list []pyast.Stmt, v pyc.Version) {
	if !v.IteratesTuples() {
		return
	}
	first := func(l []*pyast.Comprehension) {
		l[0].Iter = keptList(l[0].Iter) // `for x in [a]` behind it is an assignment (3.9+)
	}
	pyast.InspectOwn(list, func(n pyast.Node) bool {
		switch x := n.(type) {
		case *pyast.For:
			x.Iter = keptList(x.Iter)
		case *pyast.ListComp:
			first(x.Generators)
		case *pyast.SetComp:
			first(x.Generators)
		case *pyast.DictComp:
			first(x.Generators)
		case *pyast.GeneratorExp:
			first(x.Generators)
		}
		return true
	})
}

func keptList(e pyast.Expr) pyast.Expr {
	l, ok := e.(*pyast.List)
	if !ok {
		return e
	}
	for _, x := range l.Elts {
		if _, ok := x.(*pyast.Starred); ok {
			return e // the compiler lets it be
		}
	}
	return &pyast.IfExp{Test: pyast.Bool(true), Body: l, OrElse: &pyast.Tuple{}}
}
