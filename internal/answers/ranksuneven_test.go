package answers

import (
	"slices"
	"testing"
)

// Versions are compared of functions that every process has compiled; resume functions do not count.
func TestUnevenVersions(t *testing.T) {
	number := 0
	made := func(names ...string) *Session {
		s := &Session{}
		for _, n := range names {
			c := Compilation{Name: n, File: "/p/a.py", Version: &number}
			if n == "resume" {
				c.Name, c.Resumes = "f", "f"
			}
			s.Compilations = append(s.Compilations, c)
		}
		return s
	}
	list := []Process{{"rank_0", made("f", "g")}, {"rank_1", made("f", "resume", "g", "h")}, {"rank_2", made("f", "f", "f", "g")}}
	got := uneven(list)
	if len(got) != 1 || got[0].Function != "f" || got[0].Least != 1 || got[0].Most != 3 ||
		!slices.Equal(got[0].Few, []string{"rank_0", "rank_1"}) || !slices.Equal(got[0].Many, []string{"rank_2"}) {
		t.Errorf("%+v", got)
	}
}

// What had nothing in it to compile is left alone rightly, on all processes or on one.
func TestLeftAlone(t *testing.T) {
	raised := true
	s := &Session{Compilations: []Compilation{
		{Name: "empty"},
		{Name: "at", Limit: &Limit{"recompile_limit", 8}},
		{Name: "suppressed", Failure: &Failure{Text: "no\nmore"}},
		{Name: "raised", Failure: &Failure{Text: "no", Raised: &raised}},
		{Name: "broken", Breaks: []Break{{Reason: "why"}}},
		{Name: "cut", Cut: true, Breaks: []Break{{Reason: "why"}}},
	}}
	var got []string
	for _, p := range s.LeftAlone() {
		got = append(got, p.Function+": "+p.Text)
	}
	if want := []string{"at: the limit recompile_limit = 8 is reached", "suppressed: no", "broken: why"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
