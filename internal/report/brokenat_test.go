package report

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// A cause is said once, with what it costs in all; lines of the same text are named, others told of.
func TestBreaksByCause(t *testing.T) {
	broken := func(line int, code, cause string) explain.Break {
		return explain.Break{File: "/p/a.py", Line: line, Code: code, Func: "f", Reason: cause, Causes: []string{cause}}
	}
	m := &explain.Model{Compiles: []*explain.Compile{{ID: "0/0", Func: "f", File: "/p/a.py", Line: 1, Breaks: []explain.Break{
		broken(3, "print(x)", "no print"), broken(5, "print(x)", "no print"), broken(7, "print(y)", "no print"), broken(5, "print(x)", "no item"),
	}}}}
	s := Breaks(answers.For(explain.Link(m)))
	if want := "3 lines break the graph, 4 times in all, for 2 causes."; s.Lead != want || s.Count != 3 {
		t.Errorf("%q, %d", s.Lead, s.Count)
	}
	if len(s.Items) != 2 || s.Items[0].Strong != "a.py:3" || s.Items[0].Text != " `print(x)` in `f`, and 2 more lines: no print; 3 times" {
		t.Fatalf("%+v", s.Items)
	}
	if d := s.Items[0].Details; !slices.Equal(d[len(d)-2:], []string{"the same text at a.py:5", "also at a.py:7 `print(y)` in `f`"}) {
		t.Errorf("%q", d)
	}
	if it := s.Items[1]; it.Strong != "a.py:5" || strings.Contains(it.Text, "more line") {
		t.Errorf("%+v", it)
	}
}

// A function in which there is nothing to compile is rightly left alone, and not counted with those that are not.
func TestIdleFunctionsAreNotLeftUncompiled(t *testing.T) {
	m := &explain.Model{Compiles: []*explain.Compile{
		{ID: "0/0", Func: "idle", File: "/p/a.py", Line: 1},
		{ID: "1/0", Func: "broken", File: "/p/a.py", Line: 5, Breaks: []explain.Break{{File: "/p/a.py", Line: 6, Reason: "no print", Causes: []string{"no print"}}}},
	}}
	v, _, _ := newPageView(answers.For(explain.Link(m)), func(*explain.Artefact, string) string { return "" }, guardTexts{})
	if len(v.Skipped) != 1 || v.Skipped[0].Name != "broken" || len(v.Idle) != 1 || v.Idle[0].Name != "idle" {
		t.Errorf("left %+v, idle %+v", v.Skipped, v.Idle)
	}
	if s := Left(answers.For(explain.Link(m))); s.Lead != "1 function, which runs as ordinary Python; 1 more has nothing in it to put into a graph." {
		t.Error(s.Lead)
	}
}

// A cause with many lines is read at once; the lines are behind a click, and whole in text.
func TestManyLinesOfACauseAreFolded(t *testing.T) {
	var list []explain.Break
	for i := range 40 {
		list = append(list, explain.Break{File: "/p/a.py", Line: 2*i + 2, Code: "print(x)", Func: "f", Reason: "no print", Causes: []string{"no print"}, Explanation: "of nothing"})
	}
	m := &explain.Model{Compiles: []*explain.Compile{{ID: "0/0", Func: "f", File: "/p/a.py", Line: 1, Breaks: list}}}
	it := Breaks(answers.For(explain.Link(m))).Items[0]
	if it.Folded != 1 || !slices.Contains(it.Details, "of nothing") {
		t.Fatalf("%+v", it)
	}
	v := itemOf(it, 100)
	if len(v.Hidden()) != 1 || !strings.HasSuffix(v.Hidden()[0], "a.py:78, a.py:80") || slices.Contains(v.Shown(), v.Hidden()[0]) {
		t.Errorf("shown %q, hidden %q", v.Shown(), v.Hidden())
	}
	if text := Breaks(answers.For(explain.Link(m))).Text(); !strings.Contains(text, "a.py:78, a.py:80") {
		t.Error(text)
	}
}

// What to write instead stands with each break, and not which instruction was being traced.
func TestWhatToDoAboutABreak(t *testing.T) {
	b := explain.Break{
		File: "/p/a.py", Line: 3, Code: "print(x)", Reason: "Encountered graph break when attempting to trace CALL: a function call, e.g. f(x, y)",
		Causes: []string{"Failed to trace builtin operator"}, Explanation: "Dynamo does not know how to trace builtin operator `print`", Hints: []string{"Use f."},
	}
	got := strings.Join(breakDetails(&explain.Program{Model: &explain.Model{}}, b), "\n")
	if !strings.Contains(got, "Remove the call") || strings.Contains(got, "attempting to trace") || !strings.HasSuffix(got, "torch's hint: Use f.") {
		t.Error(got)
	}
	b.File, b.Causes = "/x/site-packages/torch/optim/optimizer.py", []string{"Call to `torch._dynamo.graph_break()`"}
	if got := answers.RemediesOf(b); len(got) != 0 {
		t.Error(got)
	}
}

// Functions that were left uncompiled are told of before what breaks graphs, on the page and in index.md.
func TestLeftUncompiledComesFirst(t *testing.T) {
	for _, name := range []string{"report.html", "index.md"} {
		data, err := os.ReadFile(filepath.Join("../../testdata/sessions/torch215_loop_eager/want", name))
		if os.IsNotExist(err) {
			continue // of this session index.md alone is kept
		}
		if err != nil {
			t.Fatal(err)
		}
		left, breaks := strings.Index(string(data), "Left uncompiled"), strings.Index(string(data), "Lines that break the graph")
		if left < 0 || breaks < left {
			t.Errorf("%s: left uncompiled at %d, breaks at %d", name, left, breaks)
		}
	}
	f := answers.For(explain.Link(&explain.Model{Compiles: []*explain.Compile{
		{ID: "0/0", Func: "f", File: "/p/a.py", Line: 5, Breaks: []explain.Break{{File: "/p/a.py", Line: 6, Reason: "no print", Causes: []string{"no print"}}}},
	}}))
	page, err := htmlPage(f, func(*explain.Artefact, string) string { return "" }, guardTexts{})
	if err != nil {
		t.Fatal(err)
	}
	text := page.String()
	if left, breaks := strings.Index(text, `<section id="left">`), strings.Index(text, `id="breaks"`); left < 0 || breaks < left {
		t.Errorf("left uncompiled at %d, breaks at %d", left, breaks)
	}
}
