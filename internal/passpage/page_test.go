package passpage

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pass"
)

var rows = []pass.Row{
	{Stage: "first", Name: "a", Why: "a makes lines"},
	{Stage: "first", Name: "b", Why: "b does nothing"},
	{Stage: "second", Name: "c", Why: "c drops <one>"},
	{Stage: "second", Name: "d", Why: "d fails"},
}

// feed shows a recorder one run.
func feed(w *pass.Watch, states ...[]pass.Line) {
	show := func(state []pass.Line) func() []pass.Line { return func() []pass.Line { return state } }
	w.Seen(pass.Step{Stage: "first", Show: show(nil)})
	w.Seen(pass.Step{Stage: "first", Name: "a", Ran: true, Show: show(states[0])})
	w.Seen(pass.Step{Stage: "first", Name: "b", Show: show(states[0])})
	w.Seen(pass.Step{Stage: "second", Show: show(states[0])})
	w.Seen(pass.Step{Stage: "second", Name: "c", Ran: true, Show: show(states[1])})
	w.Seen(pass.Step{Stage: "second", Name: "d", Ran: true, Err: errors.New("no & no")})
}

func lines(text ...string) (out []pass.Line) {
	for i, t := range text {
		out = append(out, pass.Line{Text: t, At: i + 1})
	}
	return out
}

// TestPage has a column for each pass that changed something, marks what is new and
// what goes, and tells the passes between them apart.
func TestPage(t *testing.T) {
	r := &Recorder{}
	w := r.Watch(rows)
	feed(w, lines("x", "<one>", "y"), lines("x", "y", "z"))
	if all, changed := r.Passes(); all != 4 || changed != 3 {
		t.Errorf("%d of %d passes changed something", changed, all)
	}
	page := write(t, r)
	for _, want := range []string{
		`<title>f: passes</title>`,
		`<small>first</small> a</button>`,
		`<span class="l new" data-at="1"><i>1</i><span>x</span>`,
		`<span class="l new gone" data-at="2"><i>2</i><span>&lt;one&gt;</span>`,
		`<span class="l" data-at="1"><i>1</i><span>x</span>`,
		`<span class="l new" data-at="3"><i>3</i><span>z</span>`,
		`<summary title="passes that changed nothing">1 unchanged</summary>`,
		`<b>b</b> <small>not needed: b does nothing</small>`,
		`It failed: no &amp; no`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s:\n%s", want, page[strings.Index(page, "<main>"):])
		}
	}
	if strings.Contains(page, "http://") || strings.Contains(page, "https://") || strings.Contains(page, "src=") {
		t.Error("the page asks for something from elsewhere")
	}
	if strings.Contains(page, "way 1") && strings.Contains(page, "<button type=\"button\" aria-pressed") {
		t.Error("one way needs no choice")
	}
}

// TestWays keeps the ways in which a text was written apart, and those alike once.
func TestWays(t *testing.T) {
	r := &Recorder{}
	w := r.Watch(rows)
	feed(w, lines("x"), lines("y"))
	feed(w, lines("x"), lines("y"))
	feed(w, lines("x"), lines("z"))
	page := write(t, r)
	if n := strings.Count(page, `<section class="way"`); n != 2 {
		t.Errorf("%d ways", n)
	}
	if !strings.Contains(page, `aria-pressed="true">way 2 of 2</button>`) {
		t.Error("the last way is not chosen")
	}
}

func write(t *testing.T, r *Recorder) string {
	t.Helper()
	var sb strings.Builder
	if err := r.WriteHTML(&sb, Head{Name: "f", File: "f.py", Version: "3.12", Verdict: "exact"}); err != nil {
		t.Fatal(err)
	}
	return sb.String()
}

// TestAdded finds the lines that were put in, not those that moved along.
func TestAdded(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want []bool
	}{
		{"", "x", []bool{true}},
		{"x y", "x y", []bool{false, false}},
		{"x y", "x z y", []bool{false, true, false}},
		{"x y z", "y z w", []bool{false, false, true}},
		{"x x", "x x x", []bool{false, false, true}},
	} {
		if got := added(lines(strings.Fields(c.a)...), lines(strings.Fields(c.b)...)); !slices.Equal(got, c.want) {
			t.Errorf("%q to %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
