package choice

import (
	"slices"
	"testing"
)

// decided runs passes that meet the given decisions, and returns what was taken.
func decided(r *Run, made []Made) []int {
	var picks []int
	for _, m := range made {
		picks = append(picks, r.Pick(m.Kind, m.At, m.N))
	}
	return picks
}

func TestNilTakesTheFirst(t *testing.T) {
	var r *Run
	if r.Pick("k", 0, 5) != 0 || r.Other("k", 0) || !r.Either("k", 0, true) || r.Either("k", 0, false) || r.Again() != nil {
		t.Error("a nil run does not take the likeliest alternative everywhere")
	}
}

func TestRunFollowsItsScript(t *testing.T) {
	made := []Made{{"a", 0, 2}, {"b", 2, 1}, {"c", 4, 3}, {"d", 6, 2}}
	r := Taking(1, 7)
	// The decision without an alternative is none, and a script asks for no more than there is.
	if got := decided(r, made); !slices.Equal(got, []int{1, 0, 2, 0}) {
		t.Errorf("took %v", got)
	}
	if got := decided(r.Again(), made); !slices.Equal(got, []int{1, 0, 2, 0}) {
		t.Errorf("took %v when run again", got)
	}
}

// TestSearchFindsSeveral looks for decisions of which three must be taken otherwise, where each
// that is right lets more of the code agree.
func TestSearchFindsSeveral(t *testing.T) {
	want := []int{0, 1, 0, 2, 0, 0, 1, 0}
	tries := 0
	found := Search(200, func(r *Run) (Outcome, bool) {
		tries++
		for i, w := range want {
			if r.Pick("k", 10*i, 3) != w {
				for k := i + 1; k < len(want); k++ {
					r.Pick("k", 10*k, 3)
				}
				return Outcome{Agree: 10 * i, At: 10 * i}, true
			}
		}
		return Outcome{Right: true}, true
	})
	if found == nil {
		t.Fatal("nothing found")
	}
	for i, w := range want {
		if got := found.Pick("k", 10*i, 3); got != w {
			t.Errorf("decision %d is %d, want %d", i, got, w)
		}
	}
	if tries > 20 {
		t.Errorf("%d tries: those near the difference do not come first", tries)
	}
}

func TestSearchEnds(t *testing.T) {
	tries := 0
	wrong := func(r *Run) (Outcome, bool) {
		tries++
		for i := range 50 {
			r.Pick("k", i, 4)
		}
		return Outcome{At: -1}, true
	}
	if Search(30, wrong) != nil || tries != 31 {
		t.Errorf("found something, or took %d tries and not the first and 30 more", tries)
	}
	tries = 0
	if Search(30, func(r *Run) (Outcome, bool) {
		out, _ := wrong(r)
		return out, tries < 5
	}) != nil || tries != 5 {
		t.Errorf("went on after the end: %d tries", tries)
	}
	if Search(30, func(*Run) (Outcome, bool) { return Outcome{}, true }) != nil {
		t.Error("found something where nothing is decided")
	}
}

// TestNoScriptTwice: each run that is tried differs from all others.
func TestNoScriptTwice(t *testing.T) {
	seen := map[string]bool{}
	Search(500, func(r *Run) (Outcome, bool) {
		key := ""
		for i := range 5 {
			key += string(rune('0' + r.Pick("k", i, 3)))
		}
		if seen[key] {
			t.Errorf("%s is tried twice", key)
		}
		seen[key] = true
		return Outcome{}, true
	})
	if len(seen) != 243 {
		t.Errorf("%d of 243 are tried", len(seen))
	}
}
