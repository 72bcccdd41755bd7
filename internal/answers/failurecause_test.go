package answers

import (
	"slices"
	"testing"

	"github.com/thuml/depyf/internal/explain"
)

// What helps against a failure is part of the answer, not only of its words.
func TestFailureHasRemedies(t *testing.T) {
	text := "Failed to trace builtin operator\n  Explanation: Dynamo does not know how to trace builtin operator `print` with argument types ['str'] (has_kwargs False)\n  Hint: Please report an issue to PyTorch.\n  Hint: Use `f` instead.\n"
	c := &explain.Compile{ID: "0/0", Func: "g", Failure: "Unsupported: " + text, Outcome: &explain.Outcome{Error: "Unsupported", Text: text, Raised: true}}
	f := told(explain.Link(&explain.Model{Compiles: []*explain.Compile{c}}), c).Failure
	if f == nil || f.Explanation == "" || len(f.Remedies) != 1 || !slices.Equal(f.Hints, []string{"Use `f` instead.", "Please report an issue to PyTorch."}) {
		t.Fatalf("%+v", f)
	}
	c.Outcome.Error = "TypeError"
	if f := told(explain.Link(&explain.Model{Compiles: []*explain.Compile{c}}), c).Failure; len(f.Remedies) != 0 {
		t.Errorf("%+v", f)
	}
}

// A line that leads to a compilation is told unless its function was compiled itself, whose lines Python does not tell.
func TestCallerOfALibrarysCode(t *testing.T) {
	at := func(name string, line int) explain.Frame {
		return explain.Frame{File: "/p/a.py", Line: line, Name: name, Code: "g()"}
	}
	inner := explain.Frame{File: "/x/site-packages/lib/m.py", Line: 2, Name: "g"}
	p := &explain.Program{Model: &explain.Model{}, Functions: []*explain.Function{{Name: "f", File: "/p/a.py", Line: 3}}}
	for want, stack := range map[Caller][]explain.Frame{
		{"<module>", "/p/a.py", 9, "g()"}: {at("<module>", 9), inner},
		{Function: "f", File: "/p/a.py"}:  {at("<module>", 9), at("f", 4), inner},
		{}:                                {inner},
	} {
		if got := callerOf(p, &explain.Compile{Stack: stack}); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}
