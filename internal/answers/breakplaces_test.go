package answers

import (
	"fmt"
	"strings"
	"testing"
)

// breaksIn are lines that break the graph, each as "LINE FUNCTION TEXT".
func breaksIn(lines ...string) (out []BreakLine) {
	for _, l := range lines {
		b := BreakLine{File: "/p/a.py", Cause: "a print"}
		number, rest, _ := strings.Cut(l, " ")
		if _, err := fmt.Sscan(number, &b.Line); err != nil {
			panic(err)
		}
		b.Function, b.Code, _ = strings.Cut(rest, " ")
		if code, cause, ok := strings.Cut(b.Code, ": "); ok {
			b.Code, b.Cause = code, cause
		}
		out = append(out, b)
	}
	return out
}

// A break is a line of a file, whatever its text, and however many causes it has.
func TestBreaksAreCountedByLine(t *testing.T) {
	var many []string
	for i := range 300 {
		many = append(many, fmt.Sprint(2*i+3, " f torch._dynamo.graph_break()"))
	}
	for want, lines := range map[int][]string{
		0:   nil,
		1:   {"3 f print(item(x)): a print", "3 f print(item(x)): an item"},
		300: many,
	} {
		s := &Session{BreakLines: breaksIn(lines...)}
		if got := s.Counts()[0]; got.Name != "breaks" || got.After != want {
			t.Errorf("%d breaks are counted as %+v", want, got)
		}
	}
}

// Lines are known by their function and text and, of several, by which they are.
func TestMatchBreaks(t *testing.T) {
	for _, c := range []struct {
		name                 string
		before, after        []BreakLine
		added, gone, changed string
	}{
		{"moved", breaksIn("3 f print(x)", "9 f print(x)"), breaksIn("5 f print(x)", "12 f print(x)"), "", "", ""},
		{"a second one", breaksIn("3 f print(x)"), breaksIn("3 f print(x)", "9 f print(x)"), "9", "", ""},
		{"one of two", breaksIn("3 f print(x)", "9 f print(x)"), breaksIn("9 f print(x)"), "", "9", ""},
		{"in another function", breaksIn("3 f print(x)"), breaksIn("3 f print(x)", "9 g print(x)"), "9", "", ""},
		{"another line", breaksIn("3 f print(x)"), breaksIn("3 f print(y)"), "3", "3", ""},
		{"another cause", breaksIn("3 f print(x): a print"), breaksIn("4 f print(x): an item"), "", "", "4"},
		{"two causes", breaksIn("3 f print(x): a", "3 f print(x): b"), breaksIn("3 f print(x): b", "3 f print(x): a"), "", "", ""},
		{"without functions", breaksIn("3  print(x)"), breaksIn("5 f print(x)"), "", "", ""},
	} {
		added, gone, changed := matchBreaks(c.before, c.after, func(file string) string { return file })
		var after []BreakLine
		for _, x := range changed {
			after = append(after, x.After)
		}
		for what, got := range map[string][2]string{"new": {linesOfBreaks(added), c.added}, "gone": {linesOfBreaks(gone), c.gone}, "changed": {linesOfBreaks(after), c.changed}} {
			if got[0] != got[1] {
				t.Errorf("%s: %s: %q, want %q", c.name, what, got[0], got[1])
			}
		}
	}
}

func linesOfBreaks(list []BreakLine) string {
	var out []string
	for _, b := range list {
		out = append(out, fmt.Sprint(b.Line))
	}
	return strings.Join(out, " ")
}
