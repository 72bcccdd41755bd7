package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// A break in a library names the lines of the user's that lead there, each once.
func TestReachedFrom(t *testing.T) {
	const library = "/usr/lib/python3.12/logging/__init__.py"
	at := func(file string, line int, code string) explain.Break {
		return explain.Break{File: library, Line: 1550, Code: "if self.isEnabledFor(WARNING):", Reason: "no", From: &explain.Frame{File: file, Line: line, Name: "f", Code: code}}
	}
	from := func(list ...explain.Break) []string {
		p := &explain.Program{Model: &explain.Model{}}
		for _, b := range list {
			p.Model.Compiles = append(p.Model.Compiles, &explain.Compile{ID: "0/0", Func: "warning", File: library, Breaks: []explain.Break{b}})
		}
		items := Breaks(answers.For(p)).Items
		if len(items) != 1 {
			t.Fatalf("%+v", items)
		}
		return items[0].Details
	}
	for _, c := range []struct {
		breaks []explain.Break
		want   string
	}{
		{[]explain.Break{at("/p/a.py", 3, "log.warning(m)"), at("/p/a.py", 3, "log.warning(m)")}, "reached from a.py:3 `log.warning(m)`"},
		{[]explain.Break{at("/p/a.py", 3, "log.warning(m)"), at("/p/b.py", 9, "warn()")}, "reached from a.py:3 `log.warning(m)`, b.py:9 `warn()`"},
		{[]explain.Break{at("/p/a.py", 1, "x"), at("/p/a.py", 2, "x"), at("/p/a.py", 3, "x"), at("/p/a.py", 4, "x")}, "reached from a.py:1 `x`, a.py:2 `x`, a.py:3 `x` and 1 more"},
		{[]explain.Break{at("/p/a.py", 0, "")}, "reached from `f` in a.py"},
	} {
		if got := from(c.breaks...); !slices.Contains(got, c.want) {
			t.Errorf("%q has no %q", got, c.want)
		}
	}
	left := &explain.Compile{ID: "0/0", Func: "warning", File: library, Breaks: []explain.Break{at("/p/a.py", 3, "log.warning(m)")}}
	if got := lostWhy(&explain.Program{Model: &explain.Model{}}, left); !strings.HasSuffix(got, "; reached from a.py:3 `log.warning(m)`") {
		t.Errorf("of a function that is left alone: %s", got)
	}
	own := explain.Break{File: "/p/a.py", Line: 3, Reason: "no"}
	if got := from(own); len(got) > 0 {
		t.Errorf("of the user's own line: %q", got)
	}
}
