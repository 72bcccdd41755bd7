package answers

import (
	"fmt"
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

// The user's functions stand before what wraps them in a library, whichever is compiled first.
func TestUnevenUsersFirst(t *testing.T) {
	number := 0
	made := func(versions int) Process {
		s := &Session{}
		for range versions {
			s.Compilations = append(s.Compilations,
				Compilation{Name: "inner", File: "/lib/python3.13/site-packages/torch/_dynamo/external_utils.py", Version: &number},
				Compilation{Name: "forward", File: "/p/a.py", Version: &number})
		}
		s.Spent = []Spent{
			{Function: "inner", File: "/lib/python3.13/site-packages/torch/_dynamo/external_utils.py", Total: 100 * float64(versions)},
			{Function: "forward", File: "/p/a.py", Total: 10 * float64(versions)},
		}
		return Process{fmt.Sprint("rank_", versions), s}
	}
	r := CompareRanks([]Process{made(1), made(3)})
	if len(r.Versions) != 2 || r.Versions[0].Function != "forward" || len(r.Slow) != 2 || r.Slow[0].Function != "forward" {
		t.Errorf("%+v\n%+v", r.Versions, r.Slow)
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
	if want := []string{"at: the limit recompile_limit = 8 is reached", "suppressed: no more", "broken: why"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
