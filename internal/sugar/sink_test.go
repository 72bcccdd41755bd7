package sugar

import (
	"testing"

	"github.com/thuml/depyf/internal/pyast"
)

// TestValuesSink moves values to their use where nothing with an effect comes to
// stand on their other side, and nowhere else.
func TestValuesSink(t *testing.T) {
	del := func(name string) pyast.Stmt { return &pyast.Delete{Targets: []pyast.Expr{n(name)}} }
	ret := func(e pyast.Expr) pyast.Stmt { return &pyast.Return{Value: e} }
	dict := func(key string, v pyast.Expr) pyast.Expr {
		return &pyast.Dict{Keys: []pyast.Expr{str(key)}, Values: []pyast.Expr{v}}
	}
	loop := func(target, iter string, body ...pyast.Stmt) pyast.Stmt {
		return &pyast.For{Target: n(target), Iter: n(iter), Body: body}
	}
	pair := &pyast.Tuple{Elts: []pyast.Expr{n("a"), n("b")}}
	for _, c := range []struct {
		name string
		in   []pyast.Stmt
		want string
	}{
		{"past a store of a constant", []pyast.Stmt{
			set("%t1", attr(n("x"), "a")), set("y", pyast.None()), ret(n("%t1")),
		}, "y = None\nreturn x.a\n"},
		{"not past a store to what it reads", []pyast.Stmt{
			set("%t1", attr(n("x"), "a")), set("x", pyast.None()), ret(n("%t1")),
		}, "T1 = x.a\nx = None\nreturn T1\n"},
		{"not past a call", []pyast.Stmt{
			set("%t1", attr(n("x"), "a")), pyast.ES(call(n("f"))), ret(n("%t1")),
		}, "T1 = x.a\nf()\nreturn T1\n"},
		{"not past the store of a variable that others see", []pyast.Stmt{
			set("%t1", attr(n("x"), "a")), set("cell", pyast.None()), ret(n("%t1")),
		}, "T1 = x.a\ncell = None\nreturn T1\n"},
		{"not behind a variable that others change", []pyast.Stmt{
			set("%t1", attr(n("x"), "a")), ret(call(n("cell"), n("%t1"))),
		}, "T1 = x.a\nreturn cell(T1)\n"},
		{"not behind another effect of its statement", []pyast.Stmt{
			set("%t1", attr(n("x"), "a")), ret(call(n("f"), attr(n("y"), "b"), n("%t1"))),
		}, "T1 = x.a\nreturn f(y.b, T1)\n"},
		{"into a dict, behind a name", []pyast.Stmt{
			set("%t1", attr(n("x"), "a")), ret(call(n("f"), n("y"), dict("k", n("%t1")))),
		}, "return f(y, {\"k\": x.a})\n"},
		{"a display past calls", []pyast.Stmt{
			set("%t1", dict("k", n("x"))), pyast.ES(call(n("f"))), ret(call(n("g"), attr(n("y"), "b"), n("%t1"))),
		}, "f()\nreturn g(y.b, {\"k\": x})\n"},
		{"a display not past a change of its items", []pyast.Stmt{
			set("%t1", dict("k", n("x"))), del("x"), ret(n("%t1")),
		}, "T1 = {\"k\": x}\ndel x\nreturn T1\n"},
		{"a display not into a loop", []pyast.Stmt{
			set("%t1", dict("k", n("x"))), loop("i", "y", pyast.ES(call(n("f"), n("%t1")))),
		}, "T1 = {\"k\": x}\nfor i in y:\n    f(T1)\n"},
		{"a loop unpacks its items", []pyast.Stmt{
			loop("%t1", "x", &pyast.Assign{Targets: []pyast.Expr{pair}, Value: n("%t1")}, pyast.ES(call(n("f"), n("a")))),
		}, "for a, b in x:\n    f(a)\n"},
		{"a display for nobody", []pyast.Stmt{
			set("%t1", dict("k", n("x"))), ret(n("y")),
		}, "return y\n"},
		{"a call for nobody", []pyast.Stmt{
			set("%t1", call(n("f"))), ret(n("y")),
		}, "f()\nreturn y\n"},
	} {
		list := inlineTemps(c.in, map[string]bool{"cell": true}, false)
		spellTemp(list)
		if got := printed(t, list); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// spellTemp gives the temporary a name that can be printed.
func spellTemp(list []pyast.Stmt) {
	for _, s := range list {
		pyast.Inspect(s, func(x pyast.Node) bool {
			eachName(x, func(id *string) {
				if *id == "%t1" {
					*id = "T1"
				}
			})
			return true
		})
	}
}
