package answers

import "testing"

// A call that the limit refused is of the method that was compiled before.
func TestNameAlike(t *testing.T) {
	list := []Compilation{
		{Function: "forward", Name: "M.forward", File: "a.py", Line: 3},
		{Function: "forward", Name: "forward", File: "a.py", Line: 3},
		{Function: "forward", Name: "forward", File: "b.py", Line: 3},
		{Function: "step", Name: "step", File: "a.py", Line: 9},
	}
	nameAlike(list)
	for i, want := range []string{"M.forward", "M.forward", "forward", "step"} {
		if list[i].Name != want {
			t.Errorf("%d: %s", i, list[i].Name)
		}
	}
}

// A graph of a compilation that raised was never compiled; one of several stages is one.
func TestGraphCount(t *testing.T) {
	raised, left := true, false
	s := &Session{
		Compilations: []Compilation{{ID: "0/0"}, {ID: "1/0", Failure: &Failure{Raised: &raised}}, {ID: "1/0", Resets: 1}, {ID: "2/0", Failure: &Failure{Raised: &left}}},
		Graphs: []Graph{
			{Name: "a", Stage: "Captured_Graph", Compilation: "0/0"},
			{Name: "a", Stage: "Forward_graph", Compilation: "0/0"},
			{Name: "b", Compilation: "1/0"},
			{Name: "c", Compilation: "1/0", Resets: 1},
			{Name: "d", Compilation: "2/0"},
			{Compilation: "0/0"},
		},
	}
	if n := s.GraphCount(); n != 3 {
		t.Errorf("%d graphs", n)
	}
}
