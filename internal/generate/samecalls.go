package generate

import (
	"math/rand/v2"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// SameCalls makes a module of one body: two or three statements within one another, any of whose
// bodies may be empty, leave or do something, and what they do is everywhere the same. Skeletons and
// nests call another function in each place, so that a call tells where its code was written; here
// equal code may come from several places, as the copies do that a compiler makes.
func SameCalls(r *rand.Rand, v pyc.Version) *pyast.Module {
	s := &sameCalls{Rand: r, v: v, owner: anyOwner(r)}
	return s.owner.module(s.body(2+s.IntN(2), where{}), false)
}

type sameCalls struct {
	*rand.Rand
	v     pyc.Version
	owner owner
}

// body has a statement with others in it where depth is left, and perhaps calls around it.
func (s *sameCalls) body(depth int, w where) []pyast.Stmt {
	if depth == 0 {
		return s.leaf(w)
	}
	var out []pyast.Stmt
	if s.IntN(6) == 0 {
		out = append(out, s.call())
	}
	out = append(out, s.compound(depth-1, w))
	if s.IntN(3) == 0 {
		out = append(out, s.leaf(w)...)
	}
	return out
}

func (s *sameCalls) call() pyast.Stmt { return pyast.ES(pyast.CallE(pyast.N("g"))) }

// test is a condition; most are the same name.
func (s *sameCalls) test() pyast.Expr {
	a, b := pyast.N("a"), pyast.N("b")
	switch s.IntN(9) {
	case 0:
		return pyast.NotE(a)
	case 1:
		return pyast.Join(pyast.BoolOpKind(s.IntN(2)), a, b)
	case 2:
		return pyast.CallE(pyast.N("g"))
	case 3:
		return b
	}
	return a
}

// leaf is a body without other statements in it, but for a test of whether to leave.
func (s *sameCalls) leaf(w where) []pyast.Stmt {
	var jump pyast.Stmt
	switch n := s.IntN(8); {
	case n == 0 && s.owner == ofFunction:
		jump = &pyast.Return{}
	case n == 1 && s.owner == ofFunction:
		jump = &pyast.Return{Value: pyast.N("a")}
	case n == 2:
		jump = &pyast.Raise{Exc: pyast.N("a")}
	case n == 3:
		return []pyast.Stmt{&pyast.Pass{}}
	case n == 4 && w.loop && (!w.final || s.v.ContinueInFinally()):
		jump = &pyast.Continue{}
	case n <= 6 && w.loop:
		jump = &pyast.Break{}
	default:
		return []pyast.Stmt{s.call()}
	}
	switch s.IntN(4) {
	case 0:
		return []pyast.Stmt{&pyast.If{Test: s.test(), Body: []pyast.Stmt{jump}}}
	case 1:
		return []pyast.Stmt{s.call(), jump}
	}
	return []pyast.Stmt{jump}
}

// compound is a statement one of whose bodies goes deeper.
func (s *sameCalls) compound(depth int, w where) pyast.Stmt {
	// part says what stands in the nth of the bodies of a statement, if it is there at all.
	deep := 0
	part := func(n int, w where) []pyast.Stmt {
		if n == deep {
			return s.body(depth, w)
		}
		return s.leaf(w)
	}
	optional := func(n int, w where) []pyast.Stmt {
		if n != deep && s.IntN(2) == 0 {
			return nil
		}
		return part(n, w)
	}
	loop := where{loop: true}
	kinds := 8
	if s.v.HasMatch() {
		kinds = 9
	}
	switch s.IntN(kinds) {
	case 0, 1:
		deep = s.IntN(2)
		return &pyast.If{Test: s.test(), Body: part(0, w), OrElse: optional(1, w)}
	case 2:
		deep = s.IntN(5) / 4
		return &pyast.While{Test: s.test(), Body: part(0, loop), OrElse: optional(1, w)}
	case 3:
		return &pyast.While{Test: pyast.Bool(true), Body: part(0, loop)}
	case 4:
		deep = s.IntN(5) / 4
		return &pyast.For{Target: pyast.N("x"), Iter: s.test(), Body: part(0, loop), OrElse: optional(1, w)}
	case 5:
		return &pyast.With{Items: withItems(s.Rand, s.test), Body: part(0, w)}
	case 8:
		deep = s.IntN(2)
		m := &pyast.Match{Subject: s.test()}
		for n := range 1 + max(deep, s.IntN(2)) {
			m.Cases = append(m.Cases, &pyast.MatchCase{Pattern: &pyast.MatchValue{Value: pyast.Int(int64(n))}, Body: part(n, w)})
		}
		return m
	}
	deep = s.IntN(4)
	return s.try(part, optional, deep, w)
}

// try is a try statement with any of its parts, of which that with the number deep has to be there.
func (s *sameCalls) try(part, optional func(int, where) []pyast.Stmt, deep int, w where) pyast.Stmt {
	handles := deep == 1 || deep == 2 || s.IntN(2) == 0
	t := &pyast.Try{Body: part(0, w)}
	if handles {
		t.Handlers = []*pyast.ExceptHandler{{Type: pyast.N("E"), Body: part(1, w)}}
		if s.IntN(3) == 0 {
			t.Handlers[0].Name = "e"
		}
		t.OrElse = optional(2, w)
	}
	if !handles || deep == 3 || s.IntN(3) == 0 {
		t.FinalBody = part(3, where{loop: w.loop, final: true})
	}
	return t
}
