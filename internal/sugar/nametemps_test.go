package sugar

import (
	"testing"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyprint"
)

func n(id string) pyast.Expr                        { return pyast.N(id) }
func str(s string) pyast.Expr                       { return pyast.Const(pyc.Str(s)) }
func attr(e pyast.Expr, a string) pyast.Expr        { return &pyast.Attribute{Value: e, Attr: a} }
func item(e, k pyast.Expr) pyast.Expr               { return &pyast.Subscript{Value: e, Slice: k} }
func call(f pyast.Expr, a ...pyast.Expr) pyast.Expr { return &pyast.Call{Func: f, Args: a} }
func set(name string, v pyast.Expr) pyast.Stmt {
	return &pyast.Assign{Targets: []pyast.Expr{n(name)}, Value: v}
}

func printed(t *testing.T, list []pyast.Stmt) string {
	t.Helper()
	text, err := pyprint.Print(&pyast.Module{Body: list}, pyc.V313, pyprint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestNamesComeFromValues names what was loaded after the way to it, in words that
// nothing else in the text has.
func TestNamesComeFromValues(t *testing.T) {
	list := []pyast.Stmt{
		set("%t1", attr(n("self"), "_modules")),
		set("%t2", attr(item(n("%t1"), str("ln")), "_parameters")),
		set("%t3", item(n("%t2"), str("weight"))),
		set("%t4", item(n("kwargs"), str("input_ids"))),
		set("%t5", attr(n("__import_torch"), "no_grad")),
		set("%t6", call(n("Config"))),
		set("%t7", call(n("load"), n("%t6"))),
		set("%t8", n("say")),
		set("%t9", item(n("graph_out_0"), pyast.Int(2))),
		set("%t10", item(n("self"), str("class"))),
		set("tmp_1", pyast.None()),
		set("tmp_1", call(attr(n("__import_torch"), "record_pregraph_bytecode_enter"))),
		pyast.ES(call(n("__resume_at_1"), n("%t3"), n("%t9"), n("tmp_1"))),
		pyast.ES(call(n("__builtin_iter"), n("%t11"))),
		set("%t11", attr(n("self"), "iter")),
	}
	NameTemps(list, Naming{
		Params:   map[string][]string{"__resume_at_1": {"___stack0", "x"}},
		Reserved: []string{"no_grad"},
		Scratch:  func(name string) bool { return name == "tmp_1" },
	})
	want := `modules = self._modules
ln_parameters = modules["ln"]._parameters
ln_weight = ln_parameters["weight"]
input_ids = kwargs["input_ids"]
no_grad_2 = __import_torch.no_grad
config = Config()
load_result = load(config)
say_2 = say
x = graph_out_0[2]
value = self["class"]
record = None
record = __import_torch.record_pregraph_bytecode_enter()
__resume_at_1(ln_weight, x, record)
__builtin_iter(iter_2)
iter_2 = self.iter
`
	if got := printed(t, list); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestScopesHaveTemporariesOfTheirOwn takes %t1 of a function and %t1 of one inside
// for two variables.
func TestScopesHaveTemporariesOfTheirOwn(t *testing.T) {
	list := []pyast.Stmt{
		set("%t1", attr(n("a"), "left")),
		&pyast.FunctionDef{Name: "f", Body: []pyast.Stmt{
			set("%t1", attr(n("b"), "right")),
			&pyast.Return{Value: n("%t1")},
		}},
		pyast.ES(call(n("f"), n("%t1"))),
	}
	NameTemps(list, Naming{})
	want := `a_left = a.left


def f():
    b_right = b.right
    return b_right


f(a_left)
`
	if got := printed(t, list); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestTablesShareNames names a module's dict after the module alone, and again for
// another layer's, unless both are needed at once.
func TestTablesShareNames(t *testing.T) {
	table := func(layer, part string) pyast.Expr {
		return attr(item(attr(item(n("self"), str(layer)), "_modules"), str(part)), "_parameters")
	}
	use := func(temps ...string) pyast.Stmt {
		c := call(n("f")).(*pyast.Call)
		for _, x := range temps {
			c.Args = append(c.Args, n(x))
		}
		return pyast.ES(c)
	}
	list := []pyast.Stmt{
		set("%t1", table("a", "ln")), use("%t1"),
		set("%t2", table("b", "ln")), use("%t2"),
		set("%t3", table("c", "ln")), use("%t2", "%t3"),
		set("%t4", table("0", "fc")), use("%t4"),
	}
	NameTemps(list, Naming{})
	want := `ln_parameters = self["a"]._modules["ln"]._parameters
f(ln_parameters)
ln_parameters = self["b"]._modules["ln"]._parameters
f(ln_parameters)
c_ln_parameters = self["c"]._modules["ln"]._parameters
f(ln_parameters, c_ln_parameters)
fc_parameters = self["0"]._modules["fc"]._parameters
f(fc_parameters)
`
	if got := printed(t, list); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestResultsOfGraphs calls them as the graph does, taken one by one or all at once.
func TestResultsOfGraphs(t *testing.T) {
	list := []pyast.Stmt{
		&pyast.Assign{Targets: []pyast.Expr{&pyast.Tuple{Elts: []pyast.Expr{n("x"), n("%t1")}}}, Value: call(n("__compiled_fn_1"))},
		set("graph_out_0", call(n("__compiled_fn_2"))),
		set("%t2", item(n("graph_out_0"), pyast.Int(0))),
		pyast.ES(call(n("f"), n("%t1"), n("%t2"))),
	}
	NameTemps(list, Naming{Outputs: map[string][]string{"__compiled_fn_1": {"y", "lt"}, "__compiled_fn_2": {"mul"}}})
	want := "x, lt = __compiled_fn_1()\ngraph_out_0 = __compiled_fn_2()\nmul = graph_out_0[0]\nf(lt, mul)\n"
	if got := printed(t, list); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
