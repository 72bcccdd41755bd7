package decompile

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/choice"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/lower"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyprint"
)

// Comprehension makes a comprehension or generator expression of its function.
func (u *unit) Comprehension(fn *lift.Func, iter pyast.Expr) (pyast.Expr, error) {
	inner := u.nested(fn.Code)
	e, err := inner.expression(func(list []pyast.Stmt) (pyast.Expr, error) {
		return inner.comprehension(fn.Code.Name, list, iter)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fn.Code.Name, err)
	}
	inner.mentionLeftOut(e)
	return e, nil
}

// targets are the variables that the clauses of the comprehension bind.
func (u *unit) targets() []string {
	if u.graph != nil {
		return u.graph.Saved
	}
	return append(u.code.VarNames()[u.code.ArgCount:], u.cells()...)
}

// mentionLeftOut names, where it is never evaluated, the variables that only code which the
// compiler has left out captures, or takes from outside: as the element that a false condition
// has left none of, or in a condition that is true.
//
//	(x for y in z if () and w)             →    (w for y in z if False)
//	{() and (lambda: x) for x in y}        →    {() for x in y if (True if True else lambda: x)}
func (u *unit) mentionLeftOut(e pyast.Expr) {
	gens, made, ok := comprehensionParts(e)
	if !ok {
		return // a stub
	}
	last := gens[len(gens)-1]
	first, outside := gens[0], gens[0].Iter
	first.Iter = &pyast.Tuple{}
	defer func() { first.Iter = outside }()
	var names []pyast.Expr
	text := u.symbols(e)
	bound := boundAnywhere(e)
	captured := u.missing(u.cells(), text.Cells)
	for _, n := range captured {
		if bound[n] {
			names = append(names, lambda(pyast.N(n)))
		}
	}
	names = append(names, u.boundByOthers(e, bound, captured)...)
	if u.graph == nil && u.code.Flags&(pyc.FlagCoroutine|pyc.FlagAsyncGenerator) != 0 && !asynchronous(e) {
		names = append(names, &pyast.Await{Value: &pyast.Tuple{}})
	}
	if u.graph == nil {
		for _, n := range u.missing(u.code.FreeVars(), text.Free) {
			names = append(names, pyast.N(n))
		}
	}
	switch {
	case len(names) == 0:
	case lift.IsNone(*made) && leavesNone(gens):
		*made = allOf(names)
	default:
		last.Ifs = append(last.Ifs, unasked(names))
	}
	if u.graph != nil && len(u.graph.Saved) > 1 {
		has := u.putAside(text)
		if len(names) > 0 || len(has) != len(u.graph.Saved) { // names were added
			has = u.putAside(u.symbols(e))
		}
		u.mentionInOrder(e, first, has)
	}
}

// putAside lists what the compiler puts aside for an inlined comprehension of such a table, in its order.
func (u *unit) putAside(text lower.Symbols) []string {
	if u.putsAsideEveryName() {
		return text.Order
	}
	return text.BoundHere
}

// mentionInOrder names what is put aside for an inlined comprehension in that order, if that is not the one of the text: code that the
// compiler has left out has a name first. has is the text's order.
//
//	[a for j[0] in a if 1 or d if a(d)]    →    [a for j[0] in a if (True if True else (d, a)) if a(d)]
func (u *unit) mentionInOrder(e pyast.Expr, first *pyast.Comprehension, has []string) {
	if slices.Equal(has, u.graph.Saved) || len(has) != len(u.graph.Saved) || !u.decisions().Other(deadOrder, behindAll) {
		return
	}
	var names []pyast.Expr
	other := &pyast.ListComp{Elt: pyast.None()}
	for i, n := range u.graph.Saved {
		switch {
		case n == ".0" || len(names) == 0 && n == has[i]:
			continue
		case !slices.Contains(has, n) || !pyprint.ValidName(n):
			return
		}
		names = append(names, pyast.N(n))
		other.Generators = append(other.Generators, overNothing(pyast.N(n)))
	}
	if !u.putsAsideEveryName() {
		names = []pyast.Expr{other}
	}
	ifs := first.Ifs
	first.Ifs = append([]pyast.Expr{unasked(names)}, ifs...)
	if !slices.Equal(u.putAside(u.symbols(e)), u.graph.Saved) {
		first.Ifs = ifs // the table orders them otherwise
	}
}

// overNothing is a clause that binds the target and has no turn.
func overNothing(target pyast.Expr, ifs ...pyast.Expr) *pyast.Comprehension {
	return &pyast.Comprehension{Target: target, Iter: &pyast.Tuple{}, Ifs: ifs}
}

// unasked is a condition that holds, and in which the names stand.
func unasked(names []pyast.Expr) pyast.Expr {
	return &pyast.IfExp{Test: pyast.Bool(true), Body: pyast.Bool(true), OrElse: allOf(names)}
}

// boundByOthers names what is put aside for the comprehension e, or captured in it, and nothing in it binds: another comprehension in
// it does, an assignment expression if e reads a variable from outside by that name or, in a class body, nothing at all. What
// stands in front of a name that a condition reads is put in front of that condition.
func (u *unit) boundByOthers(e pyast.Expr, bound map[string]bool, captured []string) (out []pyast.Expr) {
	variables := captured
	if u.graph != nil {
		variables = u.graph.Saved
	}
	clauses, made, _ := comprehensionParts(e)
	behind := false // what the element reads, which comes behind the conditions
	other := &pyast.ListComp{Elt: pyast.None()}
	for _, name := range variables {
		switch read := mentions(e, name); {
		case !pyprint.ValidName(name):
		case bound[name]:
			if len(other.Generators) > 0 && u.graph != nil && putInFront(clauses, name, unasked([]pyast.Expr{other})) {
				other = &pyast.ListComp{Elt: pyast.None()}
			}
		case read && u.putsAsideEveryName():
			behind = behind || mentions(*made, name)
			if len(out) > 0 && putInFront(clauses, name, unasked(out)) {
				out = nil
			}
		case slices.Contains(captured, name):
			other.Generators = append(other.Generators, overNothing(pyast.N(name), lambda(pyast.N(name))))
		case read && u.inClassBody():
		case u.putsAsideEveryName() && !behind:
			out = append(out, pyast.N(name))
		case read:
			out = append(out, &pyast.NamedExpr{Target: pyast.N(name), Value: pyast.None()})
		default:
			other.Generators = append(other.Generators, overNothing(pyast.N(name)))
		}
	}
	if len(other.Generators) > 0 {
		out = append(out, other)
	}
	return out
}

// putInFront puts a condition in front of what reads the name first among the clauses, if anything does.
func putInFront(clauses []*pyast.Comprehension, name string, condition pyast.Expr) bool {
	for i, g := range clauses {
		if i > 0 && mentions(g.Iter, name) {
			clauses[i-1].Ifs = append(clauses[i-1].Ifs, condition)
			return true
		}
		for k, test := range g.Ifs {
			if mentions(test, name) {
				g.Ifs = slices.Insert(g.Ifs, k, condition)
				return true
			}
		}
	}
	return false
}

// boundAnywhere are the names that clauses and assignment expressions in e bind.
func boundAnywhere(e pyast.Expr) map[string]bool {
	bound := map[string]bool{}
	pyast.Inspect(e, func(n pyast.Node) bool {
		switch x := n.(type) {
		case *pyast.Comprehension:
			for _, name := range targetNames(x.Target) {
				bound[name] = true
			}
		case *pyast.NamedExpr:
			for _, name := range targetNames(x.Target) {
				bound[name] = true
			}
		}
		return true
	})
	return bound
}

// asynchronous reports whether a comprehension waits for something, so that its code is a coroutine's or an
// asynchronous generator's.
func asynchronous(e pyast.Expr) bool {
	found := false
	pyast.Inspect(e, func(n pyast.Node) bool {
		switch x := n.(type) {
		case *pyast.Comprehension:
			found = found || x.IsAsync
		case *pyast.Await:
			found = true
		case *pyast.Lambda:
			return false
		case *pyast.GeneratorExp:
			return x == e
		}
		return !found
	})
	return found
}

// inClassBody reports whether the comprehension's code stands in that of a class body.
func (u *unit) inClassBody() bool {
	if u.graph == nil {
		return false
	}
	for u.graph != nil {
		u = u.outer
	}
	return isClassBody(u.code)
}

// putsAsideEveryName reports whether what is put aside for a comprehension may be a name that it only reads.
func (u *unit) putsAsideEveryName() bool {
	return u.code.Version.PutsAsideEveryName() && u.inClassBody()
}

// mentions reports whether a name stands anywhere in an expression.
func mentions(e pyast.Expr, name string) bool {
	found := false
	pyast.Inspect(e, func(n pyast.Node) bool {
		x, ok := n.(*pyast.Name)
		found = found || ok && x.Id == name
		return !found
	})
	return found
}

// cells are the variables of the comprehension that functions in it capture.
func (u *unit) cells() []string {
	if u.graph != nil {
		return u.graph.Cells
	}
	var out []string
	for _, n := range u.code.CellVars() {
		out = append(out, u.unmangleName(n))
	}
	return out
}

// comprehensionParts are the clauses of a comprehension and the place of what it makes, of a dict the value; not
// ok for another expression.
func comprehensionParts(e pyast.Node) (clauses []*pyast.Comprehension, made *pyast.Expr, ok bool) {
	switch x := e.(type) {
	case *pyast.ListComp:
		return x.Generators, &x.Elt, true
	case *pyast.SetComp:
		return x.Generators, &x.Elt, true
	case *pyast.DictComp:
		return x.Generators, &x.Value, true
	case *pyast.GeneratorExp:
		return x.Generators, &x.Elt, true
	}
	return nil, nil, false
}

// leavesNone reports whether a condition of a comprehension is False, which leaves no element.
func leavesNone(clauses []*pyast.Comprehension) bool {
	return slices.ContainsFunc(clauses, func(g *pyast.Comprehension) bool {
		return slices.ContainsFunc(g.Ifs, func(x pyast.Expr) bool { return pyast.Equal(x, pyast.Bool(false)) })
	})
}

// comprehension turns the nested loops of a comprehension's body into clauses.
func (u *unit) comprehension(kind string, list []pyast.Stmt, iter pyast.Expr) (pyast.Expr, error) {
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
			g.Ifs = append(append(g.Ifs, pyast.Bool(false)), u.deadReads(gens)...)
			gens = append(gens, u.deadClauses(gens)...)
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
			} else {
				g.Iter = keptItem(g.Iter, u.code.Version)
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

// What code behind a false condition of a comprehension does with a variable.
const (
	notDead   = iota
	deadBound // by a clause of the comprehension
	deadApart // by a comprehension inside of it
	deadUses  // how many there are
)

// The decisions about such code, of which the compiler has left nothing but the variables.
const (
	deadTarget choice.Kind = "what code that is left out does with a variable"
	deadRead   choice.Kind = "that code that is left out reads a variable"
	deadOrder  choice.Kind = "that code that is left out has the variables in another order"
)

// behindAll is a place as far as can be from where any text and its code part: what is decided there is tried last.
const behindAll = math.MaxInt32

// decisions are those about the unit's code.
func (u *unit) decisions() *choice.Run {
	if u.graph != nil {
		return u.graph.Choices // of the code around it
	}
	return u.choices()
}

// deadReads are names that only code behind the false condition of a comprehension reads: with it, the compiler takes
// what other comprehensions inside read for the same, and not for variables that one of them has.
func (u *unit) deadReads(gens []*pyast.Comprehension) (out []pyast.Expr) {
	if !u.code.Version.InlinesComprehensions() {
		return nil
	}
	own, comprised, reads := namesIn(loops(gens))
	for _, name := range slices.Sorted(maps.Keys(comprised)) {
		if !own[name] && !reads[name] && u.decisions().Either(deadRead, -1, u.readsGlobal(name)) {
			out = append(out, pyast.N(name))
		}
	}
	return out
}

// deadClauses are clauses behind a condition that is false: the compiler leaves out their
// loops, but not their targets, nor that one of them was asynchronous, nor that what a comprehension
// inside of this one stores is a name from outside here.
func (u *unit) deadClauses(gens []*pyast.Comprehension) []*pyast.Comprehension {
	targets := u.targets()
	own, inner, outside := u.boundIn(gens, targets)
	_, _, reads := namesIn(loops(gens))
	kinds := make([]int, len(targets))
	last := -1 // of the variables that belong to the comprehension itself
	for i, name := range targets {
		switch {
		case own[name]:
			last = i
			continue
		case reads[name] && u.graph != nil && !inlinedReads(u.graph, name):
			kinds[i] = deadBound
		case u.putsAsideEveryName():
		case u.graph != nil && slices.Contains(u.graph.Cells, name):
			kinds[i] = deadBound // what a function inside captures is nobody else's
		case u.code.Version.InlinesComprehensions() && (u.readsGlobal(name) || u.graph == nil && slices.Contains(u.code.FreeVars(), name)):
			if !inner[name] {
				kinds[i] = deadApart
			}
		case !inner[name] || reads[name]:
			kinds[i] = deadBound
		}
		kinds[i] = (kinds[i] + u.decisions().Pick(deadTarget, -1, deadUses)) % deadUses
		if kinds[i] == deadBound {
			last = i
		}
	}
	var out []*pyast.Comprehension
	for i, name := range targets {
		c := overNothing(pyast.N(name))
		if kinds[i] == deadBound || u.graph != nil && i < last && inner[name] && !own[name] && kinds[i] != deadApart { // what it has from others comes behind its own
			out = append(out, c)
		}
	}
	async := u.graph == nil && u.code.Flags&(pyc.FlagCoroutine|pyc.FlagAsyncGenerator) != 0 &&
		!slices.ContainsFunc(gens, func(g *pyast.Comprehension) bool { return g.IsAsync })
	if len(out) == 0 && (async || len(outside) > 0) {
		out = append(out, overNothing(&pyast.Tuple{}))
	}
	if len(out) > 0 {
		out[0].IsAsync = async
		out[0].Iter.(*pyast.Tuple).Elts = outside
	}
	return out
}

// boundIn are the variables that clauses bind themselves, and those of comprehensions in them whose code stands in the
// clauses' own; outside are the names that those bind and the code takes from further out.
func (u *unit) boundIn(gens []*pyast.Comprehension, targets []string) (own, inner map[string]bool, outside []pyast.Expr) {
	own, inner = map[string]bool{".0": true}, map[string]bool{} // .0: in a class body
	for i, g := range gens {
		inside := *g
		if i == 0 {
			inside.Iter = &pyast.Tuple{} // computed outside
		}
		pyast.Inspect(&inside, func(n pyast.Node) bool {
			switch x := n.(type) {
			case *pyast.Lambda, *pyast.GeneratorExp:
				return false // variables of their own
			case *pyast.ListComp, *pyast.SetComp, *pyast.DictComp:
				return u.code.Version.InlinesComprehensions()
			case *pyast.Comprehension:
				for _, name := range targetNames(x.Target) {
					if x == &inside || slices.Contains(gens, x) {
						own[name] = true
						continue
					}
					inner[name] = true
					if !slices.Contains(targets, name) {
						outside = append(outside, pyast.N(name))
					}
				}
			case *pyast.NamedExpr:
				own[x.Target.(*pyast.Name).Id] = true
			}
			return true
		})
	}
	return own, inner, outside
}

// readsGlobal reports whether the code of a comprehension, or of a function in a comprehension, reads
// a global variable of this name: what binds the name is another comprehension then, which the compiler has left out.
func (u *unit) readsGlobal(name string) bool {
	if slices.Contains(u.cells(), name) {
		return false
	}
	if u.graph != nil {
		return inlinedReads(u.graph, name) || madeRead(u.graph, name)
	}
	return readsGlobally(u.decoded(), name) || u.readGlobalInside(name)
}

// inlinedReads reports whether code of an inlined comprehension, or of one inside of it, reads a global variable.
func inlinedReads(g *cfg.Graph, name string) bool {
	return readsGlobally(g.Func.Instrs, name) || slices.ContainsFunc(g.Func.Instrs, func(in bytecode.Instr) bool {
		c, ok := in.Const.(*pyc.Code)
		return ok && g.Inlined[c] != nil && inlinedReads(g.Inlined[c], name)
	})
}

// madeRead reports whether a function that an inlined comprehension makes, or one inside of it, reads a global variable.
func madeRead(g *cfg.Graph, name string) bool {
	return slices.ContainsFunc(g.Func.Instrs, func(in bytecode.Instr) bool {
		c, ok := in.Const.(*pyc.Code)
		switch {
		case !ok:
			return false
		case g.Inlined[c] != nil:
			return madeRead(g.Inlined[c], name)
		}
		return slices.ContainsFunc(c.All(), func(c *pyc.Code) bool { return readsAsGlobal(c, name) })
	})
}

// readGlobalInside reports whether a function inside reads a global variable of this name.
func (u *unit) readGlobalInside(name string) bool {
	return u.code.HasInner(func(c *pyc.Code) bool { return readsAsGlobal(c, name) })
}

// readsAsGlobal reports whether a code object reads a global variable of this name. A class that stores the name reads its own.
func readsAsGlobal(c *pyc.Code, name string) bool {
	if !slices.Contains(c.Names, name) {
		return false
	}
	f, err := bytecode.Decode(c)
	return err == nil && readsGlobally(f.Instrs, name) && !storesOwn(f.Instrs, name)
}

func readsGlobally(instrs []bytecode.Instr, name string) bool {
	return slices.ContainsFunc(instrs, func(in bytecode.Instr) bool {
		return in.Name == name && (in.Op == opcode.LoadGlobal || in.Op == opcode.LoadName)
	})
}

func storesOwn(instrs []bytecode.Instr, name string) bool {
	return slices.ContainsFunc(instrs, func(in bytecode.Instr) bool { return in.Name == name && in.Op == opcode.StoreName })
}

// loops are the clauses as statements. What the first one loops over is computed outside of the comprehension.
func loops(gens []*pyast.Comprehension) []pyast.Stmt {
	var body []pyast.Stmt
	for i, g := range slices.Backward(gens) {
		for _, test := range slices.Backward(g.Ifs) {
			body = append([]pyast.Stmt{pyast.ES(test)}, body...)
		}
		iter := g.Iter
		if i == 0 {
			iter = &pyast.Tuple{}
		}
		body = []pyast.Stmt{&pyast.For{Target: g.Target, Iter: iter, Body: body}}
	}
	return body
}

// targetNames are the variables that a target stores.
func targetNames(target pyast.Expr) (names []string) {
	eachPart(target, func(e pyast.Expr) {
		if n, ok := e.(*pyast.Name); ok {
			names = append(names, n.Id)
		}
	})
	return names
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

// singleItem makes the clause `for y in [f(x)]` of an assignment, behind which nothing stands if the
// clause has a false condition: since 3.9 the compiler writes no loop over one item.
func singleItem(list []pyast.Stmt) *pyast.Comprehension {
	if len(list) == 0 {
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
