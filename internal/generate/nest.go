package generate

import (
	"math/rand/v2"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// Nest makes a module of one body of three statements, each in a body of the one before, with
// one way to leave in the innermost and at most one more beside. A third ends with a way out behind all
// of them, which compilers copy to what leads there. Everyday functions are of this
// size; skeletons, which have more of everything, seldom show what fails in these alone.
func Nest(r *rand.Rand, v pyc.Version) *pyast.Module {
	s := newSkeleton(r, v)
	beside := s.IntN(6) // at which depth the other way to leave is; mostly at none
	body := s.nest(3, beside, where{})
	switch s.IntN(6) {
	case 0:
		body = append(body, &pyast.Raise{Exc: s.value()})
	case 1:
		if s.owner == ofFunction {
			body = append(body, &pyast.Return{Value: s.result()})
		}
	}
	return s.owner.module(body, s.async)
}

// result is what a function returns: a call, or what branches, itself or as the argument of one.
func (s *skeleton) result() pyast.Expr {
	switch s.IntN(6) {
	case 0:
		return s.test()
	case 1:
		return pyast.CallE(pyast.N("g"), s.test())
	}
	return s.value()
}

func (s *skeleton) nest(depth, beside int, w where) []pyast.Stmt {
	var out []pyast.Stmt
	if s.IntN(4) == 0 {
		out = append(out, pyast.ES(s.value()))
	}
	if depth == 0 {
		switch jump := s.leave(w); {
		case jump == nil:
			out = append(out, pyast.ES(s.value()))
		case s.IntN(4) == 0:
			out = append(out, &pyast.If{Test: s.value(), Body: []pyast.Stmt{jump}})
		default:
			return append(out, jump)
		}
	} else {
		out = append(out, s.around(func(w where) []pyast.Stmt { return s.nest(depth-1, beside, w) }, w))
	}
	if depth == beside {
		if jump := s.leave(w); jump != nil {
			out = append(out, s.alone(jump))
		}
	}
	if s.IntN(2) == 0 {
		out = append(out, pyast.ES(s.value()))
	}
	return out
}

// leave makes a statement that leaves the body, nil for none.
func (s *skeleton) leave(w where) pyast.Stmt {
	for range 4 {
		if jump := s.jump(w); jump != nil {
			if ret, ok := jump.(*pyast.Return); ok && ret.Value != nil {
				ret.Value = s.result()
			}
			return jump
		}
	}
	return nil
}

// alone is a statement with a way to leave in it and nothing else.
func (s *skeleton) alone(jump pyast.Stmt) pyast.Stmt {
	body := []pyast.Stmt{jump}
	switch s.IntN(4) {
	case 0:
		return s.with(body)
	case 1:
		handler := &pyast.ExceptHandler{Type: pyast.N("E"), Body: body}
		return &pyast.Try{Body: []pyast.Stmt{pyast.ES(s.value())}, Handlers: []*pyast.ExceptHandler{handler}}
	}
	return &pyast.If{Test: s.value(), Body: body}
}

// around is a statement with the inner ones in one of its bodies, and a call in each of the others.
func (s *skeleton) around(inner func(where) []pyast.Stmt, w where) pyast.Stmt {
	call := func() []pyast.Stmt { return []pyast.Stmt{pyast.ES(s.value())} }
	loop := where{loop: true}
	try := func() *pyast.Try {
		return &pyast.Try{Body: call(), Handlers: []*pyast.ExceptHandler{{Type: pyast.N("E"), Body: call()}}}
	}
	if s.v.HasMatch() && s.IntN(14) == 0 {
		body := inner(w)
		return s.match(func() []pyast.Stmt { b := body; body = call(); return b })
	}
	switch s.IntN(14) {
	case 0:
		return &pyast.If{Test: s.value(), Body: inner(w)}
	case 1:
		return &pyast.If{Test: s.value(), Body: inner(w), OrElse: call()}
	case 2:
		return &pyast.If{Test: s.value(), Body: call(), OrElse: inner(w)}
	case 3:
		return &pyast.While{Test: s.value(), Body: inner(loop)}
	case 4:
		return &pyast.While{Test: pyast.Bool(true), Body: inner(loop)}
	case 5, 6:
		return s.forEach(inner(loop), nil)
	case 7:
		ends := &pyast.If{Test: s.value(), Body: []pyast.Stmt{&pyast.Break{}}}
		return s.forEach([]pyast.Stmt{ends}, inner(w))
	case 8, 9:
		return s.with(inner(w))
	case 10:
		t := try()
		t.Body = append(t.Body, inner(w)...) // a body that is left before it does anything is not protected at all
		return t
	case 11:
		t := try()
		t.Handlers[0].Body = inner(w)
		return t
	case 12:
		t := try()
		t.OrElse = inner(w)
		return t
	}
	if s.IntN(2) == 0 {
		return &pyast.Try{Body: append(call(), inner(w)...), FinalBody: call()}
	}
	return &pyast.Try{Body: call(), FinalBody: inner(where{loop: w.loop, final: true})}
}
