package decompile

import (
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// TestObjects gives the comparison a module in which one function has one more
// argument and the code object inside it another name: the function differs, what
// is in it has no partner to be compared with, and nothing else is in doubt.
func TestObjects(t *testing.T) {
	for v := pyc.Oldest; v <= pyc.Newest; v++ {
		code := caseCode(t, v, "functions/scopes")
		outer, changed := withStranger(code)
		if outer == "" {
			t.Fatalf("%v: no function with a code object inside", v)
		}
		for _, again := range []*pyc.Code{code, changed} {
			res, err := Module(code, Options{Compile: func(string, string, pyc.CodeFlags) (*pyc.Code, error) { return again, nil }})
			if err != nil {
				t.Fatal(err)
			}
			seen := map[Verdict]int{}
			for _, o := range res.Objects {
				want := Exact
				switch {
				case again == code:
				case o.QualName == outer:
					want = Differs
				case strings.HasPrefix(o.QualName, outer+"."):
					want = Unproved
				}
				if seen[o.Verdict]++; o.Verdict != want {
					t.Errorf("%v: %s is %s (%s), not %s", v, o.QualName, o.Verdict, o.Detail, want)
				}
			}
			if again == changed && (seen[Unproved] == 0 || seen[Exact] == 0) {
				t.Errorf("%v: %v", v, seen)
			}
		}
	}
}

// withStranger copies the module with a change to its first function that has a
// code object inside, and tells that function's name.
func withStranger(code *pyc.Code) (string, *pyc.Code) {
	module := *code
	module.Consts = append([]pyc.Const(nil), code.Consts...)
	for i, k := range module.Consts {
		f, ok := k.(*pyc.Code)
		if !ok {
			continue
		}
		g := *f
		g.Consts = append([]pyc.Const(nil), f.Consts...)
		found := false
		for j, k := range g.Consts {
			if inner, ok := k.(*pyc.Code); ok {
				stranger := *inner
				stranger.Name, stranger.QualName = "stranger", "stranger"
				g.Consts[j], found = &stranger, true
			}
		}
		if found {
			g.ArgCount++
			module.Consts[i] = &g
			return f.Name, &module
		}
	}
	return "", nil
}
