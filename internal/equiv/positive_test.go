package equiv

import (
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// TestPositive compares the pairs of testdata/src/pairs: sources that mean the
// same and compile differently, one file for each known false difference.
func TestPositive(t *testing.T) {
	levels := map[string]Level{}
	corpusPairs(t, func(t *testing.T, name string, x, y *pyc.Code) {
		res := Compare(x, y, Options{})
		if !res.Equal {
			t.Errorf("%s: %s (offsets %d, %d)", name, res.Diff.String(), res.Where.A, res.Where.B)
		}
		if back := Compare(y, x, Options{}); back.Equal != res.Equal || back.Level != res.Level {
			t.Errorf("%s: the other way round: %s", name, back.Diff.String())
		}
		levels[name] = res.Level
	})
	// The pairs are worth something only if they differ.
	for _, name := range []string{"3.12/pairs/swap_lines", "3.12/pairs/method", "3.13/pairs/class_body", "3.10/pairs/is_none", "3.14/pairs/not_in"} {
		if levels[name] != E2 {
			t.Errorf("%s compares at level %s and tests nothing", name, levels[name])
		}
	}
}

// corpusPairs calls f for the function (or class body) "f" of every pair.
func corpusPairs(t *testing.T, f func(t *testing.T, name string, a, b *pyc.Code)) {
	files, _ := filepath.Glob("testdata/3.*/pairs/*.a.pyc")
	if len(files) < 100 {
		t.Fatalf("only %d pairs", len(files))
	}
	for _, a := range files {
		name := strings.TrimSuffix(filepath.ToSlash(a[len("testdata/"):]), ".a.pyc")
		f(t, name, inner(load(t, a), "f"), inner(load(t, strings.TrimSuffix(a, ".a.pyc")+".b.pyc"), "f"))
	}
}

// inner returns the code constant of that name.
func inner(c *pyc.Code, name string) *pyc.Code {
	for _, k := range c.Consts {
		if k, ok := k.(*pyc.Code); ok && k.Name == name {
			return k
		}
	}
	return nil
}

// edit returns a copy of c, changed by f; constants, names and bytes are copies.
func edit(c *pyc.Code, f func(c *pyc.Code)) *pyc.Code {
	d := *c
	d.Bytecode = slices.Clone(c.Bytecode)
	d.Consts = slices.Clone(c.Consts)
	d.Names = slices.Clone(c.Names)
	d.LocalsPlusNames = slices.Clone(c.LocalsPlusNames)
	d.LocalsPlusKinds = slices.Clone(c.LocalsPlusKinds)
	d.ExceptionTable = slices.Clone(c.ExceptionTable)
	f(&d)
	return &d
}

func codeNamed(t *testing.T, file, name string) *pyc.Code {
	t.Helper()
	var out *pyc.Code
	eachCode(load(t, "testdata/"+file), func(c *pyc.Code) {
		if c.Name == name && out == nil {
			out = c
		}
	})
	if out == nil {
		t.Fatalf("%s has no %s", file, name)
	}
	return out
}

func TestHarmless(t *testing.T) {
	f := codeNamed(t, "3.13/base.pyc", "loops")
	class := codeNamed(t, "3.13/pairs/class_body.a.pyc", "f")
	for what, c := range map[string][2]*pyc.Code{
		"file name, lines and stack size": {f, edit(f, func(c *pyc.Code) {
			c.Filename, c.FirstLine, c.LineTable, c.StackSize = "elsewhere.py", 99, nil, 77
		})},
		"an unused local": {f, edit(f, func(c *pyc.Code) {
			c.LocalsPlusNames = append(c.LocalsPlusNames, "unused")
			c.LocalsPlusKinds = append(c.LocalsPlusKinds, pyc.KindLocal)
		})},
		"an unused constant and name": {f, edit(f, func(c *pyc.Code) {
			c.Consts = append(c.Consts, pyc.Str("unused"))
			c.Names = append(c.Names, "unused")
		})},
		"order of __static_attributes__": {class, edit(class, func(c *pyc.Code) {
			for i, k := range c.Consts {
				if tuple, ok := k.(pyc.Tuple); ok && len(tuple) == 4 {
					tuple = slices.Clone(tuple)
					slices.Reverse(tuple)
					c.Consts[i] = tuple
				}
			}
		})},
	} {
		if res := Compare(c[0], c[1], Options{}); !res.Equal {
			t.Errorf("%s: %s", what, res.Diff.String())
		}
	}
}

// Constants are equal only if a program cannot tell them apart.
func TestConstants(t *testing.T) {
	one := pyc.Int{Big: big.NewInt(1)}
	float := func(bits uint64) pyc.Float { return pyc.Float{Bits: bits} }
	different := []pyc.Const{
		pyc.None{},
		pyc.Ellipsis{},
		pyc.StopIteration{},
		pyc.Bool(true), pyc.Bool(false), one,
		pyc.Int{Big: big.NewInt(0)},
		pyc.Int{Big: new(big.Int).Lsh(big.NewInt(1), 70)},
		float(0), float(1 << 63), float(0x3ff0000000000000), float(0x7ff8000000000000), float(0x7ff8000000000001),
		pyc.Complex{Real: float(0)},
		pyc.Complex{Imag: float(0), Real: float(1 << 63)},
		pyc.Str(""), pyc.Str("1"), pyc.Bytes("1"), pyc.Bytes(""),
		pyc.Tuple{},
		pyc.Tuple{one},
		pyc.Tuple{pyc.Bool(true)},
		pyc.Tuple{one, one},
		pyc.Tuple{pyc.Tuple{one}},
		pyc.FrozenSet{one},
		pyc.FrozenSet{},
		pyc.List{},
		pyc.Set{},
		pyc.Dict{},
		pyc.FrozenDict{},
		pyc.Slice{Start: one, Stop: pyc.None{}, Step: pyc.None{}},
		pyc.Slice{Start: pyc.None{}, Stop: one, Step: pyc.None{}},
		&pyc.Opaque{ID: 1}, &pyc.Opaque{ID: 2}, &pyc.Code{Name: "a"}, &pyc.Code{Name: "a"},
	}
	for i, a := range different {
		for k, b := range different {
			if got := constEqual(a, b, sameCode); got != (i == k) {
				t.Errorf("constEqual(%v, %v) = %v", a, b, got)
			}
			var p, q strings.Builder
			writeConst(&p, a)
			writeConst(&q, b)
			if (p.String() == q.String()) != (i == k) {
				t.Errorf("%v and %v are written %s and %s", a, b, p.String(), q.String())
			}
		}
	}
	if !constEqual(pyc.FrozenSet{one, pyc.Str("a")}, pyc.FrozenSet{pyc.Str("a"), one}, nil) {
		t.Error("sets have an order")
	}
	if constEqual(pyc.FrozenSet{one, one}, pyc.FrozenSet{one, pyc.Str("a")}, nil) {
		t.Error("one element of a set counts twice")
	}
}
