package answers

import "testing"

// A cause that is met in more places, or in fewer, is the cause that it was; another subject at the same line is another.
func TestCausesApart(t *testing.T) {
	cause := func(code string, subjects ...string) Cause {
		return Cause{Kind: KindSize, File: "/p/model.py", Code: code, Subjects: subjects}
	}
	for _, c := range []struct {
		name          string
		before, after []Cause
		added, gone   int
	}{
		{"the same", []Cause{cause("a", "x.size(0)")}, []Cause{cause("a", "x.size(0)")}, 0, 0},
		{"one subject gone", []Cause{cause("a", "x.size(0)", "h.size(0)")}, []Cause{cause("a", "x.size(0)")}, 0, 0},
		{"one subject more", []Cause{cause("a", "x.size(0)")}, []Cause{cause("a", "x.size(0)", "y.size(0)")}, 1, 0},
		{"another subject", []Cause{cause("a", "x.size(0)")}, []Cause{cause("a", "y.size(0)")}, 1, 1},
		{"another line", []Cause{cause("a", "x.size(0)")}, []Cause{cause("b", "x.size(0)")}, 1, 1},
		{"no subject", []Cause{cause("a")}, []Cause{cause("a")}, 0, 0},
		{"gone", []Cause{cause("a")}, nil, 0, 1},
	} {
		same := func(file string) string { return file }
		added, gone := apart(c.before, c.after, func(c Cause) []string { return causeKeys(c, same) })
		if len(added) != c.added || len(gone) != c.gone {
			t.Errorf("%s: %d new and %d gone, not %d and %d", c.name, len(added), len(gone), c.added, c.gone)
		}
	}
}
