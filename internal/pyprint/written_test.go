package pyprint

import (
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// on puts an expression on lines of the source, in columns that are known if to is.
func on[E pyast.Expr](e E, line, to, endCol int) E {
	p := e.Position()
	p.Line, p.EndLine, p.EndCol = line, to, endCol
	if to > 0 {
		p.Col = 1
	}
	return e
}

func name(id string, line int) *pyast.Name { return on(pyast.N(id), line, line, 2) }

// TestAsWritten: lists stand on as many lines as in the source, and lines are as long.
func TestAsWritten(t *testing.T) {
	long := strings.Repeat("word ", 30)
	call := func(f pyast.Expr, args ...pyast.Expr) *pyast.Call { return pyast.CallE(f, args...) }
	for _, c := range []struct {
		what string
		e    pyast.Expr
		want string
	}{
		{"one a line", call(name("f", 1), name("a", 2), name("b", 3)), "f(\n    a,\n    b,\n)\n"},
		{"a lone argument", call(name("f", 1), name("a", 2)), "f(\n    a\n)\n"},
		{"one line", call(name("f", 1), name("a", 1), name("b", 1)), "f(a, b)\n"},
		{"several a line", call(name("f", 1), name("a", 2), name("b", 2), name("c", 3)), "f(a, b, c)\n"},
		{"two, the first beside the bracket", call(name("f", 1), name("a", 1), name("b", 2)), "f(a, b)\n"},
		{"three, the first beside the bracket", call(name("f", 1), name("a", 1), name("b", 2), name("c", 3)), "f(\n    a,\n    b,\n    c,\n)\n"},
		{"an unknown place", call(name("f", 1), name("a", 2), pyast.N("b")), "f(a, b)\n"},
		{"a list in a list", on(&pyast.List{Elts: []pyast.Expr{on(&pyast.List{Elts: []pyast.Expr{name("a", 3), name("b", 4)}}, 2, 5, 2)}}, 1, 6, 2), "[\n    [\n        a,\n        b,\n    ]\n]\n"},
		{"and", on(&pyast.BoolOp{Op: pyast.And, Values: []pyast.Expr{name("a", 1), name("b", 2)}}, 1, 2, 2), "(\n    a\n    and b\n)\n"},
		{"a choice", on(&pyast.IfExp{Test: name("a", 2), Body: name("b", 1), OrElse: name("c", 3)}, 1, 3, 2), "(\n    b\n    if a\n    else c\n)\n"},
		{"calls below each other", call(on(pyast.Attr(call(on(pyast.Attr(call(name("a", 1)), "b"), 1, 2, 4)), "c"), 1, 3, 4)), "(\n    a()\n    .b()\n    .c()\n)\n"},
		{"a long line", on(call(name("f", 1), on(pyast.Str(long), 1, 1, 160)), 1, 1, 161), "f(\"" + long + "\")\n"},
		{"a literal over lines", on(call(name("f", 1), on(pyast.Str(long), 1, 2, 70)), 1, 2, 71), ""},
		{"where it ends is unknown", on(call(name("f", 1), on(pyast.Str(long), 1, 0, 0)), 1, 0, 0), ""},
	} {
		s := []pyast.Stmt{&pyast.Return{Value: c.e}}
		got, err := Stmts(s, pyc.V312, Options{AsWritten: true})
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		plain, _ := Stmts(s, pyc.V312, Options{})
		if want := c.want; want == "" && got != plain || want != "" && got != "return "+want {
			t.Errorf("%s:\n%swant:\n%s", c.what, got, c.want)
		}
	}
}

// TestParametersAsWritten: what has an annotation tells of its parameter; others have no place.
func TestParametersAsWritten(t *testing.T) {
	arg := func(id string, line int) *pyast.Arg {
		a := &pyast.Arg{Arg: id}
		if line > 0 {
			a.Annotation = name("int", line)
		}
		return a
	}
	def := func(args ...*pyast.Arg) []pyast.Stmt {
		return []pyast.Stmt{&pyast.FunctionDef{Name: "f", Args: &pyast.Arguments{Args: args}, Body: []pyast.Stmt{&pyast.Pass{}}}}
	}
	for _, c := range []struct {
		list []pyast.Stmt
		want string
	}{
		{def(arg("self", 0), arg("a", 2), arg("b", 3)), "def f(\n    self,\n    a: int,\n    b: int,\n):\n    pass\n"},
		{def(arg("a", 1), arg("b", 1)), "def f(a: int, b: int):\n    pass\n"},
		{def(arg("a", 2), arg("b", 0)), "def f(a: int, b):\n    pass\n"},
		{def(arg("a", 0), arg("b", 0)), "def f(a, b):\n    pass\n"},
	} {
		if got, err := Stmts(c.list, pyc.V312, Options{AsWritten: true}); err != nil || got != c.want {
			t.Errorf("%v:\n%swant:\n%s", err, got, c.want)
		}
	}
}
