package generate

import (
	"math"
	"math/big"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyprint"
)

// exprRule makes one kind of expression of at most a depth.
type exprRule struct {
	weight int
	legal  func(g *generator, s scope) bool // nil: everywhere
	make   func(g *generator, s scope, depth int) pyast.Expr
}

var exprRules []exprRule

func init() {
	always := func(*generator, scope) bool { return true }
	unquoted := func(_ *generator, s scope) bool { return !s.simple }
	exprRules = []exprRule{
		{14, always, (*generator).boolOp},
		{6, always, (*generator).ifExp},
		{8, always, (*generator).not},
		{10, always, (*generator).compare},
		{14, always, (*generator).call},
		{8, always, (*generator).binOp},
		{3, always, (*generator).unaryOp},
		{7, always, (*generator).attribute},
		{7, always, (*generator).subscript},
		{7, unquoted, (*generator).display},
		{8, unquoted, (*generator).comprehension},
		{4, unquoted, (*generator).lambda},
		{4, unquoted, (*generator).fString},
		{2, func(g *generator, s scope) bool { return g.v.HasTemplateStrings() && !s.simple }, (*generator).tString},
		{5, (*generator).walrusOK, (*generator).walrus},
		{8, func(_ *generator, s scope) bool { return s.fn.async && !s.plain && !s.simple }, (*generator).await},
		{5, func(_ *generator, s scope) bool { return s.fn.yields && !s.plain && !s.comp && !s.simple }, (*generator).yield},
	}
}

// expr is any expression.
func (g *generator) expr(s scope, depth int) pyast.Expr {
	if depth <= 0 || g.chance(30) {
		return g.atom(s)
	}
	total := 0
	for _, r := range exprRules {
		if r.legal(g, s) {
			total += r.weight
		}
	}
	n := g.IntN(total)
	for _, r := range exprRules {
		if !r.legal(g, s) {
			continue
		}
		if n -= r.weight; n < 0 {
			return r.make(g, s, depth-1)
		}
	}
	panic("unreachable")
}

// operand is an expression whose truth matters: rarely a constant, which the compiler
// folds together with what is around it.
func (g *generator) operand(s scope, depth int) pyast.Expr {
	e := g.expr(s, depth)
	if _, ok := e.(*pyast.Constant); ok && !g.chance(15) {
		return g.name(s)
	}
	return e
}

// exprs are so many expressions.
func (g *generator) exprs(s scope, depth, n int) []pyast.Expr {
	out := make([]pyast.Expr, n)
	for i := range out {
		out[i] = g.expr(s, depth)
	}
	return out
}

// test is an expression as people write it behind if and while.
func (g *generator) test(s scope) pyast.Expr {
	switch n := g.IntN(100); {
	case n < 30:
		return g.name(s)
	case n < 45:
		return g.compare(s, 1)
	case n < 65:
		return g.boolOp(s, 2)
	case n < 75:
		return g.not(s, 2)
	case n < 80:
		return g.call(s, 1)
	case n < 83:
		return pick(g, []pyast.Expr{pyast.Bool(true), pyast.Int(1), pyast.Bool(false), pyast.Int(0), pyast.None(), pyast.Str("a")})
	}
	return g.expr(s, 3)
}

func (g *generator) atom(s scope) pyast.Expr {
	if s.simple || g.chance(70) {
		return g.name(s)
	}
	return g.constant()
}

func (g *generator) constant() *pyast.Constant {
	switch g.IntN(14) {
	case 0:
		return pyast.None()
	case 1:
		return pyast.Bool(g.chance(50))
	case 2:
		return pyast.Str(pick(g, []string{"", "a", "b c", "{}", "it's", "%s", "é", "a\nb"}))
	case 3:
		return pyast.Const(pyc.Bytes(pick(g, []string{"", "x", "\x00"})))
	case 4:
		return pyast.Const(pyc.Float{Bits: math.Float64bits(pick(g, []float64{0, 1.5, 1e100, 1}))})
	case 5:
		return pyast.Const(pyc.Ellipsis{})
	case 6:
		big := new(big.Int).Lsh(big.NewInt(1), uint(20+g.IntN(80)))
		return pyast.Const(pyc.Int{Big: big})
	case 7, 8:
		return pyast.Str(pick(g, []string{"s", "key", "name"}))
	}
	return pyast.Int(int64(pick(g, []int{0, 1, 2, 3, 10, 255, 256, 1000})))
}

func (g *generator) boolOp(s scope, depth int) pyast.Expr {
	b := &pyast.BoolOp{Op: pyast.BoolOpKind(g.IntN(2)), Values: make([]pyast.Expr, 2+g.IntN(2))}
	for i := range b.Values {
		b.Values[i] = g.operand(s, depth)
	}
	return b
}

func (g *generator) ifExp(s scope, depth int) pyast.Expr {
	return &pyast.IfExp{Test: g.operand(s, depth), Body: g.expr(s, depth), OrElse: g.expr(s, depth)}
}

func (g *generator) not(s scope, depth int) pyast.Expr { return pyast.NotE(g.operand(s, depth)) }

func (g *generator) compare(s scope, depth int) pyast.Expr {
	c := &pyast.Compare{Left: g.expr(s, depth)}
	for n := 1 + g.IntN(5)/3; n > 0; n-- {
		op := pyast.CmpOpKind(g.IntN(10))
		c.Ops = append(c.Ops, op)
		if (op == pyast.Is || op == pyast.IsNot) && g.chance(60) {
			c.Comparators = append(c.Comparators, pyast.None())
		} else {
			c.Comparators = append(c.Comparators, g.expr(s, depth))
		}
	}
	return c
}

func (g *generator) binOp(s scope, depth int) pyast.Expr {
	return &pyast.BinOp{Left: g.expr(s, depth), Op: pyast.BinOpKind(g.IntN(13)), Right: g.expr(s, depth)}
}

func (g *generator) unaryOp(s scope, depth int) pyast.Expr {
	return &pyast.UnaryOp{Op: pick(g, []pyast.UnaryOpKind{pyast.Invert, pyast.UAdd, pyast.USub}), Operand: g.expr(s, depth)}
}

func (g *generator) attribute(s scope, depth int) pyast.Expr {
	return pyast.Attr(g.expr(s, depth), pick(g, attrNames))
}

func (g *generator) subscript(s scope, depth int) pyast.Expr {
	return pyast.Index(g.expr(s, depth), g.index(s, depth))
}

// index is what stands in brackets.
func (g *generator) index(s scope, depth int) pyast.Expr {
	slice := func() pyast.Expr {
		x := &pyast.Slice{}
		for _, p := range []*pyast.Expr{&x.Lower, &x.Upper, &x.Step} {
			switch {
			case g.chance(50):
				*p = g.expr(s, depth)
			case g.chance(20): // no literal, but a constant in the end
				*p = &pyast.BinOp{Left: pyast.Int(1), Op: pyast.Add, Right: pyast.Int(int64(g.IntN(3)))}
			}
		}
		return x
	}
	switch n := g.IntN(10); {
	case n < 6:
		return g.expr(s, depth)
	case n < 8:
		return slice()
	}
	t := &pyast.Tuple{}
	for range 1 + g.IntN(2) {
		switch {
		case g.chance(30):
			t.Elts = append(t.Elts, slice())
		case g.chance(20) && g.v.HasStarredIndex():
			t.Elts = append(t.Elts, &pyast.Starred{Value: g.expr(s, depth)})
		default:
			t.Elts = append(t.Elts, g.expr(s, depth))
		}
	}
	return t
}

// starred are items of a display, some of them with a star.
func (g *generator) starred(s scope, depth, n int) []pyast.Expr {
	out := g.exprs(s, depth, n)
	for i := range out {
		if g.chance(15) {
			// `*(a, b)` is the tuple that the compiler would make of plain items.
			if g.chance(30) {
				out[i] = g.display(s, depth)
			}
			out[i] = &pyast.Starred{Value: out[i]}
		}
	}
	return out
}

func (g *generator) display(s scope, depth int) pyast.Expr {
	n := g.IntN(4)
	switch g.IntN(4) {
	case 0:
		return &pyast.Tuple{Elts: g.starred(s, depth, n)}
	case 1:
		return &pyast.List{Elts: g.starred(s, depth, n)}
	case 2:
		return &pyast.Set{Elts: g.starred(s, depth, n+1)}
	}
	d := &pyast.Dict{}
	for range n {
		if g.chance(15) {
			d.Keys = append(d.Keys, nil)
		} else {
			d.Keys = append(d.Keys, g.expr(s, depth))
		}
		d.Values = append(d.Values, g.expr(s, depth))
	}
	return d
}

func (g *generator) call(s scope, depth int) pyast.Expr {
	c := &pyast.Call{}
	switch g.IntN(5) {
	case 0:
		c.Func = g.expr(s, depth)
	case 1:
		c.Func = g.attribute(s, depth)
	default:
		c.Func = pyast.N(pick(g, funcNames))
	}
	c.Args, c.Keywords = g.arguments(s, depth)
	if len(c.Args) == 1 && len(c.Keywords) == 0 && g.chance(15) && !s.simple {
		// The compiler expands some of these in place.
		c.Func = pyast.N(pick(g, []string{"all", "any", "tuple", "list", "set", "sum"}))
		c.Args[0] = g.generatorExp(s, depth)
	}
	return c
}

func (g *generator) arguments(s scope, depth int) (args []pyast.Expr, keywords []*pyast.Keyword) {
	args = g.starred(s, depth, g.IntN(3))
	for _, name := range []string{"a", "key"}[:max(0, g.IntN(5)-2)] {
		keywords = append(keywords, &pyast.Keyword{Arg: name, Value: g.expr(s, depth)})
	}
	if g.chance(8) {
		all := &pyast.Keyword{Value: g.expr(s, depth)}
		if g.chance(20) {
			all.Value = g.display(s, depth)
		}
		keywords = append(keywords, all)
	}
	return args, keywords
}

func (g *generator) walrus(s scope, depth int) pyast.Expr {
	n := &pyast.NamedExpr{Target: pyast.N(pick(g, walrusNames)), Value: g.expr(s, depth)}
	if g.chance(12) {
		return &pyast.NamedExpr{Target: pyast.N(pick(g, walrusNames)), Value: n}
	}
	return n
}

func (g *generator) await(s scope, depth int) pyast.Expr {
	return &pyast.Await{Value: g.expr(s, depth)}
}

func (g *generator) yield(s scope, depth int) pyast.Expr {
	switch {
	case !s.fn.async && g.chance(30):
		return &pyast.YieldFrom{Value: g.expr(s, depth)}
	case g.chance(20):
		return &pyast.Yield{}
	}
	return &pyast.Yield{Value: g.expr(s, depth)}
}

func (g *generator) lambda(s scope, depth int) pyast.Expr {
	l := &pyast.Lambda{Args: g.parameters(s, false)}
	in := scope{fn: &frame{outer: s.fn, kind: lambdaFrame, names: paramNames(l.Args), yields: !s.comp && g.chance(5)}}
	l.Body = g.expr(in, depth)
	return l
}

// comprehension is a list, set or dict comprehension or a generator expression.
func (g *generator) comprehension(s scope, depth int) pyast.Expr {
	if g.chance(25) {
		return g.generatorExp(s, depth)
	}
	clauses, in := g.clauses(s, depth)
	elt := func() pyast.Expr {
		e := g.expr(in, depth)
		if g.chance(8) {
			// The variable may be a cell in another comprehension of the function.
			e = &pyast.Tuple{Elts: []pyast.Expr{g.name(in)}}
		}
		if g.v.HasStarComprehensions() && g.chance(10) {
			return &pyast.Starred{Value: e}
		}
		return e
	}
	switch g.IntN(4) {
	case 0:
		return &pyast.SetComp{Elt: elt(), Generators: clauses}
	case 1:
		d := &pyast.DictComp{Key: g.expr(in, depth), Value: g.expr(in, depth), Generators: clauses}
		if g.v.HasStarComprehensions() && g.chance(10) {
			d.Key = nil
		}
		return d
	}
	return &pyast.ListComp{Elt: elt(), Generators: clauses}
}

func (g *generator) generatorExp(s scope, depth int) pyast.Expr {
	clauses, in := g.clauses(s, depth)
	return &pyast.GeneratorExp{Elt: g.expr(in, depth), Generators: clauses}
}

// clauses are the for clauses of a comprehension, and the scope of its element.
func (g *generator) clauses(s scope, depth int) ([]*pyast.Comprehension, scope) {
	in := s
	in.comp = true
	fn := *s.fn
	fn.names = append([]string(nil), s.fn.names...)
	in.fn = &fn
	var out []*pyast.Comprehension
	for i := range 1 + g.IntN(5)/4 {
		iter := in
		if i == 0 {
			iter = s
		}
		iter.iter = true
		c := &pyast.Comprehension{Iter: g.expr(iter, depth)}
		name := pick(g, compNames)
		if g.chance(20) {
			name = pick(g, varNames)
		}
		fn.names = append(fn.names, name)
		c.Target = pyast.N(name)
		switch {
		case g.chance(15):
			other := pick(g, compNames)
			fn.names = append(fn.names, other)
			c.Target = &pyast.Tuple{Elts: []pyast.Expr{c.Target, pyast.N(other)}}
		case g.chance(3):
			c.Target = pyast.Index(c.Target, pyast.Int(0))
		case g.chance(5):
			target := in
			target.iter = true
			c.Target = g.target(target, 1)
		}
		for n := g.IntN(5) / 2; n > 0; n-- {
			if g.chance(6) {
				c.Ifs = append(c.Ifs, g.constant()) // what follows may be left out
				continue
			}
			c.Ifs = append(c.Ifs, g.operand(in, 2))
		}
		c.IsAsync = s.fn.async && s.fn.kind == functionFrame && !s.plain && !s.comp && g.chance(25)
		out = append(out, c)
	}
	return out, in
}

func (g *generator) fString(s scope, depth int) pyast.Expr {
	f := &pyast.JoinedStr{}
	for range 1 + g.IntN(3) {
		if g.chance(40) {
			f.Values = append(f.Values, pyast.Str(pick(g, []string{"a", " ", "{", "x="})))
			continue
		}
		f.Values = append(f.Values, g.field(s, depth))
	}
	return f
}

// field is one replacement field.
func (g *generator) field(s scope, depth int) *pyast.FormattedValue {
	inner := s
	inner.simple = inner.simple || !g.v.HasNestedFStrings()
	v := &pyast.FormattedValue{Value: g.expr(inner, depth), Conversion: pick(g, []rune{0, 0, 0, 'r', 's', 'a'})}
	if g.chance(25) {
		spec := &pyast.JoinedStr{Values: []pyast.Expr{pyast.Str(">")}}
		if g.chance(50) {
			spec.Values = append(spec.Values, &pyast.FormattedValue{Value: g.name(s)})
		}
		v.FormatSpec = spec
	}
	return v
}

func (g *generator) tString(s scope, depth int) pyast.Expr {
	t := &pyast.TemplateStr{}
	for range 1 + g.IntN(3) {
		if g.chance(40) {
			t.Values = append(t.Values, pyast.Str(pick(g, []string{"a", "{"})))
			continue
		}
		v := g.field(s, depth)
		text, _ := pyprint.Expr(v.Value, g.v) // what cannot be printed fails again when the program is
		t.Values = append(t.Values, &pyast.Interpolation{Value: v.Value, Str: text, Conversion: v.Conversion, FormatSpec: v.FormatSpec})
	}
	return t
}
