package explain

import (
	"strings"
	"testing"
)

func TestTitle(t *testing.T) {
	for qualname, want := range map[string]string{
		"GPT.forward": "GPT.forward", "f": "f", "main.<locals>.GPT.forward": "GPT.forward",
		"a.<locals>.b.<locals>.c": "c", "timed.<locals>.wrapper": "wrapper",
	} {
		if got := title(qualname); got != want {
			t.Errorf("%s is called %s, want %s", qualname, got, want)
		}
	}
}

// One wrapper's code is compiled for two methods: each version is called by its own.
func TestTitlesOfAWrapper(t *testing.T) {
	m := newModel()
	for i, id := range []string{"0/0", "0/1"} {
		m.apply(Record{Type: "function", Fields: map[string]any{"compile_id": id, "qualname": []string{"GPT.forward", "Bert.forward"}[i], "file": "model.py", "line": 7 + i}})
		m.apply(Record{Type: "bytecode", Fields: map[string]any{
			"key": id, "old_key": "wrapper", "compile_id": id, "func": "wrapper", "source_file": "generic.py", "source_line": 1,
			"old": map[string]any{"name": "wrapper", "qualname": "decorate.<locals>.wrapper"}, "new": map[string]any{"name": "wrapper"},
		}})
	}
	p := Link(m)
	f := p.Functions[0]
	if f.Title != "GPT.forward, Bert.forward" || f.Versions[1].Title != "Bert.forward" || f.Where != (Place{"model.py", 7}) || f.Name != "wrapper" {
		t.Errorf("%q, %q at %v", f.Title, f.Versions[1].Title, f.Where)
	}
}

// The text of a file is kept when a record first names it, and only then.
func TestSources(t *testing.T) {
	m := newModel()
	for _, text := range []string{"before\n", "after\n"} {
		m.apply(Record{Type: "source", Fields: map[string]any{"file": `C:\toy.py`, "text": text}})
	}
	if got, ok := m.SourceOf("C:/toy.py"); !ok || got != "before\n" {
		t.Errorf("%q, %v", got, ok)
	}
	graph := "# File: /a/model.py:1 in f, code: x\n# File: /a/model.py:2 in f, code: y\n    # File: /b/nn.py:3 in g, code: z\n"
	trace := map[string]any{"envelope": `{"artifact": {"name": "dynamo_graph_break_reason"}}`, "payload": "Graph break in user code at /b/show.py:8\nUser code traceback:\n" +
		"  File \"/a/model.py\", line 3, in f\n    show(x)\n  File \"/usr/lib/python3.12/x.py\", line 9, in call\n    g()\n  File \"/b/show.py\", line 8, in show\n    print(x)\n"}
	s := &Session{model: m}
	if got := s.mentioned(Record{Type: "trace", Fields: trace}); strings.Join(got, " ") != "/b/show.py /a/model.py /b/show.py" {
		t.Errorf("a graph break speaks of %q", got)
	}
	start := Record{Type: "trace", Fields: map[string]any{"compile_id": "0/0", "envelope": `{"dynamo_start": {"stack": [{"line": 8, "name": "main", "filename": "/a/gen.py"}, ` +
		`{"line": 4, "name": "forward", "filename": "/v/lib/python3.12/site-packages/lib/model.py"}]}}`}}
	m.apply(start)
	if got := s.mentioned(start); len(got) != 1 || got[0] != "/a/gen.py" {
		t.Errorf("a compilation speaks of %q", got)
	}
	if got := s.mentioned(Record{Type: "graph", Fields: map[string]any{"text": graph}}); len(got) != 2 || got[0] != "/a/model.py" || got[1] != "/b/nn.py" {
		t.Errorf("%q", got)
	}
}
