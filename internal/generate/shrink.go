package generate

import (
	"github.com/thuml/depyf/internal/pyast"
)

// Shrink makes a program smaller as long as it fails in the same way: plainer layout,
// statements left out, bodies in the place of the statements around them, parts in the
// place of expressions, names in the place of everything else. judge decides, at most so
// many times.
func Shrink(judge func(*Program) Outcome, p *Program, want Outcome, tries int) (*Program, Outcome) {
	s := &shrinker{judge: judge, best: p, outcome: want, tries: tries}
	for _, plain := range []func(*Layout){
		func(l *Layout) { l.Optimize = 0 },
		func(l *Layout) { l.OneLine = false },
		func(l *Layout) { l.Indent = printed },
		func(l *Layout) { l.Width = 88 },
	} {
		l := s.best.Layout
		if plain(&l); l != s.best.Layout {
			s.try(&Program{Kind: p.Kind, Seed: p.Seed, Module: s.best.Module, Layout: l})
		}
	}
	for s.round() {
	}
	return s.best, s.outcome
}

type shrinker struct {
	judge   func(*Program) Outcome
	best    *Program
	outcome Outcome
	tries   int
}

// try keeps a candidate that still fails in the same way.
func (s *shrinker) try(p *Program) bool {
	if s.tries--; s.tries < 0 {
		return false
	}
	got := s.judge(p)
	if !got.same(s.outcome) {
		return false
	}
	s.best, s.outcome = p, got
	return true
}

// edit tries one change of a copy of the best tree; change reports false where there
// is nothing to change.
func (s *shrinker) edit(change func(*pyast.Module) bool) bool {
	m := pyast.Clone(s.best.Module)
	if s.tries <= 0 || !change(m) {
		return false
	}
	before := size(s.best.Module)
	if size(m) > before {
		return false
	}
	return s.try(&Program{Kind: s.best.Kind, Seed: s.best.Seed, Module: m, Layout: s.best.Layout})
}

// round tries every change once; it reports whether one was kept.
func (s *shrinker) round() bool {
	any := false
	kept := func(change func(*pyast.Module) bool) bool {
		ok := s.edit(change)
		any = any || ok
		return ok
	}
	// Statements: left out, or replaced by a body of theirs.
	for b := 0; b < len(find(s.best.Module).blocks) && s.tries > 0; b++ {
		// What was kept may have taken away this block.
		at := func(m *pyast.Module) *[]pyast.Stmt {
			if all := find(m).blocks; b < len(all) {
				return all[b]
			}
			return new([]pyast.Stmt)
		}
		n := len(*at(s.best.Module))
		for i := n - 1; i >= 0 && s.tries > 0; i-- {
			if kept(func(m *pyast.Module) bool { return cut(at(m), i) }) {
				continue
			}
			for k := range 8 {
				if !kept(func(m *pyast.Module) bool { return hoist(at(m), i, k) }) {
					continue
				}
				break
			}
		}
	}
	// Parts of statements that may be missing, and expressions.
	for k := 0; s.tries > 0; k++ {
		if k >= len(optional(s.best.Module)) {
			break
		}
		kept(func(m *pyast.Module) bool {
			if all := optional(m); k < len(all) {
				all[k]()
				return true
			}
			return false
		})
	}
	for k := len(find(s.best.Module).exprs) - 1; k >= 0 && s.tries > 0; k-- {
		for _, with := range smaller(find(s.best.Module).exprs, k) {
			if kept(func(m *pyast.Module) bool {
				all := find(m).exprs
				if k >= len(all) {
					return false
				}
				replace(m, all[k], pyast.Clone(with))
				return true
			}) {
				break
			}
		}
	}
	return any && s.tries > 0
}

func size(n pyast.Node) int {
	k := 0
	pyast.Inspect(n, func(pyast.Node) bool { k++; return true })
	return k
}

// cut leaves out statement i of a block, or makes it a pass.
func cut(b *[]pyast.Stmt, i int) bool {
	if i >= len(*b) {
		return false
	}
	if len(*b) == 1 {
		if _, ok := (*b)[0].(*pyast.Pass); ok {
			return false
		}
		(*b)[0] = &pyast.Pass{}
		return true
	}
	*b = append(append([]pyast.Stmt(nil), (*b)[:i]...), (*b)[i+1:]...)
	return true
}

// hoist puts body k of statement i into its place.
func hoist(b *[]pyast.Stmt, i, k int) bool {
	if i >= len(*b) {
		return false
	}
	var bodies [][]pyast.Stmt
	pyast.Blocks((*b)[i], func(inner *[]pyast.Stmt) { bodies = append(bodies, *inner) })
	if k >= len(bodies) || len(bodies[k]) == 0 {
		return false
	}
	*b = append(append(append([]pyast.Stmt(nil), (*b)[:i]...), bodies[k]...), (*b)[i+1:]...)
	return true
}

// smaller lists what may stand in the place of an expression: its parts, or a name.
func smaller(all []pyast.Expr, k int) []pyast.Expr {
	if k >= len(all) {
		return nil
	}
	switch e := all[k].(type) {
	case *pyast.Name:
		if e.Id == "a" {
			return nil
		}
		return []pyast.Expr{pyast.N("a")}
	case *pyast.Constant:
		return []pyast.Expr{pyast.N("a")}
	}
	out := []pyast.Expr{pyast.N("a"), pyast.Int(1)}
	inside := map[pyast.Expr]bool{}
	pyast.Children(all[k], func(n pyast.Node) {
		if e, ok := n.(pyast.Expr); ok {
			inside[e] = true
		}
	})
	for _, e := range all[:k] {
		if inside[e] {
			out = append(out, e)
		}
	}
	return out
}

// optional lists how to leave out each part of the tree that may be missing.
func optional(m *pyast.Module) (list []func()) {
	expr := func(e *pyast.Expr) {
		if *e != nil {
			list = append(list, func() { *e = nil })
		}
	}
	block := func(b *[]pyast.Stmt) {
		if len(*b) > 0 {
			list = append(list, func() { *b = nil })
		}
	}
	pyast.Inspect(m, func(n pyast.Node) bool {
		switch n := n.(type) {
		case *pyast.FunctionDef:
			each(&list, &n.DecoratorList, 0)
			each(&list, &n.TypeParams, 0)
			expr(&n.Returns)
			if n.IsAsync {
				list = append(list, func() { n.IsAsync = false })
			}
		case *pyast.ClassDef:
			each(&list, &n.DecoratorList, 0)
			each(&list, &n.TypeParams, 0)
			each(&list, &n.Bases, 0)
			each(&list, &n.Keywords, 0)
		case *pyast.Arguments:
			arguments(&list, n)
		case *pyast.Arg:
			expr(&n.Annotation)
		case *pyast.Return:
			expr(&n.Value)
		case *pyast.Raise:
			expr(&n.Cause)
		case *pyast.Assert:
			expr(&n.Msg)
		case *pyast.AnnAssign:
			expr(&n.Value)
		case *pyast.Assign:
			each(&list, &n.Targets, 1)
			for i := range n.Targets {
				if _, ok := n.Targets[i].(*pyast.Name); !ok {
					list = append(list, func() { n.Targets[i] = pyast.N("x") })
				}
			}
		case *pyast.Delete:
			each(&list, &n.Targets, 1)
		case *pyast.For:
			block(&n.OrElse)
			if _, ok := n.Target.(*pyast.Name); !ok {
				list = append(list, func() { n.Target = pyast.N("x") })
			}
		case *pyast.While:
			block(&n.OrElse)
		case *pyast.If:
			block(&n.OrElse)
		case *pyast.Try:
			block(&n.OrElse)
			if len(n.Handlers) > 0 {
				block(&n.FinalBody)
			}
			if len(n.FinalBody) > 0 {
				each(&list, &n.Handlers, 0)
			}
			each(&list, &n.Handlers, 1)
			if n.IsStar {
				list = append(list, func() { n.IsStar = false })
			}
		case *pyast.ExceptHandler:
			if n.Name != "" {
				list = append(list, func() { n.Name = "" })
			} else {
				expr(&n.Type)
			}
		case *pyast.With:
			each(&list, &n.Items, 1)
		case *pyast.WithItem:
			expr(&n.OptionalVars)
		case *pyast.Match:
			each(&list, &n.Cases, 1)
		case *pyast.MatchCase:
			expr(&n.Guard)
			if _, ok := n.Pattern.(*pyast.MatchValue); !ok {
				list = append(list, func() { n.Pattern = &pyast.MatchValue{Value: pyast.Int(1)} })
			}
		case *pyast.MatchSequence:
			each(&list, &n.Patterns, 0)
		case *pyast.MatchOr:
			each(&list, &n.Patterns, 2)
		case *pyast.MatchClass:
			each(&list, &n.Patterns, 0)
		case *pyast.MatchAs:
			if n.Pattern != nil {
				list = append(list, func() { n.Pattern = nil })
			}
		case *pyast.Call:
			each(&list, &n.Args, 0)
			each(&list, &n.Keywords, 0)
		case *pyast.BoolOp:
			each(&list, &n.Values, 2)
		case *pyast.Compare:
			if len(n.Ops) > 1 {
				list = append(list, func() { n.Ops, n.Comparators = n.Ops[1:], n.Comparators[1:] })
			}
		case *pyast.Tuple:
			each(&list, &n.Elts, 0)
		case *pyast.List:
			each(&list, &n.Elts, 0)
		case *pyast.Set:
			each(&list, &n.Elts, 1)
		case *pyast.Dict:
			for i := range n.Values {
				list = append(list, func() {
					n.Keys = append(append([]pyast.Expr(nil), n.Keys[:i]...), n.Keys[i+1:]...)
					n.Values = append(append([]pyast.Expr(nil), n.Values[:i]...), n.Values[i+1:]...)
				})
			}
		case *pyast.Comprehension:
			each(&list, &n.Ifs, 0)
		case *pyast.ListComp:
			each(&list, &n.Generators, 1)
		case *pyast.SetComp:
			each(&list, &n.Generators, 1)
		case *pyast.DictComp:
			each(&list, &n.Generators, 1)
		case *pyast.GeneratorExp:
			each(&list, &n.Generators, 1)
		case *pyast.JoinedStr:
			each(&list, &n.Values, 0)
		case *pyast.FormattedValue:
			expr(&n.FormatSpec)
		}
		return true
	})
	return list
}

func arguments(list *[]func(), a *pyast.Arguments) {
	if len(a.Defaults) > 0 {
		*list = append(*list, func() { a.Defaults = a.Defaults[1:] })
	} else {
		each(list, &a.PosOnlyArgs, 0)
		each(list, &a.Args, 0)
	}
	if a.VarArg != nil && len(a.KwOnlyArgs) == 0 {
		*list = append(*list, func() { a.VarArg = nil })
	}
	if a.KwArg != nil {
		*list = append(*list, func() { a.KwArg = nil })
	}
	if len(a.KwOnlyArgs) > 0 {
		*list = append(*list, func() { a.KwOnlyArgs, a.KwDefaults = a.KwOnlyArgs[1:], a.KwDefaults[1:] })
	}
}

// each lists how to leave out each item of a list that needs at least so many.
func each[T any](list *[]func(), items *[]T, least int) {
	if len(*items) <= least {
		return
	}
	for i := range *items {
		*list = append(*list, func() { *items = append(append([]T(nil), (*items)[:i]...), (*items)[i+1:]...) })
	}
}
