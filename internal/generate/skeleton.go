package generate

import (
	"fmt"
	"math/rand/v2"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// Skeleton makes a module of one body that is nothing but control flow: statements
// inside of one another, each body with a call that tells it from the others, and one of
// the ways to end. What the expressions of the grammar hide is all that these have.
func Skeleton(r *rand.Rand, v pyc.Version) *pyast.Module {
	s := newSkeleton(r, v)
	body := s.body(2, where{})
	if r.IntN(2) == 0 {
		body = append(body, s.call())
	}
	return s.owner.module(body, s.async)
}

type skeleton struct {
	*rand.Rand
	v     pyc.Version
	owner owner
	async bool // it is a coroutine
	calls int
}

func newSkeleton(r *rand.Rand, v pyc.Version) *skeleton {
	s := &skeleton{Rand: r, v: v, owner: anyOwner(r)}
	s.async = s.owner == ofFunction && r.IntN(3) == 0
	return s
}

// awaits says whether a loop, a with statement or a value is one that the coroutine waits for.
func (s *skeleton) awaits() bool { return s.async && s.IntN(2) == 0 }

// with is a with statement.
func (s *skeleton) with(body []pyast.Stmt) pyast.Stmt {
	return &pyast.With{Items: withItems(s.Rand, s.value), Body: body, IsAsync: s.awaits()}
}

// withItems are mostly one.
func withItems(r *rand.Rand, value func() pyast.Expr) []*pyast.WithItem {
	items := []*pyast.WithItem{{ContextExpr: value()}}
	if r.IntN(6) == 0 {
		items = append(items, &pyast.WithItem{ContextExpr: value()})
	}
	return items
}

// forEach is a for loop.
func (s *skeleton) forEach(body, els []pyast.Stmt) pyast.Stmt {
	return &pyast.For{Target: pyast.N("x"), Iter: s.value(), Body: body, OrElse: els, IsAsync: s.awaits()}
}

// match is a match statement of one or two values, and perhaps whatever else comes.
func (s *skeleton) match(body func() []pyast.Stmt) pyast.Stmt {
	m := &pyast.Match{Subject: s.value()}
	for k := range 1 + s.IntN(2) {
		m.Cases = append(m.Cases, &pyast.MatchCase{Pattern: &pyast.MatchValue{Value: pyast.Int(int64(k))}, Body: body()})
	}
	if s.IntN(2) == 0 {
		m.Cases = append(m.Cases, &pyast.MatchCase{Pattern: &pyast.MatchAs{}, Body: body()})
	}
	return m
}

// where is what a statement stands in.
type where struct {
	loop  bool // a loop of this function
	final bool // a finally body inside of that loop
}

// call is f0(), f1(), …: each once; or what decides on calls, stored.
func (s *skeleton) call() pyast.Stmt {
	if s.IntN(8) > 0 {
		return pyast.ES(s.value())
	}
	var target pyast.Expr = pyast.N("x")
	if s.IntN(2) == 0 {
		target = pyast.Attr(pyast.N("a"), "x")
	}
	return &pyast.Assign{Targets: []pyast.Expr{target}, Value: s.choice(3)}
}

// choice is an expression in which the way parts.
func (s *skeleton) choice(depth int) pyast.Expr {
	if depth == 0 || s.IntN(4) == 0 {
		return s.value()
	}
	switch s.IntN(8) {
	case 0:
		return pyast.NotE(s.choice(depth - 1))
	case 1:
		return &pyast.IfExp{Test: s.choice(depth - 1), Body: s.choice(depth - 1), OrElse: s.choice(depth - 1)}
	case 2:
		less := []pyast.CmpOpKind{pyast.Lt, pyast.Lt}
		return &pyast.Compare{Left: s.value(), Ops: less, Comparators: []pyast.Expr{s.value(), s.choice(depth - 1)}}
	}
	return pyast.Join(pyast.BoolOpKind(s.IntN(2)), s.choice(depth-1), s.choice(depth-1))
}

func (s *skeleton) value() pyast.Expr {
	s.calls++
	call := pyast.CallE(pyast.N(fmt.Sprintf("f%d", s.calls-1)))
	if s.awaits() {
		return &pyast.Await{Value: call}
	}
	return call
}

// test is a condition: a call, or several joined by and, or, not, each with its own ways out.
func (s *skeleton) test() pyast.Expr {
	if s.IntN(3) > 0 {
		return s.value()
	}
	if s.IntN(4) == 0 {
		return s.choice(3)
	}
	test := s.joined(2)
	if s.IntN(6) == 0 {
		return pyast.NotE(test)
	}
	return test
}

func (s *skeleton) joined(depth int) pyast.Expr {
	if depth == 0 || s.IntN(3) == 0 {
		if s.IntN(4) == 0 {
			return pyast.NotE(s.value())
		}
		return s.value()
	}
	return pyast.Join(pyast.BoolOpKind(s.IntN(2)), s.joined(depth-1), s.joined(depth-1))
}

// body makes a list of statements, of which two at most are compound, but for tests that jump.
func (s *skeleton) body(depth int, w where) []pyast.Stmt {
	var out []pyast.Stmt
	for n := 0; depth > 0 && n < 2 && s.IntN(4) > 0; n++ {
		if s.IntN(3) == 0 {
			out = append(out, s.call())
		}
		out = append(out, s.compound(depth-1, w))
		if s.IntN(4) > 0 {
			break
		}
	}
	if len(out) > 0 && s.IntN(2) == 0 {
		return out
	}
	if s.IntN(6) == 0 {
		if jump := s.jump(w); jump != nil {
			out = append(out, &pyast.If{Test: s.test(), Body: []pyast.Stmt{jump}})
		}
	}
	if s.IntN(6) > 0 {
		out = append(out, s.call())
	}
	if jump := s.jump(w); jump != nil && s.IntN(2) == 0 {
		out = append(out, jump)
	}
	if len(out) == 0 {
		out = append(out, &pyast.Pass{})
	}
	return out
}

// jump makes a statement that leaves the body, nil for none.
func (s *skeleton) jump(w where) pyast.Stmt {
	switch n := s.IntN(7); {
	case n < 2 && w.loop:
		return &pyast.Break{}
	case n < 4 && w.loop && (!w.final || s.v.ContinueInFinally()):
		return &pyast.Continue{}
	case n == 4 && s.owner == ofFunction:
		return &pyast.Return{Value: s.choice(s.IntN(4))}
	case n == 5 && s.owner == ofFunction:
		return &pyast.Return{}
	case n == 6:
		return &pyast.Raise{Exc: s.value()}
	}
	return nil
}

func (s *skeleton) compound(depth int, w where) pyast.Stmt {
	inLoop := where{loop: true}
	var els []pyast.Stmt
	if s.v.HasMatch() && s.IntN(12) == 0 {
		return s.match(func() []pyast.Stmt { return s.body(depth, w) })
	}
	switch n := s.IntN(10); n {
	case 0, 1, 2:
		if n < 2 && s.IntN(4) == 0 {
			els = s.body(depth, w)
		}
		if n == 2 {
			return &pyast.While{Test: pyast.Bool(true), Body: s.body(depth, inLoop)}
		}
		if n == 1 {
			return &pyast.While{Test: s.test(), Body: s.body(depth, inLoop), OrElse: els}
		}
		return s.forEach(s.body(depth, inLoop), els)
	case 3:
		return s.with(s.body(depth, w))
	case 4, 5:
		if s.IntN(2) == 0 {
			els = s.body(depth, w)
		}
		return &pyast.If{Test: s.test(), Body: s.body(depth, w), OrElse: els}
	}
	t := &pyast.Try{Body: s.body(depth, w)}
	if s.IntN(5) > 0 {
		h := &pyast.ExceptHandler{Body: s.body(depth, w)}
		if s.IntN(4) > 0 {
			h.Type = pyast.N("E")
			if s.IntN(3) == 0 {
				h.Name = "e"
			}
		}
		t.Handlers = append(t.Handlers, h)
		if s.IntN(3) == 0 {
			t.OrElse = s.body(depth, w)
		}
	}
	if t.Handlers == nil || s.IntN(2) == 0 {
		w.final = true
		t.FinalBody = s.body(depth, w)
	}
	return t
}
