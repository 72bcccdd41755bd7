package decompile

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/cases"
	"github.com/thuml/depyf/internal/pyc"
)

// TestEveryFunctionIsExpressed writes every function of the cases as a dispatch loop:
// none is a stub that has a text otherwise.
func TestEveryFunctionIsExpressed(t *testing.T) {
	for v := pyc.Oldest; v <= pyc.Newest; v++ {
		codes, err := cases.Compiled(casesDir, v)
		if err != nil {
			t.Fatal(err)
		}
		functions := 0
		for name, code := range codes {
			if r, _ := isolated(code, Options{}, true); len(r.Problems) > 0 {
				continue // one that is open in any way
			}
			r, err := Module(code, Options{DispatchAll: true, Watch: checked(t)})
			if err != nil {
				t.Errorf("%v: %s: %v", v, name, err)
				continue
			}
			functions += strings.Count(r.Source, "each turn runs one block")
			for _, p := range r.Problems {
				t.Errorf("%v: %s: %s", v, name, p)
			}
		}
		if functions < 350 {
			t.Errorf("%v: only %d functions are written as dispatch loops", v, functions)
		}
	}
}

// TestStubCostsItselfAlone lets every expression with code of its own fail, then every
// function: nothing around them does.
func TestStubCostsItselfAlone(t *testing.T) {
	for _, c := range []struct {
		name    string
		resists func(c *pyc.Code) bool
	}{
		{"lambdas", func(c *pyc.Code) bool { return c.Name == "<lambda>" }},
		{"comprehensions", func(c *pyc.Code) bool {
			return c.Version == pyc.V311 && strings.HasSuffix(c.Name, "comp>") || c.Name == "<genexpr>"
		}},
		{"generic functions", func(c *pyc.Code) bool { return strings.HasPrefix(c.Name, "<generic") }},
		{"methods", func(c *pyc.Code) bool {
			return c.IsFunction() && strings.Contains(c.QualName, ".") && !strings.Contains(c.QualName, "<") && c.Name[0] >= 'a'
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			met := 0
			for v := pyc.V311; v <= pyc.Newest; v++ {
				codes, err := cases.Compiled(casesDir, v)
				if err != nil {
					t.Fatal(err)
				}
				for name, code := range codes {
					if !slices.ContainsFunc(code.All(), c.resists) {
						continue
					}
					before, _ := isolated(code, Options{}, true)
					if len(before.Problems) > 0 {
						continue
					}
					r, err := Module(code, Options{Resist: func(k *pyc.Code) error {
						if c.resists(k) {
							return errors.New("it resists")
						}
						return nil
					}})
					if err != nil {
						t.Fatal(err)
					}
					stub := map[*pyc.Code]bool{}
					for _, k := range code.All() {
						stub[k] = c.resists(k)
					}
					// What is in a generic function's wrapper is its stub.
					wrapped := func(o Object) bool {
						return c.name == "generic functions" && strings.Contains(o.QualName, "<generic")
					}
					for i, k := range code.All() {
						if i >= len(r.Objects) {
							break
						}
						o := r.Objects[i]
						if o.Verdict == Partial && !stub[k] && !wrapped(o) {
							t.Errorf("%v: %s: %s is %s: %s", v, name, o.QualName, o.Verdict, o.Detail)
						}
						if o.Verdict == Partial {
							met++
						}
					}
				}
			}
			if met < 10 {
				t.Errorf("only %d code objects have resisted", met)
			}
		})
	}
}
