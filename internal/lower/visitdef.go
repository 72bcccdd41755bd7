package lower

import (
	"slices"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

func (t *table) function(f *pyast.FunctionDef) {
	t.def(f.Name, isLocal)
	t.defaults(f.Args)
	t.exprs(f.DecoratorList)
	if len(f.TypeParams) > 0 {
		t.typeParams(f, f.Name, f.TypeParams, func() {
			t.def(".defaults", isParam) // even where there are none: the parser's list is then empty
			if f.Args != nil && hasKwDefaults(f.Args) {
				t.def(".kwdefaults", isParam)
			}
		})
	}
	t.argAnnotations(f, f.Args, f.Returns)
	s := t.open(f, functionScope, f.Name)
	s.coroutine = f.IsAsync
	t.params(f.Args)
	t.inner(func() { t.stmts(f.Body) })
	t.close()
	if len(f.TypeParams) > 0 {
		t.close()
	}
}

func hasKwDefaults(a *pyast.Arguments) bool {
	for _, d := range a.KwDefaults {
		if d != nil {
			return true
		}
	}
	return false
}

func (t *table) defaults(a *pyast.Arguments) {
	if a == nil {
		return
	}
	t.exprs(a.Defaults)
	t.exprs(a.KwDefaults)
}

// argAnnotations visits the annotations of a signature.
func (t *table) argAnnotations(node *pyast.FunctionDef, a *pyast.Arguments, returns pyast.Expr) {
	list := annotated(t.v, a, returns)
	if !t.v.AnnotationsAreLazy() && (t.future || len(list) == 0) {
		return
	}
	if t.v.AnnotationsAreLazy() {
		outer := t.cur
		t.open(extraKey{node, "annotations"}, annotationScope, "__annotate__")
		t.def(".format", isParam|isUsed)
		if !t.future {
			t.classNames(outer)
		}
		defer t.close()
	}
	if t.future {
		return
	}
	for _, x := range list {
		t.expr(x.e)
	}
}

// noted is one annotation of a signature.
type noted struct {
	name string
	e    pyast.Expr
}

// annotated lists the annotations of a signature in the compiler's order.
func annotated(v pyc.Version, a *pyast.Arguments, returns pyast.Expr) (list []noted) {
	add := func(x *pyast.Arg) {
		if x != nil && x.Annotation != nil {
			list = append(list, noted{x.Arg, x.Annotation})
		}
	}
	if a != nil {
		first, second := a.Args, a.PosOnlyArgs
		if v.AnnotatesInOrder() {
			first, second = second, first
		}
		for _, x := range slices.Concat(first, second) {
			add(x)
		}
		add(a.VarArg)
		for _, x := range a.KwOnlyArgs {
			add(x)
		}
		add(a.KwArg)
	}
	if returns != nil {
		list = append(list, noted{"return", returns})
	}
	return list
}

func (t *table) params(a *pyast.Arguments) {
	if a == nil {
		return
	}
	for _, x := range a.PosOnlyArgs {
		t.def(x.Arg, isParam)
	}
	for _, x := range a.Args {
		t.def(x.Arg, isParam)
	}
	for _, x := range a.KwOnlyArgs {
		t.def(x.Arg, isParam)
	}
	if a.VarArg != nil {
		t.def(a.VarArg.Arg, isParam)
	}
	if a.KwArg != nil {
		t.def(a.KwArg.Arg, isParam)
	}
}

func (t *table) class(c *pyast.ClassDef) {
	t.def(c.Name, isLocal)
	t.exprs(c.DecoratorList)
	if len(c.TypeParams) > 0 {
		t.typeParams(c, c.Name, c.TypeParams, func() {
			t.cur.class = c.Name
			if t.v.HasTypeParamDefaults() {
				t.cur.only = names{}
				for _, p := range c.TypeParams {
					t.cur.only[p.ParamName()] = true
				}
			}
			t.def(".type_params", isLocal|isUsed)
			t.def(".generic_base", isLocal|isUsed)
		})
	}
	t.exprs(c.Bases)
	for _, k := range c.Keywords {
		t.expr(k.Value)
	}
	s := t.open(c, classScope, c.Name)
	s.class = c.Name
	if len(c.TypeParams) > 0 {
		t.def("__type_params__", isLocal)
		t.defIn(s, ".type_params", isUsed)
	}
	t.inner(func() { t.stmts(c.Body) })
	t.close()
	if len(c.TypeParams) > 0 {
		t.close()
	}
}

func (t *table) alias(s *pyast.TypeAlias) {
	t.store(s.Name)
	name := ""
	if n, ok := s.Name.(*pyast.Name); ok {
		name = n.Id
	}
	if len(s.TypeParams) > 0 {
		t.typeParams(s, name, s.TypeParams, nil)
	}
	t.valueScope(extraKey{s, "value"}, name, s.Value)
	if len(s.TypeParams) > 0 {
		t.close()
	}
}

// valueScope visits an expression that is computed when it is asked for.
func (t *table) valueScope(key extraKey, name string, e pyast.Expr) {
	outer := t.cur
	t.open(key, typeScope, name)
	t.cur.named = key.what == "value" && !t.v.AnnotationsAreLazy()
	if t.v.AnnotationsAreLazy() {
		t.def(".format", isParam|isUsed)
	}
	t.classNames(outer)
	t.expr(e)
	t.close()
}

// typeParams opens the scope of type parameters, which the caller closes.
func (t *table) typeParams(node any, name string, list []pyast.TypeParam, more func()) {
	outer := t.cur
	t.open(extraKey{node, "type params"}, typeParamScope, "<generic parameters of "+name+">")
	t.classNames(outer)
	if more != nil {
		more()
	}
	for _, p := range list {
		switch p := p.(type) {
		case *pyast.TypeVar:
			t.def(p.Name, isTypeParam|isLocal)
			if p.Bound != nil {
				t.valueScope(extraKey{p, "bound"}, p.Name, p.Bound)
			}
			if p.DefaultValue != nil {
				t.valueScope(extraKey{p, "default"}, p.Name, p.DefaultValue)
			}
		case *pyast.ParamSpec:
			t.def(p.Name, isTypeParam|isLocal)
			if p.DefaultValue != nil {
				t.valueScope(extraKey{p, "default"}, p.Name, p.DefaultValue)
			}
		case *pyast.TypeVarTuple:
			t.def(p.Name, isTypeParam|isLocal)
			if p.DefaultValue != nil {
				t.valueScope(extraKey{p, "default"}, p.Name, p.DefaultValue)
			}
		}
	}
}
