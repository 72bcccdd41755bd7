package main

import (
	"testing"

	"github.com/thuml/depyf/internal/cases"
	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyworker"
)

const casesDir = "../../testdata/cases"

// withCPythons runs a test for each version whose CPython is at hand, with the compiled cases.
func withCPythons(t *testing.T, test func(t *testing.T, v pyc.Version, pool *pyworker.Pool, codes map[string]*pyc.Code)) {
	for v := pyc.Oldest; v <= pyc.Newest; v++ {
		t.Run(v.String(), func(t *testing.T) {
			t.Parallel()
			pool, err := pyworker.NewPool(v, pyworker.Options{Workers: 1})
			if err != nil {
				t.Skipf("NOT RUN: %v", err)
			}
			defer pool.Close()
			codes, err := cases.Compiled(casesDir, v)
			if err != nil {
				t.Fatal(err)
			}
			test(t, v, pool, codes)
		})
	}
}

// TestCasesAreExact proves the text of every case on every version whose CPython
// is at hand. A case may say that a version is open; then it must not be exact,
// so that the note goes when the reason has gone.
func TestCasesAreExact(t *testing.T) {
	list, err := cases.Load(casesDir)
	if err != nil {
		t.Fatal(err)
	}
	withCPythons(t, func(t *testing.T, v pyc.Version, pool *pyworker.Pool, codes map[string]*pyc.Code) {
		for _, c := range list {
			code := codes[c.Name]
			if code == nil {
				continue
			}
			r, err := decompile.Module(code, decompile.Options{Compile: pool.CompileFlags})
			switch open := c.Open(v); {
			case err != nil:
				t.Errorf("%s: %v", c.Name, err)
			case open == "" && r.Verdict != decompile.Exact:
				t.Errorf("%s: %s %s", c.Name, r.Verdict, r.Detail)
			case open != "" && r.Verdict == decompile.Exact:
				t.Errorf("%s: exact, but the case says that it is open: %s", c.Name, open)
			case open == "" && r.Source != c.Want(v):
				t.Errorf("%s: with proof the text is another:\n%s", c.Name, r.Source)
			}
		}
	})
}

// TestCasesAlone proves every function, class and comprehension of the cases without the text around it, as
// depyf.decompile is given it.
func TestCasesAlone(t *testing.T) {
	list, err := cases.Load(casesDir)
	if err != nil {
		t.Fatal(err)
	}
	withCPythons(t, func(t *testing.T, v pyc.Version, pool *pyworker.Pool, codes map[string]*pyc.Code) {
		n := 0
		for _, c := range list {
			code := codes[c.Name]
			if code == nil || c.Open(v) != "" {
				continue
			}
			alone(code, func(inner *pyc.Code) {
				n++
				r, err := decompile.Code(inner, decompile.Options{Compile: pool.CompileFlags})
				if err != nil {
					t.Errorf("%s: %s: %v", c.Name, inner.QualName, err)
				} else if !r.Verdict.Proven() {
					t.Errorf("%s: %s: %s %s\n%s", c.Name, inner.QualName, r.Verdict, r.Detail, r.Source)
				}
			})
		}
		if n < 500 {
			t.Errorf("the cases have %d code objects", n)
		}
	})
}

// TestTextAlone looks at what code reads as that no def makes.
func TestTextAlone(t *testing.T) {
	const source = `
def f(w):
    class C[T](w):
        x: T
        type K = list[x]
        def area(self, a=1) -> w: return [w for x in a]
    return (x + w for x in w), lambda: (yield w)
class D:
    if f: y: f
    def m[T](self, a=1, *, b=2): return D
`
	want := map[string]string{
		"f.<locals>.<genexpr>":        "def __depyf_outer__(w):\n    def genexpr(iterable):\n        return (x + w for x in iterable)\n\n    return genexpr\n",
		"f.<locals>.<lambda>":         "def __depyf_outer__(w):\n    lambda_ = lambda: (yield w)\n    return lambda_\n",
		"f.<locals>.C.K":              "class C:\n    type K = list[x]\n",
		"D":                           "class D:\n    if f:\n        y: f\n\n    def m[T](self, a=1, *, b=2):\n        return D\n",
		"D.__annotate__":              "class D:\n    if ...:\n        y: f\n",
		"D.<generic parameters of m>": "class D:\n    def m[T](self, a=..., *, b=...):\n        return D\n",
	}
	pool, err := pyworker.NewPool(pyc.V314, pyworker.Options{Workers: 1})
	if err != nil {
		t.Skipf("NOT RUN: %v", err)
	}
	defer pool.Close()
	code, err := pool.Compile(source, "text.py")
	if err != nil {
		t.Fatal(err)
	}
	alone(code, func(inner *pyc.Code) {
		r, err := decompile.Code(inner, decompile.Options{Compile: pool.CompileFlags})
		if err != nil {
			t.Errorf("%s: %v", inner.QualName, err)
			return
		}
		if r.Verdict != decompile.Exact {
			t.Errorf("%s: %s %s", inner.QualName, r.Verdict, r.Detail)
		}
		if text, ok := want[inner.QualName]; ok && r.Source != text {
			t.Errorf("%s:\n%s\nwant\n%s", inner.QualName, r.Source, text)
		}
		delete(want, inner.QualName)
	})
	if len(want) > 0 {
		t.Errorf("not met: %v", want)
	}
}

// alone calls do for every code object inside of c.
func alone(c *pyc.Code, do func(*pyc.Code)) {
	for _, k := range c.Consts {
		if inner, ok := k.(*pyc.Code); ok {
			do(inner)
			alone(inner, do)
		}
	}
}
