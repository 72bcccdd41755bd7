package sugar

import "github.com/thuml/depyf/internal/pyast"

// conditions decides where `not` stands in the tests of a body. A test that is
// jumped on compiles alike in both forms:
//
//	not (a or b)   ↔   not a and not b
//
// The gap between two operands on one line tells how many letters stand there, and the
// instruction of `is` and `in` tells whether a `not` belongs to it.
func conditions(list []pyast.Stmt) {
	_ = eachList(list, func(l []pyast.Stmt) []pyast.Stmt {
		for _, s := range l {
			switch n := s.(type) {
			case *pyast.If:
				n.Test = condition(n.Test)
			case *pyast.While:
				n.Test = condition(n.Test)
			case *pyast.Assert:
				n.Test = condition(n.Test)
			}
		}
		return l
	})
	// The tests inside of expressions, whose own value is not a jump.
	pyast.RewriteOwn(list, func(e pyast.Expr) pyast.Expr {
		switch x := e.(type) {
		case *pyast.IfExp:
			x.Test = condition(x.Test)
		case *pyast.ListComp:
			comprehensions(x.Generators)
		case *pyast.SetComp:
			comprehensions(x.Generators)
		case *pyast.DictComp:
			comprehensions(x.Generators)
		case *pyast.GeneratorExp:
			comprehensions(x.Generators)
		}
		return e
	})
}

func comprehensions(list []*pyast.Comprehension) {
	for _, c := range list {
		for i := range c.Ifs {
			c.Ifs[i] = condition(c.Ifs[i])
		}
	}
}

// condition returns the form of a test that the source most likely has.
func condition(e pyast.Expr) pyast.Expr { return form(e, false) }

// form is condition; behind says that the test stands behind another operand, whose operator it has, too, without brackets.
func form(e pyast.Expr, behind bool) pyast.Expr {
	outer, negated := e, false
	if u, ok := e.(*pyast.UnaryOp); ok && u.Op == pyast.Not {
		outer, negated = u.Operand, true
	}
	b, ok := outer.(*pyast.BoolOp)
	if !ok {
		return e
	}
	if !negated && !anyNot(b.Values) {
		operands(b)
		return e
	}
	// Both forms, as the operands without a `not` around all of them.
	inside, under := b, &pyast.BoolOp{Pos: b.Pos, Op: pyast.And + pyast.Or - b.Op}
	for _, v := range b.Values {
		under.Values = append(under.Values, pyast.Clone(negate(v)))
	}
	if negated {
		inside, under = under, inside
	}
	for _, f := range []*pyast.BoolOp{inside, under} {
		operands(f)
	}
	x, y := misfit(inside), misfit(under)
	if behind && aligned(inside) {
		y++
	}
	if x == y {
		// Nothing to go by: `not a and not b`, but `not (a and b)`.
		if mixed := anyBut(inside.Values) && anyNot(inside.Values); mixed || inside.Op == pyast.And && len(inside.Values) == 2 {
			x--
		} else {
			y--
		}
	}
	if x < y {
		return inside
	}
	n := pyast.NotE(under)
	n.Pos = *under.Position()
	return n
}

// operands treats the operands of b, and takes in those of the same kind.
func operands(b *pyast.BoolOp) {
	var out []pyast.Expr
	for i, v := range b.Values {
		v = form(v, i > 0 && spliced(v, b.Op))
		if in, ok := v.(*pyast.BoolOp); ok && in.Op == b.Op {
			out = append(out, in.Values...)
		} else {
			out = append(out, v)
		}
	}
	b.Values = out
}

// spliced reports whether e without its `not` would be operands of op: `not (b or c)` of `and`.
func spliced(e pyast.Expr, op pyast.BoolOpKind) bool {
	u, ok := e.(*pyast.UnaryOp)
	if !ok || u.Op != pyast.Not {
		return false
	}
	in, ok := u.Operand.(*pyast.BoolOp)
	return ok && in.Op != op
}

func isNot(e pyast.Expr) bool {
	switch x := e.(type) {
	case *pyast.UnaryOp:
		return x.Op == pyast.Not
	case *pyast.Compare:
		return x.Sense == pyast.Negated // the `not` is in it
	}
	return false
}

func anyNot(list []pyast.Expr) bool {
	for _, e := range list {
		if isNot(e) {
			return true
		}
	}
	return false
}

func anyBut(list []pyast.Expr) bool {
	for _, e := range list {
		if !isNot(e) {
			return true
		}
	}
	return false
}

// misfit tells how badly the gaps between the operands fit the form, and what their instructions compare.
func misfit(b *pyast.BoolOp) int {
	word := len(" and ")
	if b.Op == pyast.Or {
		word = len(" or ")
	}
	sum := 0
	for _, v := range b.Values {
		pyast.Inspect(v, func(n pyast.Node) bool {
			if c, ok := n.(*pyast.Compare); ok && c.Sense == pyast.Negated {
				sum += 100
			}
			return true
		})
	}
	for i := 1; i < len(b.Values); i++ {
		_, end := rightmost(b.Values[i-1])
		line, start := pyast.Leftmost(b.Values[i])
		if endLine, _ := rightmost(b.Values[i-1]); end == 0 || start == 0 || line != endLine {
			continue
		}
		if d := start - end - word - pyast.Nots(b.Values[i]); d >= 0 {
			sum += d
		} else {
			sum += 100
		}
	}
	return sum
}

// aligned reports whether the first two operands of a test that stands behind another one begin lines, and stand under
// each other as far as there are columns, as they do with an operator in front of each:
//
//	a               a
//	and not b       and not (b
//	and not c                or c)
func aligned(b *pyast.BoolOp) bool {
	from, to := pyast.Lines(b.Values[0])
	next, _ := pyast.Lines(b.Values[1])
	_, first := pyast.Leftmost(b.Values[0])
	_, second := pyast.Leftmost(b.Values[1])
	return from > 0 && from == to && next > to && second-pyast.Nots(b.Values[1]) == first-pyast.Nots(b.Values[0])
}

// rightmost is the last place in the source that a node's expressions end at.
func rightmost(n pyast.Node) (line, col int) {
	pyast.Inspect(n, func(x pyast.Node) bool {
		if p := x.Position(); p.EndCol > 0 && (p.EndLine > line || p.EndLine == line && p.EndCol > col) {
			line, col = p.EndLine, p.EndCol
		}
		return true
	})
	return line, col
}
