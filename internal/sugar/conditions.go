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

// condition returns the form of a test that the source most likely has: the one that fits best
// where the operands stand.
func condition(e pyast.Expr) pyast.Expr {
	best := least(weighing{}.forms(signed{e, false}))
	return best.expr()
}
