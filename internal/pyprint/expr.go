package pyprint

import (
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// expr emits e, in parentheses if it binds less tightly than ctx.
func (p *printer) expr(e pyast.Expr, ctx prec) {
	if e == nil {
		p.problem("missing expression")
		p.text("...")
		return
	}
	if p.needParens(e, ctx) {
		p.bracket("(", ")", fDisplay, func() { p.bare(e, true) })
		return
	}
	p.bare(e, false)
}

// item is expr where `*e` may stand too.
func (p *printer) item(e pyast.Expr, ctx prec) {
	if s, ok := e.(*pyast.Starred); ok {
		p.text("*")
		p.expr(s.Value, precBitOr)
		return
	}
	p.expr(e, ctx)
}

// items emits a comma-separated list.
func (p *printer) items(list []pyast.Expr, ctx prec) {
	for i, e := range list {
		if i > 0 {
			p.comma()
		}
		p.item(e, ctx)
	}
}

// bare emits e without parentheses around it. enclosed says that the caller
// has just opened some.
func (p *printer) bare(e pyast.Expr, enclosed bool) {
	defer func() { p.depth-- }()
	if !p.enter() {
		p.text("...")
		return
	}
	p.begins(e)
	switch e := e.(type) {
	case *pyast.Name:
		p.name(e.Id)
	case *pyast.Constant:
		p.constant(e.Value, enclosed)
	case *pyast.Attribute:
		p.attribute(e)
	case *pyast.Call:
		p.call(e)
	case *pyast.Subscript:
		p.expr(e.Value, precAtom)
		p.bracket("[", "]", fSubscript, func() { p.index(e.Slice) })
	case *pyast.BinOp:
		p.binOp(e)
	case *pyast.UnaryOp:
		p.unaryOp(e)
	case *pyast.BoolOp:
		p.boolOp(e)
	case *pyast.Compare:
		p.compare(e)
	case *pyast.Tuple:
		p.tuple(e.Elts, enclosed)
	case *pyast.List:
		p.bracket("[", "]", fDisplay, func() { p.items(e.Elts, p.named(p.g.walrus())) })
	case *pyast.Set:
		p.set(e.Elts)
	case *pyast.Dict:
		p.dict(e)
	case *pyast.JoinedStr:
		p.joinedStr(e.Values)
	case *pyast.FormattedValue:
		p.joinedStr([]pyast.Expr{e})
	case *pyast.TemplateStr:
		p.templateStr(e.Values)
	case *pyast.Interpolation:
		p.templateStr([]pyast.Expr{e})
	case *pyast.Lambda:
		p.lambda(e)
	case *pyast.IfExp:
		p.ifExp(e, enclosed)
	case *pyast.NamedExpr:
		p.require(p.g.walrus(), "assignment expressions")
		p.expr(e.Target, precAtom)
		p.word(":=", 0)
		p.expr(e.Value, precTest)
	case *pyast.ListComp:
		p.bracket("[", "]", fDisplay, func() { p.comp(e.Elt, p.named(p.g.walrus()), e.Generators) })
	case *pyast.SetComp:
		p.bracket("{", "}", fDisplay, func() { p.comp(e.Elt, p.named(p.g.walrusInSubscript()), e.Generators) })
	case *pyast.DictComp:
		p.dictComp(e)
	case *pyast.GeneratorExp:
		p.bracket("(", ")", fDisplay, func() { p.comp(e.Elt, precTest, e.Generators) })
	case *pyast.Await:
		p.text("await")
		p.space()
		p.expr(e.Value, precAtom)
	case *pyast.Yield:
		p.text("yield")
		if e.Value != nil {
			p.space()
			ctx := precTuple
			if n, ok := isTuple(e.Value); ok && (n == 1 || hasStar(e.Value) && !p.g.starInReturn()) {
				ctx = precTest
			}
			p.expr(e.Value, ctx)
		}
	case *pyast.YieldFrom:
		p.text("yield from")
		p.space()
		p.expr(e.Value, precTest)
	case *pyast.Starred:
		p.item(e, precTest)
	case *pyast.Slice:
		// Outside a subscript there is no such syntax, but there is the type.
		p.problem("slice outside a subscript")
		p.bare(sliceCall(e.Lower, e.Upper, e.Step), enclosed)
	case *pyast.Verbatim:
		p.text(e.Text)
	case *pyast.Hole:
		p.hole(e)
	default:
		p.problem("cannot print a %T", e)
		p.text("...")
	}
}

func (p *printer) attribute(e *pyast.Attribute) {
	base, isConst := e.Value.(*pyast.Constant)
	number := false
	if isConst {
		switch base.Value.(type) {
		case pyc.Int, pyc.Float, pyc.Complex:
			// 1.real does not parse, and 1.5.real is hard to read.
			number = p.precOf(base) == precAtom
		}
	}
	if number {
		p.bracket("(", ")", fDisplay, func() { p.bare(base, true) })
	} else {
		p.expr(e.Value, precAtom)
	}
	dot := tok{text: "."}
	if l := p.last(); l != nil && l.kind == kClose {
		dot.prio = prioDot
	}
	p.dot(e)
	p.add(dot)
	p.name(e.Attr)
}

func (p *printer) binOp(e *pyast.BinOp) {
	if int(e.Op) >= len(binOps) {
		p.problem("unknown binary operator %d", e.Op)
		p.text("...")
		return
	}
	op := binOps[e.Op]
	if e.Op == pyast.Pow {
		// ** binds less tightly than a unary operator on its right only.
		p.expr(e.Left, precAwait)
		if simplePower(e.Left) && simplePower(e.Right) && !p.needParens(e.Left, precAwait) {
			p.add(tok{text: op.text, prio: op.prio})
		} else {
			p.word(op.text, op.prio)
		}
		p.expr(e.Right, precFactor)
		return
	}
	p.expr(e.Left, op.prec)
	p.word(op.text, op.prio)
	p.expr(e.Right, op.prec+1)
}

// simplePower reports operands around which black writes no blanks: x**2,
// a.b**-1.
func simplePower(e pyast.Expr) bool {
	switch e := e.(type) {
	case *pyast.Name:
		return true
	case *pyast.Constant:
		switch e.Value.(type) {
		case pyc.Int, pyc.Float, pyc.Bool, pyc.None:
			return true
		}
	case *pyast.Attribute:
		for {
			switch v := e.Value.(type) {
			case *pyast.Name:
				return true
			case *pyast.Attribute:
				e = v
				continue
			}
			return false
		}
	case *pyast.UnaryOp:
		_, nested := e.Operand.(*pyast.UnaryOp)
		return e.Op == pyast.USub && !nested && simplePower(e.Operand)
	}
	return false
}

func (p *printer) unaryOp(e *pyast.UnaryOp) {
	if int(e.Op) >= len(unaryOps) {
		p.problem("unknown unary operator %d", e.Op)
		p.text("...")
		return
	}
	p.text(unaryOps[e.Op])
	if e.Op == pyast.Not {
		p.space()
		if _, ok := e.Operand.(*pyast.Compare); ok {
			p.expr(e.Operand, precAtom) // `not a in b` looks like something else
			return
		}
		p.expr(e.Operand, precNot)
		return
	}
	ctx := precFactor
	if b, ok := e.Operand.(*pyast.BinOp); ok && b.Op == pyast.Pow {
		// -x**2 needs no parentheses, but few readers are sure of that.
		ctx = precAtom
	}
	p.expr(e.Operand, ctx)
}

func (p *printer) boolOp(e *pyast.BoolOp) {
	word, ctx := "or", precAnd
	if e.Op == pyast.And {
		word, ctx = "and", precNot
	}
	if len(e.Values) < 2 {
		p.problem("%s with fewer than two operands", word)
	}
	for i, v := range e.Values {
		if i > 0 {
			p.word(word, prioLogic)
		}
		p.expr(v, ctx)
	}
}

func (p *printer) compare(e *pyast.Compare) {
	p.expr(e.Left, precBitOr)
	for i, op := range e.Ops {
		if int(op) >= len(cmpOps) || i >= len(e.Comparators) {
			p.problem("malformed comparison")
			return
		}
		word := cmpOps[op]
		if op == pyast.NotEq && p.opt.Diamond {
			word = "<>"
		}
		p.word(word, prioCompare)
		right := e.Comparators[i]
		if op == pyast.In || op == pyast.NotIn {
			right = thawed(right)
		}
		p.expr(right, precBitOr)
	}
}

// thawed turns a frozenset constant into a set display. The compiler makes the
// opposite change for the right side of `in` and for iterables of loops.
func thawed(e pyast.Expr) pyast.Expr {
	if c, ok := e.(*pyast.Constant); ok {
		if s, ok := c.Value.(pyc.FrozenSet); ok && len(s) > 0 {
			return &pyast.Set{Elts: constExprs(s)}
		}
	}
	return e
}

func (p *printer) ifExp(e *pyast.IfExp, enclosed bool) {
	enclosed = enclosed || p.sole > 0 && p.sole == len(p.toks)
	body := func() {
		p.expr(e.Body, precOr)
		p.word("if", prioTernary)
		p.expr(e.Test, precOr)
		p.word("else", prioTernary)
		p.expr(e.OrElse, precTest)
	}
	if enclosed {
		body() // already alone in parentheses
		return
	}
	p.optional(body)
}

func (p *printer) lambda(e *pyast.Lambda) {
	p.text("lambda")
	if e.Args != nil {
		p.quiet++
		p.space()
		n := len(p.toks)
		p.params(e.Args, false)
		p.quiet--
		if len(p.toks) == n {
			p.pend = false // no parameters: "lambda:"
		}
	}
	p.text(":")
	p.space()
	p.expr(e.Body, precTest)
}
