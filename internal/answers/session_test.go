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
