package answers

import "testing"

// Lines that break for one cause are one, whose costs are added up; the user's come before libraries', and then those that cost most.
func TestBreakCauses(t *testing.T) {
	const library = "/x/site-packages/lib/m.py"
	list := []BreakLine{
		{File: "/p/a.py", Line: 9, Function: "f", Code: "print(x)", Cause: "print", Times: 2, Seconds: 1},
		{File: "/p/a.py", Line: 7, Function: "f", Code: "branch()", Cause: "branch", Times: 1, Seconds: 4},
		{File: "/p/a.py", Line: 5, Function: "f", Code: "print(x)", Cause: "print", Times: 1, Seconds: 2},
		{File: "/p/a.py", Line: 3, Function: "f", Code: "print(x)", Cause: "print", Times: 1, Seconds: 2},
		{File: "/p/a.py", Line: 6, Function: "g", Code: "print(x)", Cause: "print", Times: 1},
		{File: "/p/a.py", Line: 4, Function: "f", Code: "print(x)", Cause: "print", Explanation: "of something else"},
		{File: library, Line: 1, Function: "h", Code: "print(x)", Cause: "sleep", Seconds: 9},
	}
	got := BreakCauses(list)
	if len(got) != 4 || got[0][0].Cause != "print" || got[1][0].Cause != "branch" || got[2][0].Explanation == "" || got[3][0].File != library {
		t.Fatalf("%+v", got)
	}
	if c := got[0]; c.Seconds() != 5 || c.Times() != 5 || len(c) != 4 || c[0].Line != 9 {
		t.Errorf("%+v", c)
	}
	alike, others := got[0].Alike()
	if len(alike) != 2 || alike[0].Line != 3 || alike[1].Line != 5 || len(others) != 1 || others[0].Function != "g" {
		t.Errorf("alike %+v, others %+v", alike, others)
	}
}
