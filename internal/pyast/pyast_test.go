package pyast

import (
	"bytes"
	"math"
	"math/big"
	"reflect"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// fill makes a node of type t whose every field is set, so that an operation
// that forgets a field is caught without a test per node type.
func fill(p reflect.Value, depth int, seed *int) {
	s := schemaOf[p.Type()]
	for _, f := range s.fields {
		fillValue(p.Elem().Field(f.index), depth, seed)
	}
	*seed++
	*p.Interface().(Node).Position() = At(*seed, 2**seed)
}

func fillValue(v reflect.Value, depth int, seed *int) {
	*seed++
	t := v.Type()
	switch {
	case t == constType:
		v.Set(reflect.ValueOf(sampleConsts[*seed%len(sampleConsts)]))
	case t.Implements(nodeType):
		for i := range allNodes {
			at := reflect.TypeOf(allNodes[(i+*seed)%len(allNodes)])
			leaf := at == reflect.TypeFor[*Name]() || at == reflect.TypeFor[*Pass]() || at == reflect.TypeFor[*MatchStar]()
			if at.AssignableTo(t) && (depth > 0 || leaf || t.Kind() == reflect.Pointer) {
				n := reflect.New(at.Elem())
				if depth >= 0 {
					fill(n, depth-1, seed)
				}
				v.Set(n)
				return
			}
		}
	case t.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(t, 2, 2))
		fillValue(v.Index(0), depth, seed)
		fillValue(v.Index(1), depth, seed)
	case t.Kind() == reflect.String:
		v.SetString(string(rune('a' + *seed%26)))
	case t.Kind() == reflect.Bool:
		v.SetBool(true)
	case t.Kind() == reflect.Int:
		v.SetInt(int64(*seed))
	case t.Kind() == reflect.Int32:
		v.SetInt(int64("sra"[*seed%3]))
	case t.Kind() == reflect.Uint8:
		v.SetUint(uint64(*seed % len(opNames[t])))
	}
}

var sampleConsts = []pyc.Const{
	pyc.None{},
	pyc.Bool(true),
	pyc.Ellipsis{},
	pyc.StopIteration{},
	pyc.Int{Big: big.NewInt(-7)},
	pyc.Int{Big: new(big.Int).Lsh(big.NewInt(-3), 200)},
	pyc.Float{Bits: math.Float64bits(1.5)},
	pyc.Float{Bits: 1 << 63},
	pyc.Float{Bits: 0x7ff8000000000001},
	pyc.Float{Bits: math.Float64bits(math.Inf(-1))},
	pyc.Complex{Real: pyc.Float{Bits: 1 << 63}, Imag: pyc.Float{Bits: math.Float64bits(2e300)}},
	pyc.Str("é\n<&>"), pyc.Str("\xed\xa0\x80"), pyc.Bytes("\xff\x00"),
	pyc.Tuple{pyc.Str("x"), pyc.Tuple{}},
	pyc.FrozenSet{pyc.Bool(false)},
	pyc.List{pyc.None{}},
	pyc.Set{pyc.None{}},
	pyc.Dict{{Key: pyc.Str("k"), Value: pyc.None{}}},
	pyc.FrozenDict{{Key: pyc.Str("k"), Value: pyc.None{}}},
	pyc.Slice{Start: pyc.None{}, Stop: pyc.Int{Big: big.NewInt(2)}, Step: pyc.None{}},
	&pyc.Opaque{ID: 9, Type: "torch.dtype", Name: "float32", Text: "torch.float32"},
}

func samples() []Node {
	var out []Node
	seed := 0
	for _, n := range allNodes {
		for range 4 {
			p := reflect.New(reflect.TypeOf(n).Elem())
			fill(p, 2, &seed)
			out = append(out, p.Interface().(Node))
		}
	}
	for _, c := range sampleConsts {
		out = append(out, Const(c))
	}
	return out
}

func TestEveryNode(t *testing.T) {
	for _, n := range samples() {
		c := Clone(n)
		if !Equal(n, c) || !reflect.DeepEqual(n, c) {
			t.Errorf("clone differs: %s", Dump(n, ""))
		}
		data, err := EncodeJSON(n)
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeJSON(data)
		if err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		if !Equal(n, back) {
			t.Errorf("JSON differs:\n%s\n%s", Dump(n, ""), Dump(back, ""))
		}
		again, err := EncodeJSON(back)
		if err != nil || !bytes.Equal(data, again) {
			t.Errorf("positions lost:\n%s\n%s", data, again)
		}
		// A change anywhere below must show in the copy only.
		changed := false
		Walk(c, func(n Node) bool {
			if x, ok := n.(*Name); ok && !changed {
				x.Id, changed = "changed_name", true
			}
			return true
		}, nil)
		if changed && Equal(n, c) {
			t.Errorf("clone shares nodes: %s", Dump(n, ""))
		}
	}
}

// TestWalkIsComplete compares the hand-written child lists with the schema.
func TestWalkIsComplete(t *testing.T) {
	for _, n := range samples() {
		want := map[Node]bool{}
		collect(reflect.ValueOf(n), want)
		delete(want, n)
		Children(n, func(c Node) {
			if !want[c] {
				t.Errorf("%s: reported twice or not a child: %s", NameOf(n), NameOf(c))
			}
			delete(want, c)
		})
		for c := range want {
			t.Errorf("%s: forgotten child %s", NameOf(n), NameOf(c))
		}
	}
}

func collect(p reflect.Value, into map[Node]bool) {
	for _, f := range schemaOf[p.Type()].fields {
		v := p.Elem().Field(f.index)
		vs := []reflect.Value{v}
		if v.Kind() == reflect.Slice {
			vs = nil
			for i := range v.Len() {
				vs = append(vs, v.Index(i))
			}
		}
		for _, v := range vs {
			if v.Type() == constType || !v.Type().Implements(nodeType) || v.IsNil() {
				continue
			}
			into[v.Interface().(Node)] = true
		}
	}
}

func TestRewrite(t *testing.T) {
	s := &If{Test: N("a"), Body: []Stmt{&Return{Value: CallE(N("a"), N("b"))}}}
	Rewrite(s, func(e Expr) Expr {
		if x, ok := e.(*Name); ok && x.Id == "a" {
			return Attr(N("self"), "a")
		}
		return e
	})
	want := &If{Test: Attr(N("self"), "a"), Body: []Stmt{&Return{Value: CallE(Attr(N("self"), "a"), N("b"))}}}
	if !Equal(s, want) {
		t.Error(Dump(s, ""))
	}
	if e := RewriteExpr(N("x"), func(Expr) Expr { return Int(1) }); !Equal(e, Int(1)) {
		t.Error(Dump(e, ""))
	}
	RewriteBlocks(s, func(b []Stmt) []Stmt { return append(b, &Pass{}) })
	if len(s.Body) != 2 || len(s.OrElse) != 1 {
		t.Error(Dump(s, ""))
	}
}

func TestEqualConst(t *testing.T) {
	for i, a := range sampleConsts {
		for j, b := range sampleConsts {
			if EqualConst(a, b) != (i == j) {
				t.Errorf("EqualConst(%s, %s)", ConstRepr(a), ConstRepr(b))
			}
		}
	}
	if EqualConst(pyc.Float{}, pyc.Float{Bits: 1 << 63}) || EqualConst(pyc.Bool(true), pyc.Int{Big: big.NewInt(1)}) {
		t.Error("too lax")
	}
}

func TestDump(t *testing.T) {
	got := Dump(&FunctionDef{Name: "f", Body: []Stmt{&Return{Value: Str("a'b")}, &Pass{}}}, "  ")
	want := "FunctionDef(name='f', body=[\n  Return(value=Constant(value=\"a'b\")),\n  Pass()])"
	if got != want {
		t.Errorf("%s", got)
	}
}

func FuzzDecodeJSON(f *testing.F) {
	for _, n := range samples() {
		data, _ := EncodeJSON(n)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := DecodeJSON(data)
		if err != nil {
			return
		}
		out, err := EncodeJSON(n)
		if err != nil {
			return // a nil constant inside a sequence of nodes, for example
		}
		back, err := DecodeJSON(out)
		if err != nil || !Equal(n, back) {
			t.Fatalf("%v: %s", err, out)
		}
		_ = Dump(Clone(n), " ")
	})
}
