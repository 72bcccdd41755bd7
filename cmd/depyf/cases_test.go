package main

import (
	"testing"

	"github.com/thuml/depyf/internal/cases"
	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyworker"
)

// TestCasesAreExact proves the text of every case on every version whose CPython
// is at hand. A case may say that a version is open; then it must not be exact,
// so that the note goes when the reason has gone.
func TestCasesAreExact(t *testing.T) {
	const dir = "../../testdata/cases"
	list, err := cases.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	for v := pyc.Oldest; v <= pyc.Newest; v++ {
		t.Run(v.String(), func(t *testing.T) {
			t.Parallel()
			pool, err := pyworker.NewPool(v, pyworker.Options{Workers: 1})
			if err != nil {
				t.Skipf("NOT RUN: %v", err)
			}
			defer pool.Close()
			codes, err := cases.Compiled(dir, v)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range list {
				code := codes[c.Name]
				if code == nil {
					continue
				}
				r, err := decompile.Module(code, decompile.Options{Compile: pool.Compile})
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
}
