package decompile

import (
	"flag"
	"slices"
	"testing"

	"github.com/thuml/depyf/internal/cases"
	"github.com/thuml/depyf/internal/pyc"
)

var update = flag.Bool("update", false, "rewrite the wanted text of cases")

const casesDir = "../../testdata/cases"

// notLowered are the cases whose proof needs the interpreter, for its compiler does what
// internal/lower does not imitate.
var notLowered = map[string][]pyc.Version{
	// Which constants are found behind a choice depends on the order of the optimiser's passes.
	"expr/chosen_constants": {pyc.V313, pyc.V314, pyc.V315},
	// A test that is reached by two threaded jumps has lost its exception handler (3.14).
	"try/and_or_in_try": {pyc.V314},
}

// TestCases decompiles every case on every version and compares the text. It
// needs no Python, and holds the proof without one to them; that the texts are exact is
// shown by TestCasesAreExact.
func TestCases(t *testing.T) {
	list, err := cases.Load(casesDir)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]map[pyc.Version]string{}
	for v := pyc.Oldest; v <= pyc.Newest; v++ {
		codes, err := cases.Compiled(casesDir, v)
		if err != nil {
			t.Errorf("no compiled cases for %v: run gen/cases.py with it: %v", v, err)
			continue
		}
		for _, c := range list {
			code := codes[c.Name]
			if code == nil {
				continue // TestCompiled in internal/cases tells
			}
			t.Run(v.String()+"/"+c.Name, func(t *testing.T) {
				res, err := Module(code, Options{Watch: checked(t)})
				if err != nil {
					t.Fatal(err)
				}
				if c.Open(v) == "" {
					for _, p := range res.Problems {
						t.Errorf("problem: %s", p)
					}
					if !res.Lowered && !slices.Contains(notLowered[c.Name], v) {
						t.Errorf("%s without an interpreter: %s", res.Verdict, res.Detail)
					}
				}
				switch {
				case res.Source == c.Want(v) || t.Failed():
				case *update:
					if got[c.Name] == nil {
						got[c.Name] = map[pyc.Version]string{}
					}
					got[c.Name][v] = res.Source
				default:
					t.Errorf("got:\n%s\nwant:\n%s", res.Source, c.Want(v))
				}
			})
		}
	}
	if *update {
		for _, c := range list {
			if err := c.SetWants(got[c.Name]); err != nil {
				t.Error(err)
			}
		}
	}
}
