package decompile

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/cases"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// withoutNames are the cases that have no such text.
var withoutNames = map[string]bool{
	"3.7 try/computed_class_in_finally": true, // the class of a clause has no place for a statement, nor 3.7 an assignment expression
	"3.13 with/chosen_manager_raises":   true, // a with statement whose managers each have an entry of their own
}

// TestEveryFunctionHasNames writes functions, classes and modules of the cases in the last way that is tried before parts of
// them become stubs, with a name for each value that is needed twice: those with patterns, which only that way may have a text
// for, and as many others as show every operation that a compiler makes.
func TestEveryFunctionHasNames(t *testing.T) {
	for v := pyc.Oldest; v <= pyc.Newest; v++ {
		codes, err := cases.Compiled(casesDir, v)
		if err != nil {
			t.Fatal(err)
		}
		written := 0
		var shown opcode.Ops
		for _, name := range slices.Sorted(maps.Keys(codes)) {
			code := codes[name]
			before := shown
			for _, c := range code.All() {
				f, err := bytecode.Decode(c)
				if err != nil {
					t.Fatal(err)
				}
				for i := range f.Instrs {
					shown.Add(f.Instrs[i].Op)
				}
			}
			if shown == before && !strings.HasPrefix(name, "match/") && !withoutNames[v.String()+" "+name] {
				continue
			}
			opt := Options{}.judged(code)
			first := newUnit(code, opt)
			if r, _, _, err := first.module(); err != nil || len(r.Problems) > 0 {
				continue // one that is open in any way
			}
			u := newUnit(code, opt)
			for c, n := range first.nodes {
				if _, statement := n.(pyast.Stmt); statement {
					u.ladder.way[c] = withNames
					written++
				}
			}
			u.ladder.way[code] = withNames
			r, _, _, err := u.module()
			open := withoutNames[v.String()+" "+name]
			switch {
			case err != nil && !open:
				t.Errorf("%v: %s: %v", v, name, err)
			case err == nil && open && len(r.Problems) == 0:
				t.Errorf("%v: %s: it has a text now", v, name)
			case err == nil && !open:
				for _, p := range r.Problems {
					t.Errorf("%v: %s: %s", v, name, p)
				}
			}
		}
		if written < 50 {
			t.Errorf("%v: only %d functions are written with names", v, written)
		}
	}
}
