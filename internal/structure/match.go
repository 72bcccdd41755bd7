package structure

import (
	"slices"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/evidence"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// matchStatements turns chains of case tests into match statements.
//
//	<match x>                        match x:
//	if <case 1>:                         case 1:
//	    a                                    a
//	elif <case [p]> and p:        →      case [p] if p:
//	    b                                    b
//	else:                                case _:
//	    c                                    c
func matchStatements(list []pyast.Stmt, cases []cfg.Case, in evidence.Indentation) []pyast.Stmt {
	if len(cases) == 0 {
		return list
	}
	m := matcher{cases, in}
	return m.list(list)
}

type matcher struct {
	cases []cfg.Case
	in    evidence.Indentation
}

func (m matcher) list(list []pyast.Stmt) []pyast.Stmt {
	var out []pyast.Stmt
	for i := 0; i < len(list); i++ {
		mark, ok := list[i].(*lift.Marker)
		if !ok || mark.Kind != lift.MarkMatch {
			switch list[i].(type) {
			case *pyast.FunctionDef, *pyast.ClassDef:
			default:
				pyast.Blocks(list[i], func(b *[]pyast.Stmt) { *b = m.list(*b) })
			}
			out = append(out, list[i])
			continue
		}
		node := &pyast.Match{Pos: mark.Pos, Subject: mark.Args[0]}
		rest := m.chain(node, mark.ID, list[i+1:])
		if len(node.Cases) == 0 {
			fail("a match statement without cases")
		}
		out = append(out, node)
		return append(out, m.list(rest)...)
	}
	return out
}

// chain takes the cases from the front of the list and returns what follows
// the statement.
func (m matcher) chain(node *pyast.Match, id int, list []pyast.Stmt) []pyast.Stmt {
	for len(list) > 0 {
		var captured pyast.Pattern
		refused := false // only by its guard, so that the default case follows
		switch marked := m.marked(list[0], id); {
		case marked == nil:
		case marked.Never && !marked.Guarded:
			node.Cases = append(node.Cases, &pyast.MatchCase{Pos: *list[0].Position(), Pattern: marked.Pattern, Guard: pyast.Bool(false), Body: []pyast.Stmt{&pyast.Pass{}}})
			if list = list[1:]; !m.begins(list, id) {
				return m.otherwise(node, list)
			}
			continue
		case marked.Guarded && !(marked.Last && m.unguarded(list[1:])):
			captured, refused = marked.Pattern, marked.Last
			list = m.guard(list[1:], id)
		default:
			c := &pyast.MatchCase{Pattern: marked.Pattern}
			if marked.Always || marked.Guarded {
				c.Guard = pyast.Bool(true)
			}
			return m.last(node, c, list[1:])
		}
		n, ok := list[0].(*pyast.If)
		if !ok {
			return list
		}
		k, guard, body, els, ok := m.test(n, id)
		pattern, keeps := captured, true // the subject, for the next case
		if captured != nil {
			guard, body, els = n.Test, n.Body, n.OrElse
		} else if !ok {
			return list
		} else {
			pattern, keeps = m.cases[k].Pattern, !m.cases[k].Last
		}
		if m.always(guard) && captured != nil {
			return m.last(node, &pyast.MatchCase{Pos: n.Pos, Pattern: pattern, Guard: guard}, list[1:])
		}
		c := &pyast.MatchCase{Pos: n.Pos, Pattern: pattern, Guard: guard, Body: m.body(body)}
		node.Cases = append(node.Cases, c)
		list = list[1:]
		if len(els) == 0 && refused {
			return m.otherwise(node, list)
		}
		if len(els) == 0 {
			if g, ok := lateGuard(c, n); ok && len(list) > 0 {
				c.Guard, c.Body = g.Test, g.Body
			}
			switch {
			case !(m.never(c) && keeps) && completes(c.Body):
				return list
			case m.never(c) && keeps && !m.begins(list, id):
				return m.otherwise(node, list)
			}
			continue // the next case follows where the body never arrives
		}
		if g, ok := lateGuard(c, n); ok {
			c.Guard, c.Body = g.Test, g.Body
		}
		before := len(node.Cases)
		rest := m.chain(node, id, els)
		if len(rest) == 0 {
			return list
		}
		if c := node.Cases[len(node.Cases)-1]; len(node.Cases) > before && completes(c.Body) {
			if _, empty := c.Body[0].(*pyast.Pass); !empty || c.Guard != nil {
				fail("statements behind the last case of an inner match")
			}
			c.Guard = pyast.Bool(false) // it leads to the default alone
		}
		// What the last case does not reach is the default.
		node.Cases = append(node.Cases, &pyast.MatchCase{Pattern: &pyast.MatchAs{}, Body: m.list(rest)})
		return list
	}
	return list
}

// last adds a case that takes whatever comes to it, with what is at the front of the list as its body, and returns what
// follows the statement.
func (m matcher) last(node *pyast.Match, c *pyast.MatchCase, list []pyast.Stmt) []pyast.Stmt {
	n := len(list)
	if !slices.ContainsFunc(node.Cases, func(c *pyast.MatchCase) bool { return len(c.Body) > 0 && !m.never(c) }) {
		n = m.inside(node, list) // no body of another case joins what follows
	}
	c.Body = m.body(list[:n:n])
	node.Cases = append(node.Cases, c)
	if c.Guard != nil {
		// A case must follow that tests something, or this one would not have kept the subject.
		node.Cases = append(node.Cases, &pyast.MatchCase{Pattern: &pyast.MatchSingleton{Value: pyc.None{}}, Body: []pyast.Stmt{&pyast.Pass{}}})
	}
	return list[n:]
}

// otherwise adds the default case that is at the front of the list, as far as columns or
// the end of the case before say, and returns what follows the statement.
func (m matcher) otherwise(node *pyast.Match, list []pyast.Stmt) []pyast.Stmt {
	n := 0
	if !completes(node.Cases[len(node.Cases)-1].Body) || m.never(node.Cases[len(node.Cases)-1]) {
		n = m.inside(node, list)
	}
	node.Cases = append(node.Cases, &pyast.MatchCase{Pattern: &pyast.MatchAs{}, Body: m.body(list[:n:n])})
	return list[n:]
}

// body is the list of a case.
func (m matcher) body(list []pyast.Stmt) []pyast.Stmt {
	if list = m.list(list); len(list) == 0 {
		return []pyast.Stmt{&pyast.Pass{}}
	}
	return list
}

// never reports whether the guard of a case is false for the compiler: the next case follows.
func (m matcher) never(c *pyast.MatchCase) bool {
	truth, known := lift.Decided(c.Guard)
	return known && !truth
}

// always reports whether a guard is true for the compiler.
func (m matcher) always(guard pyast.Expr) bool {
	truth, known := lift.Decided(guard)
	return known && truth
}

// inside counts the statements at the front of a list that stand deeper than the match
// statement, as far as columns say.
func (m matcher) inside(node *pyast.Match, list []pyast.Stmt) int {
	_, at := evidence.Leftmost(node.Subject)
	n := 0
	for n < len(list) {
		_, col := m.in.Start(list[n])
		if mark, ok := list[n].(*lift.Marker); ok && mark.Kind == lift.MarkMatch {
			_, col = evidence.Leftmost(mark.Args[0])
			col -= len("match ")
		}
		if col > 0 && at > 0 && col <= at-len("match ") {
			break // no deeper than `match`
		}
		n++
	}
	return n
}

// guard turns the test of a guard so that the case's body is its first side. The
// other side holds the next case of the match.
func (m matcher) guard(list []pyast.Stmt, id int) []pyast.Stmt {
	if len(list) == 0 {
		fail("a guard is missing")
	}
	n, ok := list[0].(*pyast.If)
	if !ok {
		fail("a guard is no test")
	}
	if !m.begins(n.Body, id) {
		return list
	}
	turned := &pyast.If{Pos: n.Pos, Test: lift.Not(n.Test), Body: n.OrElse, OrElse: n.Body}
	if len(n.OrElse) == 0 {
		turned.Body = list[1:]
		return []pyast.Stmt{turned}
	}
	return append([]pyast.Stmt{turned}, list[1:]...)
}

// unguarded reports whether no guard is at the front of what follows a case that drops its subject.
func (m matcher) unguarded(list []pyast.Stmt) bool {
	if len(list) == 0 {
		return true
	}
	_, test := list[0].(*pyast.If)
	return !test
}

// begins reports whether a case of the match is the first statement.
func (m matcher) begins(list []pyast.Stmt, id int) bool {
	if len(list) == 0 {
		return false
	}
	if n, ok := list[0].(*pyast.If); ok {
		_, _, _, _, ok := m.test(n, id)
		return ok
	}
	return m.marked(list[0], id) != nil
}

// marked is the case of the match that a marker stands for, nil if s is none.
func (m matcher) marked(s pyast.Stmt, id int) *cfg.Case {
	if mark, ok := s.(*lift.Marker); ok && mark.Kind == lift.MarkCase && m.cases[mark.ID].ID == id {
		return &m.cases[mark.ID]
	}
	return nil
}

// lateGuard finds a guard that was not joined to its case: an `if` on the
// case's line that is all of its body.
func lateGuard(c *pyast.MatchCase, n *pyast.If) (*pyast.If, bool) {
	if c.Guard != nil || len(c.Body) != 1 {
		return nil, false
	}
	g, ok := c.Body[0].(*pyast.If)
	return g, ok && len(g.OrElse) == 0 && g.Line == n.Line && n.Line > 0
}

// test splits an `if` into the test of a case, its guard and the two sides.
func (m matcher) test(n *pyast.If, id int) (k int, guard pyast.Expr, body, els []pyast.Stmt, ok bool) {
	test, body, els := n.Test, n.Body, n.OrElse
	if u, isNot := test.(*pyast.UnaryOp); isNot && u.Op == pyast.Not {
		if _, _, is := m.split(u.Operand, id); is {
			test, body, els = u.Operand, els, body
		}
	}
	k, guard, ok = m.split(test, id)
	return k, guard, body, els, ok
}

func (m matcher) split(e pyast.Expr, id int) (int, pyast.Expr, bool) {
	var guard pyast.Expr
	if b, ok := e.(*pyast.BoolOp); ok && b.Op == pyast.And && len(b.Values) > 1 {
		e = b.Values[0]
		guard = b.Values[1]
		if len(b.Values) > 2 {
			guard = &pyast.BoolOp{Op: pyast.And, Values: b.Values[1:]}
		}
	}
	k, ok := lift.CaseOf(e)
	if !ok || k >= len(m.cases) || m.cases[k].ID != id {
		return 0, nil, false
	}
	return k, guard, true
}
