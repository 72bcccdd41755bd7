package generate

import (
	"math/rand/v2"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// Mutant changes a real function or class in one to four places.
func Mutant(r *rand.Rand, v pyc.Version, functions []pyast.Stmt) *pyast.Module {
	g := &generator{Rand: r, v: v, left: 4}
	m := &pyast.Module{Body: []pyast.Stmt{pyast.Clone(pick(g, functions))}}
	mu := &mutator{g, m, functions}
	for n := 1 + g.IntN(4); n > 0; n-- {
		pick(g, mutations)(mu)
	}
	return m
}

// Changed is a copy of a module with a change in one place.
func Changed(r *rand.Rand, v pyc.Version, m *pyast.Module, functions []pyast.Stmt) *pyast.Module {
	m = pyast.Clone(m)
	if len(functions) == 0 {
		functions = m.Body
	}
	pick(&generator{Rand: r, v: v, left: 4}, mutations)(&mutator{&generator{Rand: r, v: v, left: 4}, m, functions})
	return m
}

type mutator struct {
	*generator
	root      *pyast.Module
	functions []pyast.Stmt
}

// mutations are the changes; those of statements and of expressions are as frequent.
var mutations = []func(*mutator){
	(*mutator).wrap, (*mutator).wrap, (*mutator).wrap,
	(*mutator).empty, (*mutator).negate, (*mutator).end, (*mutator).end, (*mutator).insert, (*mutator).insert,
	(*mutator).drop, (*mutator).swap, (*mutator).orElse,
	(*mutator).otherKind, (*mutator).otherKind, (*mutator).otherKind, (*mutator).transplant, (*mutator).transplant,
	(*mutator).constOrName, (*mutator).constOrName,
}

// place is the scope of a place about which nothing is known: what is not legal
// there, the compiler refuses.
func (m *mutator) place() scope {
	f, _ := m.root.Body[0].(*pyast.FunctionDef)
	return scope{fn: &frame{kind: functionFrame, async: f != nil && f.IsAsync}, loop: m.chance(50), depth: 2}
}

// block is a statement list that is not empty.
func (m *mutator) block() *[]pyast.Stmt {
	all := find(m.root).blocks[1:] // without the module's own
	for range 4 {
		if len(all) == 0 {
			break
		}
		if b := pick(m.generator, all); len(*b) > 0 {
			return b
		}
	}
	return &m.root.Body
}

// wrap puts some neighbours into a compound statement.
func (m *mutator) wrap() {
	b := m.block()
	i := m.IntN(len(*b))
	j := i + 1 + m.IntN(min(3, len(*b)-i))
	s := m.place()
	inner := append([]pyast.Stmt(nil), (*b)[i:j]...)
	async := s.fn.async && m.chance(30)
	var w pyast.Stmt
	switch n := m.IntN(10); {
	case n < 2:
		w = &pyast.If{Test: m.test(s), Body: inner}
		if m.chance(30) {
			w.(*pyast.If).OrElse = m.generator.block(s)
		}
	case n < 4:
		w = &pyast.For{Target: m.target(s, 1), Iter: m.expr(s, 1), Body: inner, IsAsync: async}
	case n < 5:
		w = &pyast.While{Test: m.test(s), Body: inner}
	case n < 8:
		t := &pyast.Try{Body: inner}
		if m.chance(60) {
			h := &pyast.ExceptHandler{Type: dotted(pick(m.generator, excNames)), Body: m.generator.block(s)}
			if m.chance(40) {
				h.Name = "e"
			}
			t.Handlers = append(t.Handlers, h)
		}
		if len(t.Handlers) == 0 || m.chance(20) {
			t.FinalBody = m.generator.block(s)
		}
		if len(t.Handlers) > 0 && m.chance(20) {
			// The statements go where only a handler or a clean-up leads to.
			switch rest := m.generator.block(s); m.IntN(3) {
			case 0:
				t.Body, t.Handlers[0].Body = rest, inner
			case 1:
				t.Body, t.OrElse = rest, inner
			default:
				t.Body, t.FinalBody = rest, inner
			}
		}
		w = t
	case n < 9:
		x := &pyast.With{Items: []*pyast.WithItem{{ContextExpr: m.expr(s, 1)}}, Body: inner, IsAsync: async}
		if m.chance(40) {
			x.Items[0].OptionalVars = m.target(s, 1)
		}
		w = x
	default:
		if !m.v.HasMatch() {
			w = &pyast.With{Items: []*pyast.WithItem{{ContextExpr: m.name(s)}}, Body: inner}
			break
		}
		x := m.generator.match(s).(*pyast.Match)
		x.Cases[m.IntN(len(x.Cases))].Body = inner
		w = x
	}
	*b = append(append(append([]pyast.Stmt(nil), (*b)[:i]...), w), (*b)[j:]...)
}

// empty takes all out of a body.
func (m *mutator) empty() {
	if b := m.block(); b != &m.root.Body {
		*b = []pyast.Stmt{&pyast.Pass{}}
	}
}

// negate turns the test of an if or while.
func (m *mutator) negate() {
	var tests []*pyast.Expr
	pyast.Inspect(m.root, func(n pyast.Node) bool {
		switch n := n.(type) {
		case *pyast.If:
			tests = append(tests, &n.Test)
		case *pyast.While:
			tests = append(tests, &n.Test)
		case *pyast.IfExp:
			tests = append(tests, &n.Test)
		case *pyast.Assert:
			tests = append(tests, &n.Test)
		}
		return true
	})
	if len(tests) > 0 {
		t := pick(m.generator, tests)
		*t = pyast.NotE(*t)
	}
}

// end lets a body leave: it returns, breaks, continues or raises at its end, or earlier.
func (m *mutator) end() {
	last := m.leave(m.place())
	b := m.block()
	if last == nil || b == &m.root.Body {
		return
	}
	n := len(*b)
	if m.chance(50) {
		n = 1 + m.IntN(n)
	}
	*b = append(append([]pyast.Stmt(nil), (*b)[:n]...), last)
}

func (m *mutator) insert() {
	b := m.block()
	i := m.IntN(len(*b) + 1)
	s := m.stmt(m.place())
	*b = append(append(append([]pyast.Stmt(nil), (*b)[:i]...), s), (*b)[i:]...)
}

func (m *mutator) drop() {
	if b := m.block(); len(*b) > 1 {
		i := m.IntN(len(*b))
		*b = append(append([]pyast.Stmt(nil), (*b)[:i]...), (*b)[i+1:]...)
	}
}

func (m *mutator) swap() {
	b := m.block()
	i, j := m.IntN(len(*b)), m.IntN(len(*b))
	(*b)[i], (*b)[j] = (*b)[j], (*b)[i]
}

// orElse gives a compound statement an else clause, or takes it away.
func (m *mutator) orElse() {
	var found []*[]pyast.Stmt
	pyast.Inspect(m.root, func(n pyast.Node) bool {
		switch n := n.(type) {
		case *pyast.If:
			found = append(found, &n.OrElse)
		case *pyast.For:
			found = append(found, &n.OrElse)
		case *pyast.While:
			found = append(found, &n.OrElse)
		case *pyast.Try:
			if len(n.Handlers) > 0 {
				found = append(found, &n.OrElse)
			}
		}
		return true
	})
	if len(found) == 0 {
		return
	}
	if b := pick(m.generator, found); len(*b) > 0 {
		*b = nil
	} else {
		*b = m.generator.block(m.place())
	}
}

// change replaces one expression by what f makes of it.
func (m *mutator) change(f func(pyast.Expr) pyast.Expr) {
	if all := find(m.root).exprs; len(all) > 0 {
		old := pick(m.generator, all)
		if e := f(old); e != nil {
			replace(m.root, old, e)
		}
	}
}

// otherKind replaces an expression by one of another kind that holds it, or not.
func (m *mutator) otherKind() {
	m.change(func(old pyast.Expr) pyast.Expr {
		s := m.place()
		e := m.expr(s, 2)
		if m.chance(50) {
			return e
		}
		// The new one around the old: at the place of one of its parts.
		inner := find(&pyast.Module{Body: []pyast.Stmt{pyast.ES(e)}}).exprs
		if len(inner) < 2 {
			return &pyast.IfExp{Test: m.name(s), Body: pyast.Clone(old), OrElse: e}
		}
		replace(e, inner[m.IntN(len(inner)-1)], pyast.Clone(old))
		return e
	})
}

// transplant takes an expression out of another real function.
func (m *mutator) transplant() {
	from := find(pick(m.generator, m.functions)).exprs
	if len(from) > 0 {
		m.change(func(pyast.Expr) pyast.Expr { return pyast.Clone(pick(m.generator, from)) })
	}
}

// constOrName replaces a constant by a name and anything else by a constant.
func (m *mutator) constOrName() {
	m.change(func(old pyast.Expr) pyast.Expr {
		if _, ok := old.(*pyast.Constant); ok {
			return m.name(m.place())
		}
		return m.constant()
	})
}
