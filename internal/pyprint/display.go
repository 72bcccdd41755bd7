package pyprint

import "github.com/thuml/depyf/internal/pyast"

// Displays, comprehensions, calls, subscripts and parameters: everything that
// is a list in brackets.

// tuple emits the items of a tuple. A tuple of one item or none needs its own
// parentheses only in the second case; the caller cares for the rest.
func (p *printer) tuple(elts []pyast.Expr, enclosed bool) {
	if len(elts) == 0 {
		p.bracket("(", ")", fDisplay, func() {})
		return
	}
	// `x := 1, 2` is a tuple only inside parentheses.
	p.items(elts, p.named(enclosed && p.g.walrus()))
	if len(elts) == 1 {
		// This comma makes the tuple; it is no place to break a line.
		p.text(",")
	}
}

func (p *printer) set(elts []pyast.Expr) {
	if len(elts) == 0 {
		// {} is a dict.
		p.text("{*()}")
		return
	}
	p.bracket("{", "}", fDisplay, func() { p.items(elts, p.named(p.g.walrusInSubscript())) })
}

func (p *printer) dict(e *pyast.Dict) {
	if len(e.Keys) != len(e.Values) {
		p.problem("dict with %d keys and %d values", len(e.Keys), len(e.Values))
	}
	p.bracket("{", "}", fDisplay, func() {
		for i, v := range e.Values {
			if i > 0 {
				p.comma()
			}
			if i >= len(e.Keys) || e.Keys[i] == nil {
				p.text("**")
				p.expr(v, precBitOr)
				continue
			}
			p.expr(e.Keys[i], precTest)
			p.text(":")
			p.space()
			p.expr(v, precTest)
		}
	})
}

func (p *printer) comp(elt pyast.Expr, ctx prec, gens []*pyast.Comprehension) {
	if _, ok := elt.(*pyast.Starred); ok {
		p.require(p.g.starInComprehension(), "unpacking in comprehensions")
	}
	p.item(elt, ctx)
	p.generators(gens)
}

func (p *printer) dictComp(e *pyast.DictComp) {
	p.bracket("{", "}", fDisplay, func() {
		if e.Key == nil {
			p.require(p.g.starInComprehension(), "unpacking in comprehensions")
			p.text("**")
			p.expr(e.Value, precBitOr)
		} else {
			p.expr(e.Key, precTest)
			p.text(":")
			p.space()
			p.expr(e.Value, precTest)
		}
		p.generators(e.Generators)
	})
}

func (p *printer) generators(gens []*pyast.Comprehension) {
	if len(gens) == 0 {
		p.problem("comprehension without a for")
	}
	for _, g := range gens {
		if g == nil {
			p.problem("missing comprehension")
			continue
		}
		if g.IsAsync {
			p.word("async", prioComp)
			p.word("for", 0)
		} else {
			p.word("for", prioComp)
		}
		p.quiet++
		p.target(g.Target)
		p.quiet--
		p.word("in", 0)
		p.expr(thawed(g.Iter), precOr)
		for _, c := range g.Ifs {
			p.word("if", prioComp)
			p.expr(c, precOr)
		}
	}
}

// target emits an assignment target; a tuple needs no parentheses unless it is
// empty or has one item, where a lone comma is easily overlooked.
func (p *printer) target(e pyast.Expr) {
	ctx := precTuple
	if n, ok := isTuple(e); ok && n == 1 {
		ctx = precTest
	}
	p.item(e, ctx)
}

func (p *printer) call(e *pyast.Call) {
	p.expr(e.Func, precAtom)
	p.bracket("(", ")", 0, func() {
		if len(e.Args) == 1 && len(e.Keywords) == 0 {
			if g, ok := e.Args[0].(*pyast.GeneratorExp); ok {
				p.comp(g.Elt, precTest, g.Generators)
				return
			}
			p.sole = len(p.toks)
		}
		p.arguments(e.Args, e.Keywords)
	})
}

func (p *printer) arguments(args []pyast.Expr, kws []*pyast.Keyword) {
	p.items(args, p.named(p.g.walrus()))
	for i, k := range kws {
		if i+len(args) > 0 {
			p.comma()
		}
		if k == nil {
			p.problem("missing keyword argument")
			continue
		}
		if k.Arg == "" {
			p.text("**")
			p.expr(k.Value, precBitOr)
			continue
		}
		p.name(k.Arg)
		p.text("=")
		p.expr(k.Value, precTest)
	}
}

// index emits what stands between the brackets of a subscript.
func (p *printer) index(e pyast.Expr) {
	e = p.unfrozenIndex(e)
	ctx := p.named(p.g.walrusInSubscript())
	t, ok := e.(*pyast.Tuple)
	if !ok || len(t.Elts) == 0 {
		p.indexItem(e, ctx)
		return
	}
	slices := false
	for _, x := range t.Elts {
		if _, ok := x.(*pyast.Slice); ok {
			slices = true
		}
	}
	star := hasStar(t)
	if star && !p.g.starInSubscript() {
		p.require(!slices, "* next to a slice in a subscript")
		if !slices {
			p.expr(t, precTest)
			return
		}
	}
	if len(t.Elts) == 1 && !slices && !star {
		p.expr(t, precTest) // a[(x,)] rather than a[x,]
		return
	}
	for i, x := range t.Elts {
		if i > 0 {
			p.comma()
		}
		p.indexItem(x, ctx)
	}
	if len(t.Elts) == 1 && !star {
		p.text(",")
	}
}

func (p *printer) indexItem(e pyast.Expr, ctx prec) {
	s, ok := e.(*pyast.Slice)
	if !ok {
		p.item(e, ctx)
		return
	}
	// black treats the colon as an operator of lowest priority: blanks around
	// it unless both sides are simple, never next to a bracket or comma.
	wide := !simpleBound(s.Lower) || !simpleBound(s.Upper) || !simpleBound(s.Step)
	part := func(e pyast.Expr, first bool) {
		if !first {
			if wide && p.last() != nil && !p.last().is(":") && p.last().kind != kOpen && p.last().kind != kComma {
				p.space()
			}
			p.text(":")
		}
		if e != nil {
			if !first && wide {
				p.space()
			}
			p.expr(e, precTest)
		}
	}
	part(s.Lower, true)
	part(s.Upper, false)
	if s.Step != nil {
		part(s.Step, false)
	}
}

// simpleBound reports slice bounds that black writes without blanks: names,
// literals and signed literals.
func simpleBound(e pyast.Expr) bool {
	switch e := e.(type) {
	case nil, *pyast.Name, *pyast.Constant:
		return true
	case *pyast.UnaryOp:
		return e.Op != pyast.Not && simpleBound(e.Operand)
	}
	return false
}

// params emits a parameter list without its parentheses.
func (p *printer) params(a *pyast.Arguments, annotated bool) {
	if a == nil {
		return
	}
	n := 0
	sep := func() {
		if n > 0 {
			p.comma()
		}
		n++
	}
	param := func(prefix string, arg *pyast.Arg, def pyast.Expr) {
		sep()
		if arg == nil {
			p.problem("missing parameter")
			return
		}
		if prefix != "" {
			p.text(prefix)
		}
		p.name(arg.Arg)
		hasAnn := annotated && arg.Annotation != nil
		if hasAnn {
			p.text(":")
			p.space()
			if _, ok := arg.Annotation.(*pyast.Starred); ok {
				p.require(p.g.starInSubscript(), "starred annotations")
			}
			p.item(arg.Annotation, precTest)
		}
		if def != nil {
			if hasAnn {
				p.word("=", 0)
			} else {
				p.text("=")
			}
			p.expr(def, precTest)
		}
	}
	positional := len(a.PosOnlyArgs) + len(a.Args)
	firstDefault := positional - len(a.Defaults)
	if firstDefault < 0 {
		p.problem("more defaults than parameters")
		firstDefault = 0
	}
	for i := range positional {
		var def pyast.Expr
		if i >= firstDefault && i-firstDefault < len(a.Defaults) {
			def = a.Defaults[i-firstDefault]
		}
		if i < len(a.PosOnlyArgs) {
			param("", a.PosOnlyArgs[i], def)
			if i == len(a.PosOnlyArgs)-1 {
				p.require(p.g.positionalOnly(), "positional-only parameters")
				sep()
				p.text("/")
			}
		} else {
			param("", a.Args[i-len(a.PosOnlyArgs)], def)
		}
	}
	if a.VarArg != nil {
		param("*", a.VarArg, nil)
	} else if len(a.KwOnlyArgs) > 0 {
		sep()
		p.text("*")
	}
	for i, arg := range a.KwOnlyArgs {
		var def pyast.Expr
		if i < len(a.KwDefaults) {
			def = a.KwDefaults[i]
		}
		param("", arg, def)
	}
	if a.KwArg != nil {
		param("**", a.KwArg, nil)
	}
}
