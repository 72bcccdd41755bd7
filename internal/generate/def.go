package generate

import (
	"slices"

	"github.com/thuml/depyf/internal/pyast"
)

// parameters are those of a function, or of a lambda, which has no annotations.
func (g *generator) parameters(s scope, annotated bool) *pyast.Arguments {
	a := &pyast.Arguments{}
	plain := s
	plain.plain = true
	free := []string{"self", "a", "b", "c", "args", "kw", "x"}
	param := func() *pyast.Arg {
		i := g.IntN(len(free))
		p := &pyast.Arg{Arg: free[i]}
		free = slices.Delete(free, i, i+1)
		if annotated && g.chance(12) {
			p.Annotation = g.expr(plain, 1)
		}
		return p
	}
	for range g.IntN(4) {
		a.Args = append(a.Args, param())
	}
	if g.v.HasPosOnlyArgs() && g.chance(8) {
		a.PosOnlyArgs = append(a.PosOnlyArgs, param())
	}
	if n := len(a.Args); n > 0 && g.chance(25) {
		a.Defaults = g.exprs(s, 1, 1+g.IntN(n))
	}
	if g.chance(10) {
		a.VarArg = param()
	}
	if g.chance(10) {
		a.KwOnlyArgs = append(a.KwOnlyArgs, param())
		a.KwDefaults = append(a.KwDefaults, nil)
		if g.chance(50) {
			a.KwDefaults[0] = g.expr(s, 1)
		}
	}
	if g.chance(10) {
		a.KwArg = param()
	}
	return a
}

func paramNames(a *pyast.Arguments) (names []string) {
	pyast.Walk(a, func(n pyast.Node) bool {
		if p, ok := n.(*pyast.Arg); ok {
			names = append(names, p.Arg)
		}
		return true
	}, nil)
	return names
}

func (g *generator) decorators(s scope) (list []pyast.Expr) {
	for g.chance(12) {
		d := pick(g, []pyast.Expr{pyast.N("dec"), pyast.Attr(pyast.N("m"), "dec"), pyast.CallE(pyast.N("dec"), g.atom(s))})
		if g.v.HasAnyDecorator() && g.chance(20) {
			d = g.expr(s, 2)
		}
		list = append(list, d)
	}
	return list
}

// typeParams are the parameters of a generic function, class or alias, mostly none.
func (g *generator) typeParams(s scope) (list []pyast.TypeParam) {
	if !g.v.HasTypeParams() || !g.chance(15) {
		return nil
	}
	s.plain = true
	defaults := g.v.HasTypeParamDefaults() && g.chance(20)
	def := func() pyast.Expr {
		if defaults {
			return g.expr(s, 1)
		}
		return nil
	}
	for _, name := range []string{"T", "R"}[:1+g.IntN(2)] {
		t := &pyast.TypeVar{Name: name, DefaultValue: def()}
		if g.chance(25) {
			t.Bound = g.expr(s, 1)
		}
		list = append(list, t)
	}
	if g.chance(20) {
		list = append(list, &pyast.TypeVarTuple{Name: "Ts", DefaultValue: def()})
	}
	if g.chance(20) {
		list = append(list, &pyast.ParamSpec{Name: "P", DefaultValue: def()})
	}
	return list
}

func (g *generator) def(s scope) pyast.Stmt {
	f := &pyast.FunctionDef{Name: pick(g, []string{"f", "g", "h", "__m", "method"}), DecoratorList: g.decorators(s), IsAsync: g.chance(20)}
	f.TypeParams = g.typeParams(s)
	outside := s // defaults of a generic function stand in a scope of their own
	outside.plain = s.plain || len(f.TypeParams) > 0
	f.Args = g.parameters(outside, true)
	if g.chance(10) {
		plain := s
		plain.plain = true
		f.Returns = g.expr(plain, 1)
	}
	in := &frame{outer: s.fn, kind: functionFrame, async: f.IsAsync, yields: g.chance(20), global: map[string]bool{}, types: f.TypeParams}
	in.params = paramNames(f.Args)
	in.names = append(in.names, in.params...)
	inner := scope{fn: in, depth: min(s.depth, maxDepth-2)}
	f.Body = append(g.docstring(), g.declarations(in)...)
	for n := 1 + g.IntN(4); n > 0 && (len(f.Body) == 0 || g.left > 0); n-- {
		f.Body = append(f.Body, g.stmt(inner))
	}
	if last := g.leave(inner); last != nil {
		f.Body = append(f.Body, last)
	}
	if len(f.Body) == 0 {
		f.Body = []pyast.Stmt{&pyast.Pass{}}
	}
	return f
}

func (g *generator) docstring() []pyast.Stmt {
	if !g.chance(5) {
		return nil
	}
	return []pyast.Stmt{pyast.ES(pyast.Str(pick(g, []string{"doc", "a\n    b\n    "})))}
}

// declarations are global and nonlocal statements.
func (g *generator) declarations(fn *frame) (list []pyast.Stmt) {
	if g.chance(8) {
		name := pick(g, varNames)
		if shared := fn.outer.visible(); len(shared) > 0 && g.chance(40) {
			name = pick(g, shared)
		}
		if !slices.Contains(fn.params, name) {
			fn.global[name] = true
			list = append(list, &pyast.Global{Names: []string{name}})
			if g.chance(40) {
				list = append(list, g.readInside(name))
			}
		}
	}
	for out := fn.outer; out != nil && g.chance(40); out = out.outer {
		if out.kind != functionFrame || len(out.params) == 0 {
			continue
		}
		if name := pick(g, out.params); !slices.Contains(fn.params, name) && !fn.global[name] {
			fn.names = append(fn.names, name)
			list = append(list, &pyast.Nonlocal{Names: []string{name}})
			if g.chance(20) {
				list = append(list, boundAndCaptured(name))
			}
		}
		break
	}
	return list
}

// visible are the parameters, of types too, of the frames from f on.
func (f *frame) visible() (names []string) {
	for ; f != nil; f = f.outer {
		names = append(names, f.params...)
		for _, t := range f.types {
			names = append(names, t.ParamName())
		}
	}
	return names
}

// readInside is a statement in which code of its own that can declare nothing reads a variable.
func (g *generator) readInside(name string) pyast.Stmt {
	kinds := 2
	if g.v.HasTypeParams() {
		kinds = 4
	}
	read := pyast.N(name)
	switch g.IntN(kinds) {
	case 0:
		return pyast.AssignS(pyast.N("b"), &pyast.Lambda{Args: &pyast.Arguments{}, Body: read})
	case 1:
		return pyast.ES(&pyast.GeneratorExp{Elt: read, Generators: []*pyast.Comprehension{{Target: pyast.N("i"), Iter: pyast.N("a")}}})
	case 2:
		return &pyast.TypeAlias{Name: pyast.N("b"), Value: read}
	}
	return &pyast.FunctionDef{
		Name: "b", Args: &pyast.Arguments{}, TypeParams: []pyast.TypeParam{&pyast.TypeVar{Name: "B", Bound: read}},
		Body: []pyast.Stmt{&pyast.Pass{}},
	}
}

// boundAndCaptured is a statement in which a comprehension binds a name and a function beside it captures another
// variable of that name.
func boundAndCaptured(name string) pyast.Stmt {
	bound := &pyast.ListComp{Elt: pyast.N(name), Generators: []*pyast.Comprehension{{Target: pyast.N(name), Iter: pyast.N("a")}}}
	captured := &pyast.Lambda{Args: &pyast.Arguments{}, Body: pyast.N(name)}
	return pyast.AssignS(pyast.N("b"), &pyast.Tuple{Elts: []pyast.Expr{bound, captured}})
}

func (g *generator) class(s scope) pyast.Stmt {
	c := &pyast.ClassDef{Name: pick(g, []string{"C", "D", "_P"}), DecoratorList: g.decorators(s)}
	c.TypeParams = g.typeParams(s)
	outside := s
	outside.plain = s.plain || len(c.TypeParams) > 0
	if g.chance(40) {
		c.Bases, c.Keywords = g.arguments(outside, 1)
	}
	in := scope{fn: &frame{outer: s.fn, kind: classFrame, types: c.TypeParams}, depth: min(s.depth, maxDepth-2)}
	c.Body = g.docstring()
	for n := 1 + g.IntN(3); n > 0; n-- {
		if g.chance(50) && g.left > 0 {
			g.left--
			c.Body = append(c.Body, g.def(in))
		} else {
			c.Body = append(c.Body, g.stmt(in))
		}
	}
	return c
}
