package lsp

import (
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/recorded"
)

// A break in a library is marked at the line of the user's that leads there.
func TestBreakInALibraryIsMarkedAtTheCaller(t *testing.T) {
	const library = "/usr/lib/python3.12/logging/__init__.py"
	p := &explain.Program{Model: &explain.Model{Compiles: []*explain.Compile{{ID: "0/0", Func: "warning", File: library, Breaks: []explain.Break{{
		File: library, Line: 1550, Causes: []string{"Logger not supported"}, From: &explain.Frame{File: "/p/helpers.py", Line: 8, Name: "stats"},
	}}}}}}
	facts := answers.For(p)
	session := recorded.Session{Name: ".", Model: p.Model, Facts: func() *answers.Facts { return facts }}
	list := marksIn(traced{&session, answers.Source{File: "/p/helpers.py", Whole: true}})
	if len(list) != 1 || list[0].line != 8 || list[0].code != "breaks" || !strings.HasPrefix(list[0].text, "this line leads to a graph break at logging/__init__.py:1550: Logger not supported") {
		t.Errorf("%+v", list)
	}
}

// So is a cause of recompilations in a library.
func TestCauseInALibraryIsMarkedAtTheCaller(t *testing.T) {
	const library = "/usr/lib/python3.12/site-packages/lib/model.py"
	again := &explain.Compile{ID: "0/1", Func: "forward", File: library, Line: 4, Recompile: []string{"0/0: tensor 'x' size mismatch at index 0. expected 4, actual 8"}}
	again.Stack = []explain.Frame{{File: "/p/gen.py", Line: 8, Name: "main", Code: "model(x)"}, {File: library, Line: 4, Name: "forward"}}
	p := &explain.Program{Model: &explain.Model{Compiles: []*explain.Compile{{ID: "0/0", Func: "forward", File: library, Line: 4}, again}}}
	facts := answers.For(p)
	session := recorded.Session{Name: ".", Model: p.Model, Facts: func() *answers.Facts { return facts }}
	list := marksIn(traced{&session, answers.Source{File: "/p/gen.py", Whole: true}})
	if len(list) != 1 || list[0].line != 8 || list[0].code != "why-recompile" || !strings.HasPrefix(list[0].text, "this line leads to model.py:4, recompiled once: a size varies: x.size(0), 4 → 8") {
		t.Errorf("%+v", list)
	}
}
