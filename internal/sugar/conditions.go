package sugar

import (
	"cmp"

	"github.com/thuml/depyf/internal/evidence"
	"github.com/thuml/depyf/internal/pyast"
)

// conditions decides where `not` stands in the tests of a body. A test that is
// jumped on compiles alike in both forms:
//
//	not (a or b)   ↔   not a and not b
//
// The gap between two operands on one line tells how many letters stand there, as does that between the
// statement's own word and the first of them, and the instruction of `is` and `in` tells whether a `not` belongs to it.
func conditions(list []pyast.Stmt, in evidence.Indentation) {
	testsOf(list, nil, in)
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

// testsOf is conditions for the tests of statements, innermost first; outer is the `if` whose else clause the list is.
func testsOf(list []pyast.Stmt, outer *pyast.If, in evidence.Indentation) {
	for _, s := range list {
		switch n := s.(type) {
		case *pyast.FunctionDef, *pyast.ClassDef:
		case *pyast.If:
			testsOf(n.Body, nil, in)
			testsOf(n.OrElse, n, in)
		default:
			pyast.Blocks(s, func(b *[]pyast.Stmt) { testsOf(*b, nil, in) })
		}
	}
	column := -1
	known := func() int { // most lists have no test
		if column < 0 {
			column = in.KnownColumn(list)
		}
		return column
	}
	for _, s := range list {
		switch n := s.(type) {
		case *pyast.If:
			own := cmp.Or(known(), in.KnownOuter(n.Body))
			word := len("if ")
			if outer != nil && len(list) == 1 && own > 0 {
				switch c := in.KnownOuter(outer.Body); c {
				case 0:
					own = 0
				case own:
					word = len("elif ")
				}
			}
			n.Test = conditionAt(n.Test, own, word, n.Body)
		case *pyast.While:
			n.Test = conditionAt(n.Test, cmp.Or(known(), in.KnownOuter(n.Body)), len("while "), n.Body)
		case *pyast.Assert:
			col := n.Col
			if !evidence.ExactStart(n) {
				col = known()
			}
			n.Test = conditionAt(n.Test, col, len("assert "), nil)
		}
	}
}

func comprehensions(list []*pyast.Comprehension) {
	for _, c := range list {
		for i := range c.Ifs {
			c.Ifs[i] = condition(c.Ifs[i])
		}
	}
}

// condition returns the form of a test that the source most likely has: the one that fits best
// where the operands stand.
func condition(e pyast.Expr) pyast.Expr { return conditionAt(e, 0, 0, nil) }

// conditionAt is [condition] of the test of a statement at a column, 0 where that is not known, behind a word of some width.
// Where the test stands on the statement's own line, the room behind the word is weighed like that between two operands.
func conditionAt(e pyast.Expr, col, word int, body []pyast.Stmt) pyast.Expr {
	switch e.(type) {
	case *pyast.Name, *pyast.Attribute, *pyast.Subscript, *pyast.Call:
		return e // which has one form, and is what most tests are
	}
	w := weighing{known: map[signed][]form{}, front: -1}
	line, first := evidence.Leftmost(e)
	last, _ := rightmost(e)
	below := len(body) == 0 || evidence.StartLine(body[0]) <= last+1 // no line between that has a bracket
	if col > 0 && below && first > 0 && line == last {
		w.first, w.front = place{line, first}, first-col-word
	}
	list := w.forms(signed{e, false})
	for i := range list {
		if f := &list[i]; w.front >= 0 {
			f.inside += room(w.front-f.before(pyast.Or), f.not)
		}
	}
	best := least(list)
	return best.expr()
}
