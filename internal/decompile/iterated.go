package decompile

import (
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// spellIterated writes the displays that a loop goes over, or that `in` looks through, so that the compiler
// leaves them what they are: of `for x in [a, b]` it makes a tuple, of `x in {1, 2}` a constant. One that
// stayed a list had a constant condition around it; in one that stayed a set of constants, one of these was
// computed later.
//
//	BUILD_LIST 2; GET_ITER                        →   for x in [a, b] if True else ():
//	LOAD_CONST "x"; BUILD_SET 1; CONTAINS_OP      →   y in {"x" if True else "x"}
func spellIterated(list []pyast.Stmt, v pyc.Version) {
	kept := func(e *pyast.Expr) {
		if l, ok := (*e).(*pyast.List); ok && v.IteratesTuples() && !pyast.HasStarred(l.Elts) {
			*e = chosen(l)
			return
		}
		keepUncomputed(*e)
	}
	first := func(l []*pyast.Comprehension) {
		kept(&l[0].Iter)
		for _, g := range l[1:] {
			keepUncomputed(g.Iter) // `for x in [a]` is an assignment (3.9+)
		}
	}
	pyast.InspectOwn(list, func(n pyast.Node) bool {
		switch x := n.(type) {
		case *pyast.For:
			kept(&x.Iter)
		case *pyast.ListComp:
			first(x.Generators)
		case *pyast.SetComp:
			first(x.Generators)
		case *pyast.DictComp:
			first(x.Generators)
		case *pyast.GeneratorExp:
			first(x.Generators)
		case *pyast.Compare:
			last := len(x.Ops) - 1
			if x.Ops[last] == pyast.In || x.Ops[last] == pyast.NotIn {
				keepUncomputed(x.Comparators[last])
			}
		}
		return true
	})
}

// keepUncomputed makes a choice of the last item of a display of constants.
func keepUncomputed(e pyast.Expr) {
	var elts []pyast.Expr
	switch x := e.(type) {
	case *pyast.List:
		elts = x.Elts
	case *pyast.Set:
		elts = x.Elts
	}
	for _, x := range elts {
		if _, ok := x.(*pyast.Constant); !ok {
			return
		}
	}
	if n := len(elts); n > 0 {
		elts[n-1] = pyast.Choice(elts[n-1].(*pyast.Constant))
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
