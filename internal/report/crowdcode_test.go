package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/explain"
)

// Rows of breaks at lines of one text say the text once.
func TestCodeOfACrowdIsSaidOnce(t *testing.T) {
	p := &explain.Program{Model: &explain.Model{}}
	w := &indexWriter{prog: p, told: map[string]string{}}
	var list []*explain.Function
	for i, text := range []string{"graph_break()", "graph_break()", "print(x)", "print(x)", "graph_break()"} {
		c := &explain.Compile{Breaks: []explain.Break{{File: "/p/a.py", Line: i + 1, Code: text}}}
		code := &explain.Transformed{File: fmt.Sprintf("code_%d.py", i)}
		list = append(list, &explain.Function{First: code, Versions: []*explain.Version{{Code: code, Compile: c}}})
	}
	w.resumeRows(list)
	var got []string
	for _, l := range strings.Split(w.b.String(), "\n") {
		if cells := strings.Split(l, " | "); strings.Contains(l, "code_") {
			got = append(got, cells[3])
		}
	}
	if want := "a.py:1 `graph_break()`, a.py:2, a.py:3 `print(x)`, a.py:4, a.py:5 `graph_break()`"; strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
	}
}
