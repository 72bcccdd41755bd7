package generate

import (
	"math/rand/v2"
	"slices"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// stmtRule makes one kind of statement.
type stmtRule struct {
	weight   int
	compound bool
	legal    func(g *generator, s scope) bool // nil: everywhere
	make     func(g *generator, s scope) pyast.Stmt
}

var stmtRules []stmtRule

func init() {
	stmtRules = []stmtRule{
		{16, false, nil, (*generator).assign},
		{12, false, nil, func(g *generator, s scope) pyast.Stmt { return pyast.ES(g.effect(s)) }},
		{4, false, nil, (*generator).augAssign},
		{2, false, nil, (*generator).annAssign},
		{3, false, nil, (*generator).assert},
		{2, false, nil, (*generator).del},
		{2, false, nil, (*generator).imports},
		{1, false, nil, func(*generator, scope) pyast.Stmt { return &pyast.Pass{} }},
		{1, false, func(g *generator, _ scope) bool { return g.v.HasTypeParams() }, (*generator).typeAlias},
		{22, true, nil, (*generator).ifs},
		{10, true, nil, (*generator).forLoop},
		{8, true, nil, (*generator).while},
		{16, true, nil, (*generator).try},
		{7, true, nil, (*generator).with},
		{6, true, func(g *generator, _ scope) bool { return g.v.HasMatch() }, (*generator).match},
		{3, true, nil, (*generator).def},
		{2, true, nil, (*generator).class},
	}
}

const maxDepth = 4

// stmt is any statement that control goes on behind.
func (g *generator) stmt(s scope) pyast.Stmt {
	g.left--
	ok := func(r *stmtRule) bool {
		return (r.legal == nil || r.legal(g, s)) && !(r.compound && (s.depth >= maxDepth || g.left <= 0))
	}
	total := 0
	for i := range stmtRules {
		if ok(&stmtRules[i]) {
			total += stmtRules[i].weight
		}
	}
	n := g.IntN(total)
	for i := range stmtRules {
		if !ok(&stmtRules[i]) {
			continue
		}
		if n -= stmtRules[i].weight; n < 0 {
			return stmtRules[i].make(g, s)
		}
	}
	panic("unreachable")
}

// block is the body of a compound statement.
func (g *generator) block(s scope) []pyast.Stmt {
	s.depth++
	var out []pyast.Stmt
	for n := 1 + g.IntN(5)/2; n > 0; n-- {
		out = append(out, g.stmt(s))
		if g.left <= 0 {
			break
		}
	}
	if g.chance(30) {
		if last := g.leave(s); last != nil {
			if g.chance(50) {
				out = out[:len(out)-1]
			}
			out = append(out, last)
		}
	}
	return out
}

// leave is a statement that control does not go on behind.
func (g *generator) leave(s scope) pyast.Stmt {
	switch n := g.IntN(10); {
	case n < 4 && s.fn.kind == functionFrame && !s.noJump:
		r := &pyast.Return{}
		if !(s.fn.async && s.fn.yields) && g.chance(75) {
			r.Value = g.expr(s, 2)
		}
		return r
	case n < 6 && s.loop && !s.noJump:
		return &pyast.Break{}
	case n < 8 && s.loop && !s.noJump && !s.noContinue:
		return &pyast.Continue{}
	case n < 9:
		return g.raise(s)
	}
	return nil
}

func (g *generator) raise(s scope) pyast.Stmt {
	r := &pyast.Raise{}
	if g.chance(80) {
		r.Exc = pyast.CallE(dotted(pick(g, excNames)), g.exprs(s, 1, g.IntN(2))...)
		if g.chance(25) {
			r.Exc = g.expr(s, 2)
		}
		if g.chance(30) {
			r.Cause = g.expr(s, 1)
		}
	}
	return r
}

// effect is an expression that is a statement: mostly a call.
func (g *generator) effect(s scope) pyast.Expr {
	if g.chance(70) {
		return g.call(s, 1)
	}
	return g.expr(s, 3)
}

// target is what can be assigned to.
func (g *generator) target(s scope, depth int) pyast.Expr {
	switch n := g.IntN(20); {
	case n < 12 || depth <= 0:
		name := pick(g, varNames)
		if !slices.Contains(s.fn.names, name) {
			s.fn.names = append(s.fn.names, name)
		}
		return pyast.N(name)
	case n < 14:
		return pyast.Attr(g.base(s), pick(g, attrNames))
	case n < 16:
		return pyast.Index(g.base(s), g.index(s, 1))
	}
	return g.unpacked(s, depth)
}

// base is what a target is an attribute or item of: mostly a variable.
func (g *generator) base(s scope) pyast.Expr {
	if g.chance(80) {
		return g.name(s)
	}
	return g.operand(s, 2)
}

func (g *generator) unpacked(s scope, depth int) pyast.Expr {
	list := make([]pyast.Expr, 1+g.IntN(3))
	for i := range list {
		list[i] = g.target(s, depth-1)
	}
	if g.chance(20) {
		i := g.IntN(len(list))
		list[i] = &pyast.Starred{Value: list[i]}
	}
	if g.chance(10) {
		return &pyast.List{Elts: list}
	}
	return &pyast.Tuple{Elts: list}
}

func (g *generator) assign(s scope) pyast.Stmt {
	a := &pyast.Assign{Value: g.expr(s, 3), Targets: []pyast.Expr{g.target(s, 2)}}
	if g.chance(10) {
		a.Targets = append(a.Targets, g.target(s, 1))
	}
	return a
}

func (g *generator) augAssign(s scope) pyast.Stmt {
	a := &pyast.AugAssign{Op: pyast.BinOpKind(g.IntN(13)), Value: g.expr(s, 2)}
	for {
		a.Target = g.target(s, 1)
		switch a.Target.(type) {
		case *pyast.Tuple, *pyast.List:
		default:
			return a
		}
	}
}

func (g *generator) annAssign(s scope) pyast.Stmt {
	plain := s
	plain.plain = true
	a := &pyast.AnnAssign{Annotation: g.expr(plain, 1), Simple: true, Target: pyast.N(pick(g, varNames))}
	if g.chance(20) {
		a.Target, a.Simple = pyast.Attr(g.name(s), pick(g, attrNames)), false
	}
	if g.chance(60) {
		a.Value = g.expr(s, 2)
	}
	return a
}

func (g *generator) assert(s scope) pyast.Stmt {
	a := &pyast.Assert{Test: g.test(s)}
	if g.chance(40) {
		a.Msg = g.expr(s, 1)
	}
	return a
}

func (g *generator) del(s scope) pyast.Stmt {
	d := &pyast.Delete{}
	for range 1 + g.IntN(3)/2 {
		d.Targets = append(d.Targets, pick(g, []pyast.Expr{
			g.name(s), pyast.Attr(g.name(s), pick(g, attrNames)), pyast.Index(g.name(s), g.index(s, 1)),
		}))
	}
	return d
}

func (g *generator) imports(s scope) pyast.Stmt {
	alias := func(names ...string) *pyast.Alias {
		a := &pyast.Alias{Name: pick(g, names)}
		if g.chance(40) {
			a.AsName = pick(g, varNames)
		}
		return a
	}
	lazy := g.v.HasLazyImports() && s.fn.kind == moduleFrame && s.depth == 0 && g.chance(30)
	if g.chance(50) {
		return &pyast.Import{Names: []*pyast.Alias{alias("m", "m.n", "m.n.o")}, IsLazy: lazy}
	}
	f := &pyast.ImportFrom{Module: pick(g, []string{"", "m", "m.n"}), IsLazy: lazy}
	if f.Level = g.IntN(3); f.Module == "" {
		f.Level++
	}
	for range 1 + g.IntN(2) {
		f.Names = append(f.Names, alias("a", "b", "c"))
	}
	if s.fn.kind == moduleFrame && g.chance(10) && !lazy {
		f.Names = []*pyast.Alias{{Name: "*"}}
	}
	return f
}

func (g *generator) typeAlias(s scope) pyast.Stmt {
	params := g.typeParams(s)
	s.plain = true
	return &pyast.TypeAlias{Name: pyast.N("X"), TypeParams: params, Value: g.expr(s, 2)}
}

func (g *generator) ifs(s scope) pyast.Stmt {
	x := &pyast.If{Test: g.test(s), Body: g.block(s)}
	switch {
	case g.chance(20) && g.left > 0:
		g.left--
		x.OrElse = []pyast.Stmt{g.ifs(s)} // elif
	case g.chance(40):
		x.OrElse = g.block(s)
	}
	return x
}

func (g *generator) inLoop(s scope) scope {
	s.loop, s.noContinue, s.noJump = true, false, false
	return s
}

func (g *generator) forLoop(s scope) pyast.Stmt {
	x := &pyast.For{Iter: g.expr(s, 2), IsAsync: s.fn.async && g.chance(40)}
	x.Target = g.target(s, 1)
	x.Body = g.block(g.inLoop(s))
	if g.chance(25) {
		x.OrElse = g.block(s)
	}
	return x
}

func (g *generator) while(s scope) pyast.Stmt {
	x := &pyast.While{Test: g.test(s)}
	if g.chance(25) {
		x.Test = pyast.Bool(true)
	}
	x.Body = g.block(g.inLoop(s))
	if g.chance(25) {
		x.OrElse = g.block(s)
	}
	return x
}

func (g *generator) try(s scope) pyast.Stmt {
	x := &pyast.Try{Body: g.block(s)}
	handlers := pick(g, []int{0, 1, 1, 1, 2})
	x.IsStar = handlers > 0 && g.v.HasExceptStar() && g.chance(10)
	for i := range handlers {
		h := &pyast.ExceptHandler{}
		if x.IsStar || i < handlers-1 || g.chance(80) {
			h.Type = dotted(pick(g, excNames))
			switch {
			case g.chance(15):
				h.Type = &pyast.Tuple{Elts: []pyast.Expr{h.Type, pyast.N("E")}}
			case g.chance(5), x.IsStar && g.chance(20):
				h.Type = g.expr(s, 2)
			}
			if g.chance(40) {
				h.Name = pick(g, []string{"e", "x"})
			}
		}
		in := s
		in.noJump = in.noJump || x.IsStar
		h.Body = g.block(in)
		x.Handlers = append(x.Handlers, h)
	}
	if handlers > 0 && g.chance(25) {
		x.OrElse = g.block(s)
	}
	if handlers == 0 || g.chance(25) {
		in := s
		in.noContinue = in.noContinue || !g.v.ContinueInFinally()
		x.FinalBody = g.block(in)
	}
	return x
}

func (g *generator) with(s scope) pyast.Stmt {
	x := &pyast.With{IsAsync: s.fn.async && g.chance(50)}
	for range 1 + g.IntN(4)/3 {
		i := &pyast.WithItem{ContextExpr: g.expr(s, 1)}
		if g.chance(40) {
			i.OptionalVars = g.target(s, 1)
		}
		x.Items = append(x.Items, i)
	}
	x.Body = g.block(s)
	return x
}

// match has an irrefutable pattern at its end only.
func (g *generator) match(s scope) pyast.Stmt {
	x := &pyast.Match{Subject: g.expr(s, 2)}
	n := 1 + g.IntN(3)
	for i := range n {
		p := &patterns{g: g, s: s, free: append([]string(nil), varNames...)}
		c := &pyast.MatchCase{}
		switch {
		case i == n-1 && g.chance(30):
			c.Pattern = &pyast.MatchAs{}
			if g.chance(15) {
				c.Guard = g.test(s)
			}
		case g.chance(4):
			c.Pattern = p.orAny(1)
			c.Guard = g.test(s)
		case g.chance(15):
			c.Pattern = &pyast.MatchAs{Name: p.capture()}
			if g.chance(30) {
				c.Pattern = &pyast.MatchAs{}
			}
			c.Guard = g.test(s)
		default:
			c.Pattern = p.refutable(2)
			if g.chance(25) {
				c.Guard = g.test(s)
			} else if g.chance(5) {
				c.Guard = pyast.Bool(false)
			}
		}
		c.Body = g.block(s)
		x.Cases = append(x.Cases, c)
	}
	return x
}

// Grammar makes a program over the grammar of a version.
func Grammar(r *rand.Rand, v pyc.Version) *pyast.Module {
	g := &generator{Rand: r, v: v, left: 2 + r.IntN(10)}
	s := scope{fn: &frame{kind: moduleFrame, global: map[string]bool{}}}
	m := &pyast.Module{Body: g.declarations(s.fn)}
	for n := 1 + g.IntN(5)/4; n > 0; n-- {
		switch k := g.IntN(100); {
		case k < 80:
			m.Body = append(m.Body, g.def(s))
		case k < 90:
			m.Body = append(m.Body, g.class(s))
		default:
			for range 1 + g.IntN(3) {
				m.Body = append(m.Body, g.stmt(s))
			}
		}
	}
	return m
}
