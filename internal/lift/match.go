package lift

import "github.com/thuml/depyf/internal/pyast"

// caseTest executes a folded instruction of a match statement.
func (m *machine) caseTest() {
	k := m.in.Arg
	if k < 0 || k >= len(m.g.CFG.Cases) {
		m.fail("an instruction that does not exist")
	}
	c := m.g.CFG.Cases[k]
	if c.Pattern == nil {
		e := m.popE()
		m.emit(&Marker{Kind: MarkMatch, Args: []pyast.Expr{e}, ID: c.ID})
		m.push(&Value{Kind: KSubject})
		return
	}
	if c.Irrefutable || c.Never {
		if !c.Last {
			m.peek(1) // more cases follow behind the guard
		} else if v := m.pop(); v.Kind != KSubject {
			m.fail("a match without its subject")
		}
		m.emit(&Marker{Kind: MarkCase, ID: k})
		return
	}
	if c.Last {
		if v := m.pop(); v.Kind != KSubject {
			m.fail("a match without its subject")
		}
	}
	m.pushE(CaseTest(k))
}

// HasCase reports whether a condition contains a case test, which must stay the
// test of an `if` of its own.
func HasCase(e pyast.Expr) bool {
	if b, ok := e.(*pyast.BoolOp); ok {
		e = b.Values[0]
	}
	_, ok := CaseOf(e)
	return ok
}

// CaseTest returns the test of the k-th case, an index into cfg.Graph.Cases.
func CaseTest(k int) pyast.Expr { return &pyast.Hole{Kind: pyast.CaseMatches, N: k} }

// CaseOf returns the index of the case that e tests.
func CaseOf(e pyast.Expr) (int, bool) {
	h := holeOf(e, pyast.CaseMatches)
	if h == nil {
		return 0, false
	}
	return h.N, true
}
