package report

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// A function that could have been compiled is named, with the reason; one with nothing in it is counted.
func TestLeft(t *testing.T) {
	m, err := explain.Replay(filepath.Join(sessions, "torch215_skipped_eager"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ lead string }{
		{"1 function, which runs as ordinary Python."},
		{"1 function, which runs as ordinary Python; 1 more has nothing in it to put into a graph."},
		{"1 function, which runs as ordinary Python; 2 more have nothing in them to put into a graph."},
	} {
		p := explain.Link(m)
		s := Left(answers.For(p))
		if s.Lead != c.lead || len(s.Items) != 1 || len(s.Data.([]answers.Compilation)) != len(p.Lost) {
			t.Errorf("%q, %d items, not %q", s.Lead, len(s.Items), c.lead)
		}
		m.Compiles = append(m.Compiles, &explain.Compile{ID: "7/0", Func: "helper", File: "/project/a.py", Line: 3, Over: true})
	}
	m.Compiles = m.Compiles[1:]
	if s := Left(answers.For(explain.Link(m))); s.Lead != "Only 3 functions with nothing to put into a graph." || len(s.Items) > 0 {
		t.Errorf("%q, %d items", s.Lead, len(s.Items))
	}
}

// What helps is said at a glance, however much stands in front of it: where the cause is, and what leads there.
func TestAtAGlanceHasTheFirstAdvice(t *testing.T) {
	it := Item{Text: "a cause"}
	it.add("in a library")
	it.add("reached from a.py:8")
	it.advise(2)
	it.add("do this")
	it.add("or that")
	bare := Item{Text: "another", Details: []string{"one", "two", "three"}}
	got := Section{Command: "breaks", Items: []Item{it, bare}}.AtAGlance("dump")
	for i, want := range [][]string{{"in a library", "reached from a.py:8", "do this"}, {"one", "two"}, nil} {
		if !slices.Equal(got.Items[i].Details, want) {
			t.Errorf("%d: %q, not %q", i, got.Items[i].Details, want)
		}
	}
	if want := "more on each: `depyf breaks dump`"; got.Items[2].Text != want {
		t.Errorf("%q, not %q", got.Items[2].Text, want)
	}
}
