package sugar

import (
	"github.com/thuml/depyf/internal/evidence"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// onlyCases restores match statements of one case that compares, behind which there is
// `case _` at most: nothing keeps the subject for a later case, so that they have the code
// of an `if`. What is written tells: the comparison stands where its right side does, on a
// line below the subject.
//
//	if x == 1 and g():      →   match x:
//	    a()                         case 1 if g():
//	else:                               a()
//	    b()                         case _:
//	                                    b()
func onlyCases(list []pyast.Stmt) []pyast.Stmt {
	return eachList(list, func(l []pyast.Stmt) []pyast.Stmt {
		for i, s := range l {
			switch n := s.(type) {
			case *pyast.If:
				if m := onlyCase(n); m != nil {
					l[i] = m
				}
			}
		}
		return l
	})
}

func onlyCase(n *pyast.If) *pyast.Match {
	test, guard := n.Test, pyast.Expr(nil)
	if b, ok := test.(*pyast.BoolOp); ok && b.Op == pyast.And {
		test, guard = b.Values[0], b.Values[1]
		if len(b.Values) > 2 {
			guard = &pyast.BoolOp{Op: pyast.And, Values: b.Values[1:]}
		}
	}
	c, ok := test.(*pyast.Compare)
	if !ok || len(c.Ops) != 1 {
		return nil
	}
	p := comparing(c.Ops[0], c.Comparators[0])
	if p == nil || !standsAlone(c) {
		return nil
	}
	m := &pyast.Match{Pos: n.Pos, Subject: c.Left, Cases: []*pyast.MatchCase{{Pattern: p, Guard: guard, Body: n.Body}}}
	if len(n.OrElse) > 0 {
		m.Cases = append(m.Cases, &pyast.MatchCase{Pattern: &pyast.MatchAs{}, Body: n.OrElse})
	}
	return m
}

// standsAlone reports whether a comparison has the place of its right side alone.
func standsAlone(c *pyast.Compare) bool {
	right := c.Comparators[0].Position()
	_, left := evidence.Lines(c.Left)
	if right.Line == 0 { // None that one instruction tests for and jumps
		return left > 0 && left < c.Line
	}
	return left > 0 && left < right.Line && c.Line == right.Line && c.Col == right.Col
}

// comparing is the pattern that compares the subject with e by op, or nil.
func comparing(op pyast.CmpOpKind, e pyast.Expr) pyast.Pattern {
	k, ok := e.(*pyast.Constant)
	if !ok {
		if op == pyast.Eq && isDotted(e) {
			return &pyast.MatchValue{Pos: *e.Position(), Value: e}
		}
		return nil
	}
	switch k.Value.(type) {
	case pyc.None, pyc.Bool:
		if op == pyast.Is {
			return &pyast.MatchSingleton{Pos: k.Pos, Value: k.Value}
		}
	case pyc.Int, pyc.Float, pyc.Complex, pyc.Str, pyc.Bytes:
		if op == pyast.Eq {
			return &pyast.MatchValue{Pos: k.Pos, Value: e}
		}
	}
	return nil
}

// isDotted reports whether e is `a.b`, `a.b.c` and so on.
func isDotted(e pyast.Expr) bool {
	a, ok := e.(*pyast.Attribute)
	if !ok {
		return false
	}
	_, name := a.Value.(*pyast.Name)
	return name || isDotted(a.Value)
}
