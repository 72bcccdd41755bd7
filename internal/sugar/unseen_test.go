package sugar

import (
	"testing"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// TestNoTemporaryIsSeen puts what waits while a function looks at its variables into
// one expression, with all that happens in between, in its order.
func TestNoTemporaryIsSeen(t *testing.T) {
	del := func(name string) pyast.Stmt { return &pyast.Delete{Targets: []pyast.Expr{n(name)}} }
	ret := func(e pyast.Expr) pyast.Stmt { return &pyast.Return{Value: e} }
	item := func(e pyast.Expr, i int64) pyast.Expr { return pyast.Index(e, pyast.Int(i)) }
	const results = "graph_out_0"
	for _, c := range []struct {
		name string
		in   []pyast.Stmt
		want string
	}{
		{"a store", []pyast.Stmt{
			set("%t1", call(n("f"))), set("x", call(n("g"))), set("%t2", call(n("locals"))), ret(call(n("h"), n("%t1"), n("%t2"))),
		}, "return h((f(), x := g())[0], locals())\n"},
		{"a call for nobody, and one behind the look", []pyast.Stmt{
			set("%t1", call(n("f"))), pyast.ES(call(n("g"))), set("%t2", call(n("locals"))), pyast.ES(call(n("k"))), ret(call(n("h"), n("%t1"), n("%t2"))),
		}, "return h((f(), g())[0], (locals(), k())[0])\n"},
		{"a variable that is stored later", []pyast.Stmt{
			set("%t1", n("y")), set("y", call(n("g"))), ret(call(n("h"), n("%t1"), call(n("locals")))),
		}, "return h((y, y := g())[0], locals())\n"},
		{"beside an argument where what it takes along is read before", []pyast.Stmt{
			set("%t1", call(n("f"))), set("y", call(n("g"))), ret(call(n("h"), n("y"), n("%t1"))),
		}, "a = (a, f())\ny = g()\nreturn h(y, (a[1], a := a[0])[0])\n"},
		{"beside an argument where another effect comes first", []pyast.Stmt{
			set("%t1", call(n("f"))), set("%t2", call(n("g"))), ret(call(n("h"), n("%t2"), n("%t1"))),
		}, "a = (a, f())\nreturn h(g(), (a[1], a := a[0])[0])\n"},
		{"beside an argument past a deletion", []pyast.Stmt{
			set("%t1", call(n("f"))), del("cell"), ret(call(n("h"), n("%t1"))),
		}, "a = (a, f())\ndel cell\nreturn h((a[1], a := a[0])[0])\n"},
		{"beside an argument that nobody reads before", []pyast.Stmt{
			set("%t1", call(n("f"))), del("cell"), pyast.ES(call(n("g"), n("a"), n("b"))), ret(call(n("h"), n("a"), call(n("%t1")), n("b"))),
		}, "b = (b, f())\ndel cell\ng(a, b[0])\nreturn h(a, (b[1], b := b[0])[0](), b)\n"},
		{"not where it is read twice", []pyast.Stmt{
			set("%t1", call(n("f"))), del("cell"), ret(call(n("h"), n("%t1"), n("%t1"))),
		}, "T1 = f()\ndel cell\nreturn h(T1, T1)\n"},
		{"results in the variable that is stored last from them", []pyast.Stmt{
			set(results, call(n("f"))), set("x", item(n(results), 0)), set("y", item(n(results), 1)), del(results), ret(n("y")),
		}, "y = f()\nx = y[0]\ny = y[1]\nreturn y\n"},
		{"not in one that is read meanwhile", []pyast.Stmt{
			set(results, call(n("f"))), pyast.ES(call(n("g"), n("y"))), set("y", item(n(results), 1)), del(results), ret(n("y")),
		}, "a = (a, f())\ng(y)\ny = a[1][1]\na = a[0]\nreturn y\n"},
		{"not in one that others see", []pyast.Stmt{
			set(results, call(n("f"))), set("cell", item(n(results), 1)), del(results), ret(n("a")),
		}, "a = (a, f())\ncell = a[1][1]\na = a[0]\nreturn a\n"},
		{"results beside an argument", []pyast.Stmt{
			set(results, call(n("f"))), pyast.ES(call(n("g"), n("a"), item(n(results), 0))), del(results), ret(n("a")),
		}, "a = (a, f())\ng(a[0], a[1][0])\na = a[0]\nreturn a\n"},
		{"not beside one that is stored meanwhile", []pyast.Stmt{
			set(results, call(n("f"))), set("a", pyast.None()), pyast.ES(call(n("g"), item(n(results), 0))), del(results), ret(n("b")),
		}, "b = (b, f())\na = None\ng(b[1][0])\nb = b[0]\nreturn b\n"},
	} {
		o := Options{Function: true, Version: pyc.V312, Shared: map[string]bool{"cell": true}, Unseen: true, Args: []string{"cell", "a", "b"}}
		list, err := Body(c.in, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		spellTemp(list)
		if got := printed(t, list); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}
