package pass

import (
	"errors"
	"strings"
	"testing"
)

func rows(names ...string) (out []Row) {
	for _, n := range names {
		name, after, _ := strings.Cut(n, "<")
		r := Row{Stage: "s", Name: name, Why: "it is a test"}
		if after != "" {
			r.After = strings.Split(after, ",")
		}
		out = append(out, r)
	}
	return out
}

// TestOrder refuses tables whose order breaks what their rows ask for.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		rows []Row
		want string
	}{
		{rows("a", "b<a", "c<a,b"), ""},
		{rows("a<b", "b"), `pass "a" has to come behind "b" and comes before it`},
		{rows("a<a"), `pass "a" has to come behind "a" and comes before it`},
		{rows("a", "b<x"), `pass "b" has to come behind "x", which is no pass`},
		{rows("a", "b", "a"), `two passes have the name "a": numbers 1 and 3`},
		{[]Row{{Name: "a"}}, `pass 1, "a", has no name or no reason`},
	} {
		err := Order(c.rows)
		if got := ""; err != nil {
			got = err.Error()
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		} else if c.want != "" {
			t.Errorf("no error, want %s", c.want)
		}
	}
}

// TestMustPanics does not let a program start with a wrong order.
func TestMustPanics(t *testing.T) {
	defer func() {
		if r := recover(); r == nil || !strings.Contains(r.(string), `"b" has to come behind "c"`) {
			t.Errorf("the panic is %v", r)
		}
	}()
	Must(rows("a"), rows("b<c"), rows("c"))
	t.Error("a wrong order is accepted")
}

// list is a state for tests.
type list struct{ done []string }

func table() *Table[*list] {
	step := func(name string) Pass[*list] {
		return Pass[*list]{Name: name, Why: "it is a test", Run: func(l *list) error {
			l.done = append(l.done, name)
			return nil
		}}
	}
	t := &Table[*list]{
		Stage: "s",
		Show:  func(l *list) []Line { return []Line{{Text: strings.Join(l.done, " ")}} },
		Check: func(l *list) error {
			if len(l.done) == 3 {
				return errors.New("three are too many")
			}
			return nil
		},
		Passes: []Pass[*list]{step("a"), step("b"), step("c"), step("d")},
	}
	t.Passes[1].When = func(l *list) bool { return len(l.done) == 0 }
	return t
}

// TestRun runs what is needed, checks behind each pass and stops where it is told to.
func TestRun(t *testing.T) {
	var l list
	if err := table().Run(&l, nil); err != nil || strings.Join(l.done, " ") != "a c d" {
		t.Errorf("%v ran: %v", l.done, err)
	}
	var seen, broken []string
	l = list{}
	w := &Watch{
		Seen: func(s Step) {
			text := s.Name + ": " + s.Show()[0].Text
			if !s.Ran && s.Name != "" {
				text += " (left out)"
			}
			seen = append(seen, text)
		},
		Broken: func(err error) { broken = append(broken, err.Error()) },
	}
	if err := table().Run(&l, w); err != nil {
		t.Error(err)
	}
	if got, want := strings.Join(seen, "; "), ": ; a: a; b: a (left out); c: a c; d: a c d"; got != want {
		t.Errorf("seen: %s, want %s", got, want)
	}
	if got, want := strings.Join(broken, "; "), `behind the pass "d": three are too many`; got != want {
		t.Errorf("broken: %s, want %s", got, want)
	}
	l = list{}
	if err := table().Run(&l, &Watch{Until: "b"}); !errors.Is(err, ErrStopped) || len(l.done) != 1 {
		t.Errorf("%v ran until b: %v", l.done, err)
	}
}

// TestError ends a run at the first pass that fails.
func TestError(t *testing.T) {
	tab := table()
	tab.Passes[2].Run = func(*list) error { return errors.New("no") }
	var l list
	var failed []string
	w := &Watch{Seen: func(s Step) {
		if s.Err != nil {
			failed = append(failed, s.Name+": "+s.Err.Error())
		}
	}}
	if err := tab.Run(&l, w); err == nil || err.Error() != "no" || len(l.done) != 1 || strings.Join(failed, "; ") != "c: no" {
		t.Errorf("%v ran: %v, %v", l.done, err, failed)
	}
}
