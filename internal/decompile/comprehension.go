package decompile

import (
	"fmt"

	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyprint"
)

// Comprehension makes a comprehension or generator expression of its function.
func (u *unit) Comprehension(fn *lift.Func, iter pyast.Expr) (pyast.Expr, error) {
	inner := u.nested(fn.Code)
	e, err := inner.expression(func(list []pyast.Stmt) (pyast.Expr, error) {
		var saved []string
		if inner.graph != nil {
			saved = inner.graph.Saved
		}
		return comprehension(fn.Code.Name, list, iter, saved)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fn.Code.Name, err)
	}
	if inner.graph == nil {
		inner.mentionFree(e)
	}
	return e, nil
}

// mentionFree names, where it is never evaluated, the variables that only code which the
// compiler has left out takes from outside: as the element that a false condition has left
// none of, or in a condition that is true.
//
//	(x for y in z if () and w)    →    (w for y in z if False)
func (u *unit) mentionFree(e pyast.Expr) {
	var names []pyast.Expr
	for _, n := range u.code.FreeVars() {
		if name := u.unmangleName(n); u.reached[name] == 0 && name != "__class__" && pyprint.ValidName(name) {
			names = append(names, pyast.N(name))
		}
	}
	if len(names) == 0 {
		return
	}
	var last *pyast.Comprehension
	pyast.Children(e, func(n pyast.Node) {
		if g, ok := n.(*pyast.Comprehension); ok {
			last = g
		}
	})
	if last == nil {
		return // a stub
	}
	var mention pyast.Expr = &pyast.Tuple{Elts: names}
	if len(names) == 1 {
		mention = names[0]
	}
	if x, ok := e.(*pyast.GeneratorExp); ok && lift.IsNone(x.Elt) && len(last.Ifs) > 0 && pyast.Equal(last.Ifs[len(last.Ifs)-1], pyast.Bool(false)) {
		x.Elt = mention
		return
	}
	last.Ifs = append(last.Ifs, &pyast.IfExp{Test: pyast.Bool(true), Body: pyast.Bool(true), OrElse: mention})
}

// comprehension turns the nested loops of a comprehension's body into clauses. saved
// names the variables that the code around saves for it.
func comprehension(kind string, list []pyast.Stmt, iter pyast.Expr, saved []string) (pyast.Expr, error) {
	var gens []*pyast.Comprehension
	var elt []pyast.Expr
	star := false
	for elt == nil {
		list = strip(list)
		if g := singleItem(list); g != nil && len(gens) > 0 {
			gens, list = append(gens, g), list[1:]
			continue
		}
		if len(gens) > 0 && len(list) == 0 {
			// Its condition is false: the compiler has left out the element.
			g := gens[len(gens)-1]
			g.Ifs = append(g.Ifs, pyast.Bool(false))
			gens = append(gens, unreached(gens, saved)...)
			elt = []pyast.Expr{pyast.None(), pyast.None()}
			break
		}
		if len(gens) > 0 && branches(list) {
			test, inner, ok := condition(list)
			if !ok {
				return nil, fmt.Errorf("%s: a condition with several ends", kind)
			}
			g := gens[len(gens)-1]
			g.Ifs = append(g.Ifs, test)
			list = inner
			continue
		}
		if len(list) != 1 {
			return nil, fmt.Errorf("%s: a body of %d statements", kind, len(list))
		}
		switch s := list[0].(type) {
		case *pyast.For:
			g := &pyast.Comprehension{Target: s.Target, Iter: s.Iter, IsAsync: s.IsAsync}
			if len(gens) == 0 {
				g.Iter = iter
			}
			gens = append(gens, g)
			list = s.Body
		case *pyast.If:
			if len(gens) == 0 || len(s.OrElse) > 0 {
				return nil, fmt.Errorf("%s: an unexpected if", kind)
			}
			g := gens[len(gens)-1]
			g.Ifs = append(g.Ifs, s.Test)
			list = s.Body
		case *lift.Marker:
			if s.Kind != lift.MarkAdd {
				return nil, fmt.Errorf("%s: an unexpected statement", kind)
			}
			elt, star = s.Args, s.Star
		case *pyast.ExprStmt:
			y, ok := s.Value.(*pyast.Yield)
			if !ok {
				return nil, fmt.Errorf("%s: an unexpected statement", kind)
			}
			v := y.Value
			if v == nil {
				v = pyast.None()
			}
			elt = []pyast.Expr{v}
		default:
			return nil, fmt.Errorf("%s: an unexpected statement", kind)
		}
	}
	if len(gens) == 0 {
		return nil, fmt.Errorf("%s: no loop", kind)
	}
	if n := len(gens) - 1; n > 0 && kind == "<genexpr>" && !gens[n].IsAsync && len(gens[n].Ifs) == 0 && isTemp(gens[n].Target) && pyast.Equal(gens[n].Target, elt[0]) {
		// `(*x for x in xs)` (PEP 798): each item is yielded without a name.
		elt[0], star = gens[n].Iter, true
		gens = gens[:n]
	}
	if star && kind != "<dictcomp>" {
		elt[0] = &pyast.Starred{Value: elt[0]}
	}
	switch kind {
	case "<listcomp>":
		return &pyast.ListComp{Elt: elt[0], Generators: gens}, nil
	case "<setcomp>":
		return &pyast.SetComp{Elt: elt[0], Generators: gens}, nil
	case "<dictcomp>":
		if star {
			return &pyast.DictComp{Value: elt[0], Generators: gens}, nil
		}
		if len(elt) != 2 {
			return nil, fmt.Errorf("%s: a key or value is missing", kind)
		}
		return &pyast.DictComp{Key: elt[0], Value: elt[1], Generators: gens}, nil
	}
	return &pyast.GeneratorExp{Elt: elt[0], Generators: gens}, nil
}

// unreached are clauses behind a condition that is false: the compiler leaves out their
// loops, but saves their targets.
func unreached(gens []*pyast.Comprehension, saved []string) []*pyast.Comprehension {
	bound := map[string]bool{".0": true} // in a class body
	for _, g := range gens {
		pyast.Walk(g.Target, func(n pyast.Node) bool {
			if x, ok := n.(*pyast.Name); ok {
				bound[x.Id] = true
			}
			return true
		}, nil)
		pyast.Walk(g, func(n pyast.Node) bool {
			if x, ok := n.(*pyast.NamedExpr); ok {
				bound[x.Target.(*pyast.Name).Id] = true
			}
			return true
		}, nil)
	}
	var out []*pyast.Comprehension
	for _, name := range saved {
		if !bound[name] {
			out = append(out, &pyast.Comprehension{Target: pyast.N(name), Iter: &pyast.Tuple{}})
		}
	}
	return out
}

// branches reports whether a comprehension's body is more than nested conditions.
func branches(list []pyast.Stmt) bool {
	n, ok := list[0].(*pyast.If)
	return ok && (len(list) > 1 || len(n.OrElse) > 0)
}

// condition makes one condition of the tests that decide whether control comes to the
// element, whose statements it returns. `x if a else y` as a condition has several.
func condition(list []pyast.Stmt) (test pyast.Expr, inner []pyast.Stmt, ok bool) {
	ends := false
	if n := len(list); n > 0 {
		switch list[n-1].(type) {
		case *pyast.Return, *pyast.Continue:
			list, ends = list[:n-1], true
		}
	}
	for len(list) > 0 {
		if _, pass := list[0].(*pyast.Pass); !pass {
			break
		}
		list = list[1:]
	}
	if len(list) == 0 {
		return pyast.Bool(false), nil, true
	}
	n, isIf := list[0].(*pyast.If)
	if !isIf {
		return pyast.Bool(true), list, true
	}
	rest := list[1:]
	if ends {
		rest = append(rest[:len(rest):len(rest)], &pyast.Continue{})
	}
	then, innerThen, ok := condition(append(n.Body[:len(n.Body):len(n.Body)], unlessLeft(n.Body, rest)...))
	if !ok {
		return nil, nil, false
	}
	other, innerOther, ok := condition(append(n.OrElse[:len(n.OrElse):len(n.OrElse)], unlessLeft(n.OrElse, rest)...))
	if !ok || innerThen != nil && innerOther != nil && !pyast.EqualStmts(innerThen, innerOther) {
		return nil, nil, false
	}
	inner = innerThen
	if inner == nil {
		inner = innerOther
	}
	return arms(n.Test, then, other), inner, true
}

// unlessLeft are the statements behind an arm, if control comes there.
func unlessLeft(arm, rest []pyast.Stmt) []pyast.Stmt {
	if n := len(arm); n > 0 {
		switch arm[n-1].(type) {
		case *pyast.Return, *pyast.Continue:
			return nil
		}
	}
	return pyast.CloneStmts(rest)
}

// arms is the condition that is `then` where the test is true.
func arms(test, then, other pyast.Expr) pyast.Expr {
	is := func(e pyast.Expr, b bool) bool {
		c, ok := e.(*pyast.Constant)
		return ok && c.Value == pyc.Bool(b)
	}
	switch {
	case is(then, true) && is(other, false):
		return test
	case is(then, false) && is(other, true):
		return lift.Not(test)
	case is(other, false):
		return &pyast.BoolOp{Op: pyast.And, Values: []pyast.Expr{test, then}}
	case is(then, true):
		return &pyast.BoolOp{Op: pyast.Or, Values: []pyast.Expr{test, other}}
	case is(then, false):
		return &pyast.BoolOp{Op: pyast.And, Values: []pyast.Expr{lift.Not(test), other}}
	case is(other, true):
		return &pyast.BoolOp{Op: pyast.Or, Values: []pyast.Expr{lift.Not(test), then}}
	}
	return &pyast.IfExp{Test: test, Body: then, OrElse: other}
}

// singleItem makes the clause `for y in [f(x)]` of an assignment in front of other
// statements: since 3.9 the compiler writes no loop over one item.
func singleItem(list []pyast.Stmt) *pyast.Comprehension {
	if len(list) < 2 {
		return nil
	}
	a, ok := list[0].(*pyast.Assign)
	if !ok || len(a.Targets) != 1 || isTemp(a.Targets[0]) {
		return nil
	}
	return &pyast.Comprehension{Target: a.Targets[0], Iter: &pyast.List{Elts: []pyast.Expr{a.Value}}}
}

func isTemp(e pyast.Expr) bool {
	n, ok := e.(*pyast.Name)
	return ok && lift.IsTemp(n.Id)
}

// strip drops the return at the end, and turns `if not c: continue` before the
// rest into an `if c` around it.
func strip(list []pyast.Stmt) []pyast.Stmt {
	for len(list) > 0 {
		switch list[len(list)-1].(type) {
		case *pyast.Return, *pyast.Continue, *pyast.Pass:
			list = list[:len(list)-1]
			continue
		}
		break
	}
	if len(list) > 1 {
		if n, ok := list[0].(*pyast.If); ok && len(n.OrElse) == 0 && len(n.Body) == 1 {
			switch n.Body[0].(type) {
			case *pyast.Continue, *pyast.Return:
				return []pyast.Stmt{&pyast.If{Test: lift.Not(n.Test), Body: list[1:]}}
			}
		}
	}
	return list
}
