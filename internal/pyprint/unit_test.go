package pyprint

import (
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

func float(v float64) pyc.Float { return pyc.Float{Bits: math.Float64bits(v)} }

var (
	nan  = math.NaN()
	inf  = math.Inf(1)
	zneg = math.Copysign(0, -1)
)

func cplx(re, im float64) pyc.Complex { return pyc.Complex{Real: float(re), Imag: float(im)} }

func integer(i int64) pyc.Int { return pyc.Int{Big: big.NewInt(i)} }

// TestConstants covers what the compiler folds and no literal expresses.
func TestConstants(t *testing.T) {
	N, C := pyast.N, func(c pyc.Const) pyast.Expr { return pyast.Const(c) }
	bin := func(l pyast.Expr, op pyast.BinOpKind, r pyast.Expr) pyast.Expr {
		return &pyast.BinOp{Left: l, Op: op, Right: r}
	}
	two := integer(2)
	for _, c := range []struct {
		e    pyast.Expr
		want string
	}{
		{C(integer(-5)), "-5"},
		{pyast.Attr(C(integer(-5)), "real"), "(-5).real"},
		{pyast.Attr(C(integer(5)), "real"), "(5).real"},
		{bin(C(integer(-5)), pyast.Pow, N("x")), "(-5) ** x"},
		{bin(N("x"), pyast.Pow, C(integer(-5))), "x**-5"},
		{bin(N("x"), pyast.Sub, C(integer(-5))), "x - -5"},
		{C(float(zneg)), "-0.0"},
		{C(float(inf)), "1e309"},
		{C(float(-inf)), "-1e309"},
		{C(pyc.Float{Bits: 0xfff8 << 48}), "1e309 - 1e309"},
		{C(pyc.Float{Bits: 0x7ff8 << 48}), "-(1e309 - 1e309)"},
		{pyast.Attr(C(pyc.Float{Bits: 0xfff8 << 48}), "hex"), "(1e309 - 1e309).hex"},
		{C(float(1e22)), "1e22"},
		{C(float(1e15)), "1000000000000000.0"},
		{C(float(1.5e-9)), "1.5e-9"},
		{C(float(5e-324)), "5e-324"},
		{C(cplx(0, 2)), "2j"},
		{C(cplx(1, -2.5)), "1 - 2.5j"},
		{bin(N("x"), pyast.Mult, C(cplx(1, 2))), "x * (1 + 2j)"},
		{C(pyc.Int{Big: new(big.Int).Lsh(big.NewInt(1), 20000)}), "0x1" + strings.Repeat("0", 5000)},
		{C(pyc.Str("\xed\xa0\x80\x00")), `"\ud800\x00"`},
		{C(pyc.Bytes("it's \"\xff")), `b"it's \"\xff"`},
		{C(pyc.Tuple{}), "()"},
		{C(pyc.Tuple{pyc.Str("a")}), `("a",)`},
		{C(pyc.Tuple{integer(1), pyc.Tuple{two, pyc.None{}}}), "(1, (2, None))"},
		{pyast.Cmp(N("x"), pyast.In, C(pyc.FrozenSet{integer(1), two})), "x in {1, 2}"},
		{pyast.Cmp(N("x"), pyast.NotIn, C(pyc.Tuple{integer(1), two})), "x not in (1, 2)"},
		{C(pyc.FrozenSet{integer(1)}), "frozenset({1})"},
		{C(pyc.FrozenSet{}), "frozenset()"},
		{pyast.Index(N("a"), C(pyc.Slice{Start: integer(1), Stop: two, Step: pyc.None{}})), "a[1:2]"},
		{pyast.Index(N("a"), C(pyc.Tuple{integer(1), pyc.Slice{Start: pyc.None{}, Stop: two, Step: pyc.None{}}})), "a[1, :2]"},
		{pyast.Index(N("a"), C(pyc.Tuple{integer(1), two})), "a[1, 2]"},
		{pyast.Index(N("a"), C(pyc.Tuple{})), "a[()]"},
		{C(pyc.Slice{Start: integer(1), Stop: two, Step: pyc.None{}}), "slice(1, 2)"},
		{C(pyc.Slice{Start: pyc.None{}, Stop: two, Step: two}), "slice(None, 2, 2)"},
		{C(pyc.Slice{Start: pyc.None{}, Stop: two, Step: pyc.None{}}), "slice(2)"},
		{C(pyc.FrozenDict{{Key: pyc.Str("a"), Value: two}}), `frozendict({"a": 2})`},
		{C(pyc.List{two}), "[2]"},
		{C(pyc.Set{}), "{*()}"},
		{C(pyc.Dict{{Key: two, Value: pyc.Bool(true)}}), "{2: True}"},
		{C(&pyc.Opaque{Name: "torch_float32"}), "torch_float32"},
		{C(pyc.Ellipsis{}), "..."},
		{&pyast.JoinedStr{Values: []pyast.Expr{&pyast.FormattedValue{Value: C(pyc.Tuple{two})}}}, `f"{(2,)}"`},
		{&pyast.FormattedValue{Value: N("x"), Conversion: 'r'}, `f"{x!r}"`},
		{&pyast.Verbatim{Text: "??", Prec: pyast.VerbatimAtom}, "??"},
		{pyast.Attr(&pyast.Verbatim{Text: "a + b"}, "c"), "(a + b).c"},
		{pyast.NotE(pyast.Cmp(N("a"), pyast.In, N("b"))), "not (a in b)"},
	} {
		for _, v := range []pyc.Version{pyc.V37, pyc.V315} {
			if got, err := Expr(c.e, v); got != c.want || err != nil {
				t.Errorf("%s: %s: got %s, want %s (%v)", v, pyast.Dump(c.e, ""), got, c.want, err)
			}
		}
	}
}

// TestComplexSigns evaluates the printed text in Go, with both rules for
// mixing real and complex operands.
func TestComplexSigns(t *testing.T) {
	parts := []float64{0, zneg, 1, -1, 1.5, inf, -inf, nan, 1e300, -2.5e-9}
	for _, v := range []pyc.Version{pyc.V313, pyc.V314} {
		for _, re := range parts {
			for _, im := range parts {
				text, _ := (grammar{v}).complexText(cplx(re, im))
				gotRe, gotIm := evalComplex(text, v)
				if re != re || im != im {
					continue // NaN parts are best effort
				}
				if math.Float64bits(gotRe) != math.Float64bits(re) || math.Float64bits(gotIm) != math.Float64bits(im) {
					t.Errorf("%s: (%v, %v) printed as %s, which is (%v, %v)", v, re, im, text, gotRe, gotIm)
				}
			}
		}
	}
}

// evalComplex understands [-](a ± bj), a ± bj and [-]bj.
func evalComplex(s string, v pyc.Version) (re, im float64) {
	if rest, ok := strings.CutPrefix(s, "-("); ok {
		re, im = evalComplex(strings.TrimSuffix(rest, ")"), v)
		return -re, -im
	}
	num := func(s string) float64 {
		neg := strings.HasPrefix(s, "-")
		f, _ := new(big.Float).SetString(strings.TrimPrefix(s, "-"))
		x := 0.0
		if f != nil {
			x, _ = f.Float64()
		}
		if neg {
			x = -x
		}
		return x
	}
	zero := 0.0
	for _, op := range []string{" + ", " - "} {
		a, b, ok := strings.Cut(s, op)
		if !ok {
			continue
		}
		x, y := num(a), num(strings.TrimSuffix(b, "j"))
		switch {
		case op == " + " && v >= pyc.V314:
			return x + zero, y
		case op == " + ":
			return x + zero, zero + y
		case v >= pyc.V314:
			return x - zero, -y
		default:
			return x - zero, zero - y
		}
	}
	y := num(strings.TrimSuffix(s, "j"))
	if strings.HasPrefix(s, "-") {
		return -zero, y
	}
	return zero, y
}

// TestProblems checks that nothing inexpressible passes silently.
func TestProblems(t *testing.T) {
	N := pyast.N
	star := &pyast.Starred{Value: N("b")}
	deco := func(e pyast.Expr) pyast.Stmt {
		return &pyast.FunctionDef{Name: "f", DecoratorList: []pyast.Expr{e}, Body: []pyast.Stmt{&pyast.Pass{}}}
	}
	control := &pyast.JoinedStr{Values: []pyast.Expr{&pyast.FormattedValue{Value: pyast.CallE(pyast.Attr(pyast.Str("\r"), "join"), N("x"))}}}
	converted := &pyast.JoinedStr{Values: []pyast.Expr{pyast.Str("100%: "), &pyast.FormattedValue{Value: pyast.CallE(pyast.Attr(pyast.Str("\r"), "join"), N("x")), Conversion: 's'}}}
	for _, c := range []struct {
		s     pyast.Stmt
		v     pyc.Version // the newest that cannot, or 0
		text  string      // printed nevertheless
		newer string      // printed by the next version
	}{
		{pyast.ES(&pyast.NamedExpr{Target: N("a"), Value: N("b")}), pyc.V37, "(a := b)", "(a := b)"},
		{pyast.ES(pyast.Index(N("a"), &pyast.Tuple{Elts: []pyast.Expr{star}})), 0, "a[(*b,)]", "a[*b]"},
		{&pyast.Return{Value: &pyast.Tuple{Elts: []pyast.Expr{N("a"), star}}}, 0, "return (a, *b)", "return a, *b"},
		{deco(pyast.Index(N("a"), N("b"))), pyc.V38, "@a[b]\ndef f():\n    pass", "@a[b]\ndef f():\n    pass"},
		{&pyast.Import{Names: []*pyast.Alias{{Name: "a"}}, IsLazy: true}, pyc.V314, "lazy import a", "lazy import a"},
		{pyast.ES(control), pyc.V311, `"{}".format("\r".join(x))`, `f"{'\r'.join(x)}"`},
		{pyast.ES(converted), pyc.V310, `"100%: {!s}".format("\r".join(x))`, `("100%%: %s" % ("\r".join(x),))`},
		{pyast.ES(N(".0")), pyc.V315, ".0", ""},
		{pyast.ES(N("class")), pyc.V315, "class", ""},
		{pyast.ES(nil), pyc.V315, "...", ""},
		{&pyast.Try{Body: []pyast.Stmt{&pyast.Pass{}}}, pyc.V315, "try:\n    pass\nfinally:\n    pass", ""},
		{pyast.ES(&pyast.Slice{Lower: N("a")}), pyc.V315, "slice(a, None)", ""},
		{pyast.ES(pyast.Const(&pyc.Code{})), pyc.V315, "...", ""},
	} {
		if c.v != 0 {
			got, err := Stmts([]pyast.Stmt{c.s}, c.v, Options{})
			if err == nil || got != c.text+"\n" {
				t.Errorf("%s: got %q, %v; want %q and an error", c.v, got, err, c.text)
			}
		} else if got, err := Stmts([]pyast.Stmt{c.s}, pyc.V37, Options{}); err != nil || got != c.text+"\n" {
			t.Errorf("got %q, %v; want %q", got, err, c.text)
		}
		v := c.v + 1
		if c.v == 0 {
			v = pyc.V315
		}
		if v > pyc.V315 {
			continue
		}
		if got, err := Stmts([]pyast.Stmt{c.s}, v, Options{}); err != nil || got != c.newer+"\n" {
			t.Errorf("%s: got %q, %v; want %q", v, got, err, c.newer)
		}
	}
}

func TestLayoutOfStatements(t *testing.T) {
	def := func(name string, body ...pyast.Stmt) *pyast.FunctionDef {
		return &pyast.FunctionDef{Name: name, Body: body}
	}
	inner := def("g", &pyast.Return{})
	ret := &pyast.Return{Value: pyast.N("x")}
	f := def("f", &pyast.Comment{Text: "Only a note."})
	elif := &pyast.If{Test: pyast.N("b"), Body: []pyast.Stmt{&pyast.Pass{}}}
	cond := &pyast.If{Test: pyast.N("a"), Body: []pyast.Stmt{ret}, OrElse: []pyast.Stmt{elif}}
	m := &pyast.Module{Body: []pyast.Stmt{
		&pyast.Comment{Text: "Header\nin two lines"},
		&pyast.Blank{},
		&pyast.Import{Names: []*pyast.Alias{{Name: "a"}}},
		pyast.AssignS(pyast.N("x"), pyast.Int(1)),
		&pyast.Comment{Text: "About f."},
		f,
		def("h", &pyast.Comment{Text: "First."}, inner, ret),
		cond,
		&pyast.Blank{},
		&pyast.Pass{},
	}}
	spans := map[pyast.Node]Span{}
	got, err := Print(m, pyc.V314, Options{Spans: spans})
	if err != nil {
		t.Fatal(err)
	}
	want := `# Header
# in two lines

import a

x = 1


# About f.
def f():
    # Only a note.
    pass


def h():
    # First.
    def g():
        return

    return x


if a:
    return x
elif b:
    pass

pass
`
	if got != want {
		t.Errorf("got:\n%s", got)
	}
	for _, c := range []struct {
		n    pyast.Node
		want Span
	}{{f, Span{10, 12}}, {inner, Span{17, 18}}, {cond, Span{23, 26}}, {elif, Span{25, 26}}, {m.Body[0], Span{1, 2}}} {
		if spans[c.n] != c.want {
			t.Errorf("%s: span %v, want %v", pyast.NameOf(c.n), spans[c.n], c.want)
		}
	}
}

func TestDecoratedSpan(t *testing.T) {
	f := &pyast.FunctionDef{Name: "f", DecoratorList: []pyast.Expr{pyast.N("d")}, Body: []pyast.Stmt{&pyast.Pass{}}}
	spans := map[pyast.Node]Span{}
	if _, err := Stmts([]pyast.Stmt{f}, pyc.V314, Options{Spans: spans}); err != nil || spans[f] != (Span{2, 3}) {
		t.Error(spans[f], err)
	}
}

func TestLevelAndWidth(t *testing.T) {
	s := []pyast.Stmt{pyast.ES(pyast.CallE(pyast.N("function"), pyast.N("argument"), pyast.N("other")))}
	got, err := Stmts(s, pyc.V314, Options{Level: 1, Width: 20})
	want := "    function(\n        argument,\n        other,\n    )\n"
	if got != want || err != nil {
		t.Errorf("%q %v", got, err)
	}
}

// TestNoPanic gives the printer trees that no parser makes.
func TestNoPanic(t *testing.T) {
	loop := &pyast.UnaryOp{Op: pyast.Not}
	loop.Operand = loop
	bad := []pyast.Stmt{
		nil, pyast.ES(loop), &pyast.If{}, &pyast.For{}, &pyast.With{}, &pyast.Match{Cases: []*pyast.MatchCase{nil, {}}},
		&pyast.Assign{}, &pyast.FunctionDef{Args: &pyast.Arguments{Args: []*pyast.Arg{nil}, Defaults: make([]pyast.Expr, 3)}},
		pyast.ES(&pyast.Compare{Ops: []pyast.CmpOpKind{99}}), pyast.ES(&pyast.Dict{Values: make([]pyast.Expr, 2)}),
		pyast.ES(&pyast.ListComp{Generators: []*pyast.Comprehension{nil}}), pyast.ES((*pyast.Name)(nil)),
		&pyast.Import{Names: []*pyast.Alias{nil}}, &pyast.ImportFrom{Level: -5},
		pyast.ES(&pyast.BinOp{Op: 99}), pyast.ES(&pyast.Constant{}),
	}
	for _, s := range bad {
		if _, err := Print(&pyast.Module{Body: []pyast.Stmt{s}}, pyc.V314, Options{}); err == nil {
			t.Errorf("no error for %T", s)
		}
	}
	if _, err := Print(nil, pyc.V314, Options{}); err == nil {
		t.Error("no error for no module")
	}
}

// TestSize bounds the time for trees that are large in one dimension.
func TestSize(t *testing.T) {
	nested := pyast.Expr(pyast.N("x"))
	sum := pyast.Expr(pyast.N("x"))
	attrs := pyast.Expr(pyast.N("x"))
	for range 5000 {
		nested = &pyast.List{Elts: []pyast.Expr{nested, pyast.N("y")}}
		sum = &pyast.BinOp{Left: sum, Right: pyast.Int(1)}
		attrs = pyast.CallE(pyast.Attr(attrs, "method"), pyast.N("argument"))
	}
	long := &pyast.List{}
	for range 100000 {
		long.Elts = append(long.Elts, &pyast.Tuple{Elts: []pyast.Expr{pyast.Int(1), pyast.Str("two")}})
	}
	var chain []pyast.Stmt
	for range 5000 {
		chain = []pyast.Stmt{&pyast.If{Test: pyast.N("x"), Body: []pyast.Stmt{&pyast.Pass{}}, OrElse: chain}}
	}
	text := pyast.Str(strings.Repeat("word and ", 100000))
	blob := pyast.Const(pyc.Bytes(strings.Repeat("\x00", 500000)))
	m := &pyast.Module{Body: chain}
	for _, e := range []pyast.Expr{nested, sum, attrs, long, text, blob} {
		m.Body = append(m.Body, pyast.AssignS(pyast.N("x"), e))
	}
	start := time.Now()
	if _, err := Print(m, pyc.V314, Options{}); err != nil {
		t.Fatal(err)
	}
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("took %v", d)
	} else {
		t.Log(d)
	}
}

func FuzzPrint(f *testing.F) {
	f.Add([]byte(`{"node":"Module","body":[{"node":"Return","value":{"node":"Name","id":"x"}}]}`), uint8(11))
	f.Add([]byte(`{"node":"Module","body":[{"node":"Expr","value":{"node":"JoinedStr","values":[{"node":"FormattedValue","value":{"node":"Constant","value":"\n'\""}}]}}]}`), uint8(11))
	f.Fuzz(func(t *testing.T, data []byte, minor uint8) {
		m, err := pyast.DecodeModule(data)
		if err != nil {
			return
		}
		v := pyc.V37 + pyc.Version(minor%9)
		a, errA := Print(m, v, Options{Width: 40})
		b, _ := Print(pyast.Clone(m), v, Options{Width: 40})
		if a != b {
			t.Fatal("printing is not deterministic")
		}
		if errA != nil && strings.Contains(errA.Error(), "internal error") && !strings.Contains(errA.Error(), "nil pointer") {
			t.Fatal(errA)
		}
	})
}

func BenchmarkPrint(b *testing.B) {
	m := goldenModule(b, "testdata/golden/common.txtar")
	b.ReportAllocs()
	for b.Loop() {
		text, err := Print(m, pyc.V314, Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(text)))
	}
}
