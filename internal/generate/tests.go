package generate

import (
	"math/rand/v2"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyprint"
)

// Tests makes a module of one function as people write them, in which each test joins several
// operands by and, or, not: in `if`, `elif`, `while`, `assert`, `return`, a value, a comprehension.
// The names are long enough for a narrow layout to put the operands on lines of their own.
func Tests(r *rand.Rand) *pyast.Module {
	t := &tests{Rand: r}
	args := &pyast.Arguments{}
	for _, name := range operands {
		args.Args = append(args.Args, &pyast.Arg{Arg: name})
	}
	body := t.body(2, false)
	if !leaves(body) && t.IntN(2) == 0 {
		body = append(body, t.call())
	}
	if t.IntN(6) == 0 {
		pyast.RewriteOwn(body, bracketed)
	}
	return &pyast.Module{Body: []pyast.Stmt{&pyast.FunctionDef{Name: "f", Args: args, Body: body}}}
}

// bracketed puts brackets around a comparison, as some people do whether they are needed or not.
func bracketed(e pyast.Expr) pyast.Expr {
	if _, ok := e.(*pyast.Compare); !ok {
		return e
	}
	text, err := pyprint.Expr(e, pyc.Newest)
	if err != nil {
		panic(err) // of two names
	}
	return &pyast.Verbatim{Text: "(" + text + ")", Prec: pyast.VerbatimAtom}
}

type tests struct{ *rand.Rand }

var operands = []string{"first", "second", "third", "fourth", "fifth"}

func (t *tests) name() pyast.Expr { return pyast.N(operands[t.IntN(len(operands))]) }

// operand is what is joined.
func (t *tests) operand() pyast.Expr {
	switch t.IntN(10) {
	case 0:
		return pyast.Cmp(t.name(), pyast.Eq, pyast.Int(int64(t.IntN(3))))
	case 1:
		return pyast.Cmp(t.name(), pyast.Is, pyast.None())
	case 2:
		return pyast.Cmp(t.name(), pyast.NotIn, t.name())
	case 3:
		return pyast.CallE(pyast.Attr(t.name(), "ready"), t.name())
	case 4:
		return pyast.NotE(t.name())
	case 5:
		return pyast.Attr(t.name(), "state")
	}
	return t.name()
}

func (t *tests) joined(depth int) pyast.Expr {
	var list []pyast.Expr
	for range 2 + t.IntN(2) {
		switch {
		case depth == 0 || t.IntN(4) > 0:
			list = append(list, t.operand())
		case t.IntN(4) == 0:
			list = append(list, pyast.NotE(t.joined(depth-1)))
		default:
			list = append(list, t.joined(depth-1))
		}
	}
	return pyast.Join(pyast.BoolOpKind(t.IntN(2)), list...)
}

func (t *tests) test() pyast.Expr {
	if t.IntN(4) == 0 {
		return t.operand()
	}
	return t.joined(1)
}

func (t *tests) call() pyast.Stmt {
	switch t.IntN(4) {
	case 0:
		return &pyast.Assign{Targets: []pyast.Expr{t.name()}, Value: t.test()}
	case 1:
		return &pyast.Assert{Test: t.test()}
	}
	return pyast.ES(pyast.CallE(pyast.Attr(t.name(), "run"), t.name()))
}

// body is a list of statements, one of them compound.
func (t *tests) body(depth int, loop bool) []pyast.Stmt {
	var out []pyast.Stmt
	if depth == 0 || t.IntN(3) == 0 {
		out = append(out, t.call())
	}
	if depth > 0 {
		out = append(out, t.compound(depth-1, loop))
	}
	if leaves(out) || len(out) > 1 && t.IntN(2) == 0 {
		return out
	}
	switch n := t.IntN(5); {
	case n < 2:
		return append(out, &pyast.Return{Value: t.test()})
	case n == 2 && loop:
		return append(out, &pyast.Break{})
	case n == 3 && loop:
		return append(out, &pyast.Continue{})
	}
	return append(out, t.call())
}

// turn is the body of a loop: nobody writes one that never has a second turn.
func (t *tests) turn(depth int) []pyast.Stmt {
	body := t.body(depth, true)
	for len(body) > 0 && leaves(body) {
		body = body[:len(body)-1]
	}
	if len(body) == 0 || t.IntN(2) == 0 {
		body = append(body, t.call())
	}
	return body
}

// leaves reports whether nothing behind these statements is reached.
func leaves(list []pyast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *pyast.Return, *pyast.Break, *pyast.Continue:
		return true
	case *pyast.With:
		return leaves(s.Body)
	case *pyast.If:
		return leaves(s.Body) && leaves(s.OrElse)
	}
	return false
}

func (t *tests) compound(depth int, loop bool) pyast.Stmt {
	switch t.IntN(6) {
	case 0:
		return &pyast.While{Test: t.test(), Body: t.turn(depth)}
	case 1:
		return &pyast.For{Target: pyast.N("item"), Iter: t.name(), Body: t.turn(depth)}
	case 2:
		return &pyast.With{Items: []*pyast.WithItem{{ContextExpr: t.name()}}, Body: t.body(depth, loop)}
	case 3:
		s := &pyast.If{Test: t.test(), Body: t.body(depth, loop)}
		s.OrElse = []pyast.Stmt{&pyast.If{Test: t.test(), Body: t.body(depth, loop)}}
		return s
	case 4:
		return &pyast.If{Test: t.test(), Body: t.body(depth, loop), OrElse: t.body(depth, loop)}
	}
	return &pyast.If{Test: t.test(), Body: t.body(depth, loop)}
}
