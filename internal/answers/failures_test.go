package answers

import (
	"testing"

	"github.com/thuml/depyf/internal/explain"
)

// Whatever ended in an error is a failure, once; a function that was left alone for what cannot be compiled is none.
func TestFailuresOfASession(t *testing.T) {
	yes, no := true, false
	s := &Session{
		Complete: true,
		Compilations: []Compilation{
			{ID: "0/0", Function: "f", Failure: &Failure{Text: "Unsupported: no", Raised: &yes, Error: "Unsupported"}},
			{ID: "0/1", Function: "f", Failure: &Failure{Text: "Unsupported: no", Raised: &yes, Error: "Unsupported"}},
			{ID: "1/0", Function: "g", Failure: &Failure{Text: "Unsupported: no", Raised: &no, Error: "Unsupported"}},
			{ID: "2/0", Function: "h", Failure: &Failure{Text: "BackendCompilerFailed: no", Raised: &no}},
		},
		Exports: []Exported{{Name: "Net", Error: "UserError", Text: "not so"}, {Name: "Other"}},
		Raised:  &Raised{Error: "ValueError", Text: "no", File: "/p/a.py", Line: 3},
	}
	got := s.Failures()
	want := []Place{
		{Function: "f", Text: "Unsupported: no"},
		{Function: "h", Text: "BackendCompilerFailed: no"},
		{Function: "Net", Text: "torch.export: UserError: not so"},
		{File: "/p/a.py", Line: 3, Text: "the program ended with ValueError: no"},
	}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if !got[i].same(want[i]) {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
	s.Raised.Error = "Unsupported" // the error of f
	if got := s.Failures(); len(got) != 3 {
		t.Errorf("%+v", got)
	}
}

// A rank that crashed, or whose log has no end, is not like the others.
func TestRanksThatEndEarly(t *testing.T) {
	well, killed, raised := &Session{Complete: true}, &Session{}, &Session{Complete: true, Raised: &Raised{Error: "ValueError", Text: "no"}}
	r := CompareRanks([]Process{{"rank_0", well}, {"rank_1", killed}, {"rank_2", raised}})
	if r.Same() || len(r.Ended) != 1 || r.Ended[0].In[0] != "rank_1" || len(r.Failures) != 1 || r.Failures[0].In[0] != "rank_2" {
		t.Errorf("%+v", r)
	}
	if r := CompareRanks([]Process{{"rank_0", well}, {"rank_1", well}}); !r.Same() {
		t.Errorf("%+v", r)
	}
}

// What the page and the command list as failures is what is counted.
func TestSuppressedBreaksAreNoFailures(t *testing.T) {
	c := &explain.Compile{ID: "0/0", Func: "f", FailFile: "/p/a.py", FailLine: 2, Failure: "Unsupported: no", Outcome: &explain.Outcome{Error: "Unsupported", Text: "no"}}
	f := For(explain.Link(&explain.Model{Compiles: []*explain.Compile{c}}))
	for _, s := range f.Sources() {
		for _, l := range s.Lines {
			if l.Failures != 0 {
				t.Errorf("%+v", l)
			}
		}
	}
	if got := f.Session().Failures(); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}
