package lower

import (
	"github.com/thuml/depyf/internal/pyast"
)

func (t *table) exprs(list []pyast.Expr) {
	for _, e := range list {
		t.expr(e)
	}
}

func (t *table) pattern(p pyast.Pattern) {
	switch p := p.(type) {
	case *pyast.MatchValue:
		t.expr(p.Value)
	case *pyast.MatchSequence:
		for _, q := range p.Patterns {
			t.pattern(q)
		}
	case *pyast.MatchMapping:
		t.exprs(p.Keys)
		for _, q := range p.Patterns {
			t.pattern(q)
		}
		if p.Rest != "" {
			t.def(p.Rest, isLocal)
		}
	case *pyast.MatchClass:
		t.expr(p.Cls)
		for _, q := range p.Patterns {
			t.pattern(q)
		}
		for _, q := range p.KwdPatterns {
			t.pattern(q)
		}
	case *pyast.MatchStar:
		if p.Name != "" {
			t.def(p.Name, isLocal)
		}
	case *pyast.MatchAs:
		if p.Pattern != nil {
			t.pattern(p.Pattern)
		}
		if p.Name != "" {
			t.def(p.Name, isLocal)
		}
	case *pyast.MatchOr:
		for _, q := range p.Patterns {
			t.pattern(q)
		}
	}
}

func (t *table) expr(e pyast.Expr) {
	switch e := e.(type) {
	case nil:
	case *pyast.BoolOp:
		t.exprs(e.Values)
	case *pyast.NamedExpr:
		n, _ := e.Target.(*pyast.Name)
		if t.iterables > 0 {
			giveUp("an assignment expression in what a comprehension loops over")
		}
		if n != nil && t.cur.comp != noComp { // it is sought in the scopes around first (symtable_handle_namedexpr)
			t.walrus(n.Id)
		}
		t.expr(e.Value)
		if n != nil && t.cur.comp == noComp {
			t.def(n.Id, isLocal)
		}
	case *pyast.BinOp:
		t.expr(e.Left)
		t.expr(e.Right)
	case *pyast.UnaryOp:
		t.expr(e.Operand)
	case *pyast.Lambda:
		t.defaults(e.Args)
		t.open(e, functionScope, "<lambda>")
		t.params(e.Args)
		t.inner(func() { t.expr(e.Body) })
		t.close()
	case *pyast.IfExp:
		t.expr(e.Test)
		t.expr(e.Body)
		t.expr(e.OrElse)
	case *pyast.Dict:
		t.exprs(e.Keys)
		t.exprs(e.Values)
	case *pyast.Set:
		t.exprs(e.Elts)
	case *pyast.ListComp:
		t.comprehension(e, listComp, "<listcomp>", e.Generators, e.Elt, nil)
	case *pyast.SetComp:
		t.comprehension(e, setComp, "<setcomp>", e.Generators, e.Elt, nil)
	case *pyast.DictComp:
		t.comprehension(e, dictComp, "<dictcomp>", e.Generators, e.Value, e.Key)
	case *pyast.GeneratorExp:
		t.comprehension(e, genExp, "<genexpr>", e.Generators, e.Elt, nil)
	case *pyast.Await:
		t.expr(e.Value)
		t.cur.coroutine = true
	case *pyast.Yield:
		t.expr(e.Value)
		t.cur.generator = true
	case *pyast.YieldFrom:
		t.expr(e.Value)
		t.cur.generator = true
	case *pyast.Compare:
		t.expr(e.Left)
		t.exprs(e.Comparators)
	case *pyast.Call:
		t.expr(e.Func)
		t.exprs(e.Args)
		for _, k := range e.Keywords {
			t.expr(k.Value)
		}
	case *pyast.FormattedValue:
		t.expr(e.Value)
		t.expr(e.FormatSpec)
	case *pyast.JoinedStr:
		t.exprs(e.Values)
	case *pyast.Interpolation:
		t.expr(e.Value)
		t.expr(e.FormatSpec)
	case *pyast.TemplateStr:
		t.exprs(e.Values)
	case *pyast.Attribute:
		t.expr(e.Value)
	case *pyast.Subscript:
		t.expr(e.Value)
		t.expr(e.Slice)
	case *pyast.Starred:
		t.expr(e.Value)
	case *pyast.Name:
		t.def(e.Id, isUsed)
		if e.Id == "super" && t.cur.functionLike() {
			t.def("__class__", isUsed)
		}
	case *pyast.List:
		t.exprs(e.Elts)
	case *pyast.Tuple:
		t.exprs(e.Elts)
	case *pyast.Slice:
		t.expr(e.Lower)
		t.expr(e.Upper)
		t.expr(e.Step)
	}
}

// walrus binds a name in the scope around all comprehensions, and around the annotation that they are in.
func (t *table) walrus(name string) {
	s := t.cur
	for s.comp != noComp || s.kind == annotationScope {
		s = s.parent
	}
	if s.kind == moduleScope || s.kind == functionScope && s.use(s.mangle(name))&isGlobal != 0 {
		t.def(name, isGlobal)
		if s.kind == moduleScope {
			t.defIn(s, name, isGlobal)
		}
		t.def(name, isLocal)
		return
	}
	t.def(name, isNonlocal|isLocal)
	t.defIn(s, name, isLocal)
}

// iterable visits what a comprehension loops over. No scope in it may hold an assignment expression (symtable_extend_namedexpr_scope
// refuses those, too, that would bind a variable of a comprehension around them or that stand in one in a class body).
func (t *table) iterable(e pyast.Expr) {
	t.iterables++
	t.expr(e)
	t.iterables--
}

func (t *table) comprehension(node any, k compKind, name string, gens []*pyast.Comprehension, elt, key pyast.Expr) {
	t.iterable(gens[0].Iter)
	s := t.open(node, functionScope, name)
	s.comp = k
	s.generator = k == genExp
	if gens[0].IsAsync {
		s.asyncFirst = true
		s.coroutine = true
	}
	t.def(".0", isParam|isUsed)
	t.store(gens[0].Target)
	t.exprs(gens[0].Ifs)
	for _, g := range gens[1:] {
		t.store(g.Target)
		t.iterable(g.Iter)
		t.exprs(g.Ifs)
		if g.IsAsync {
			s.coroutine = true
		}
	}
	t.expr(elt)
	t.expr(key) // behind the value (symtable_handle_comprehension)
	async := s.coroutine && k != genExp
	t.close()
	if async {
		t.cur.coroutine = true
	}
}
