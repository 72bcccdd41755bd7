package decompile

import (
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/sugar"
)

// spellIterated writes the displays that a loop goes over, or that `in` looks through, so that the compiler
// leaves them what they are: of `for x in [a, b]` it makes a tuple, of `x in {1, 2}` a constant. One that
// stayed a list had a constant condition around it; in one that stayed a set of constants, one of these was
// computed later, or there was a condition around it, too.
//
//	BUILD_LIST 2; GET_ITER                        →   for x in [a, b] if True else ():
//	LOAD_CONST "x"; BUILD_SET 1; CONTAINS_OP      →   y in {"x" if True else "x"}
func spellIterated(list []pyast.Stmt, v pyc.Version) {
	clauses := func(l []*pyast.Comprehension) {
		for i, g := range l {
			if i == 0 || pyast.OnlyItem(g.Iter) == nil || !v.AssignsSingleItem() { // else it is an assignment
				keepDisplay(&g.Iter, v)
			}
		}
	}
	pyast.InspectOwn(list, func(n pyast.Node) bool {
		switch x := n.(type) {
		case *pyast.For:
			if !x.IsAsync {
				keepDisplay(&x.Iter, v)
			}
		case *pyast.ListComp:
			clauses(x.Generators)
		case *pyast.SetComp:
			clauses(x.Generators)
		case *pyast.DictComp:
			clauses(x.Generators)
		case *pyast.GeneratorExp:
			clauses(x.Generators)
		case *pyast.Compare:
			last := len(x.Ops) - 1
			if x.Ops[last] == pyast.In || x.Ops[last] == pyast.NotIn {
				keepDisplay(&x.Comparators[last], v)
			}
		}
		return true
	})
}

// keepDisplay keeps the compiler from making something else of a display.
func keepDisplay(e *pyast.Expr, v pyc.Version) {
	var elts []pyast.Expr
	switch x := (*e).(type) {
	case *pyast.List:
		if v.IteratesTuple(len(x.Elts)) && !pyast.HasStarred(x.Elts) {
			*e = chosen(x)
			return
		}
		elts = x.Elts
	case *pyast.Set:
		elts = x.Elts
	}
	for _, x := range elts {
		if _, ok := x.(*pyast.Constant); !ok {
			return
		}
	}
	switch n := len(elts); {
	case n > 2 && v.FoldsDisplays():
		*e = chosen(*e) // its items are one constant
	case n > 0:
		elts[n-1] = sugar.Uncomputed(elts[n-1].(*pyast.Constant), v)
	}
}

// keptItem writes the one item that a clause behind the first one loops over so that the compiler makes no
// assignment of it, as it does of `for x in [a]` and `for x in (a,)`.
func keptItem(e pyast.Expr, v pyc.Version) pyast.Expr {
	if pyast.OnlyItem(e) == nil || !v.AssignsSingleItem() {
		return e
	}
	return chosen(e)
}

// chosen is what a constant condition chooses: the compiler does not look into it before it has made code.
func chosen(e pyast.Expr) pyast.Expr {
	return &pyast.IfExp{Test: pyast.Bool(true), Body: e, OrElse: &pyast.Tuple{}}
}
