package explain

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/pyc"
)

// The cells that functions come from are sources with the names that a traceback has for them; the others stay out of the log.
func TestCellsOfANotebook(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dump")
	var called []string // what the decompiler is told of files
	s, err := NewSession(start(dir), nil, WithDecompiler(func(c *pyc.Code, name string, _ map[string][]string, from decompile.Origin) (DecompileResult, error) {
		called = append(called, from.File)
		return fakeDecompile(c, name, nil, from)
	}))
	if err != nil {
		t.Fatal(err)
	}
	const file, helper, failing = "/tmp/ipykernel_42/123.py", "/tmp/ipykernel_42/456.py", "<ipython-input-5-abc>"
	event(t, s, "cells", map[string]any{"cells": map[string]any{
		file:                       map[string]any{"title": "In[3]", "text": "def f(x):\n    return helper(x)\n"},
		helper:                     map[string]any{"title": "In[4]", "text": "def helper(x):\n    return x + 1\n"},
		failing:                    map[string]any{"title": "In[5]", "text": "def bad(x):\n    raise 1\n"},
		"/tmp/ipykernel_42/789.py": map[string]any{"title": "In[1]", "text": "password = 'hunter2'\n"},
	}})
	f := bytecode("k1", "c1", code("f"), "__compiled_fn_1")
	f["source_file"] = file
	f["old"].(*pyc.Code).Filename = file
	event(t, s, "bytecode", f)
	resume := code("resumed")
	resume.Filename = file
	again := bytecode("k2", "c2", resume)
	again["is_resume"] = true
	event(t, s, "bytecode", again)
	event(t, s, "bytecode", bytecode("k3", "c3", code("in_a_file")))
	if !slices.Equal(called, []string{"In[3]", "In[3]", ""}) {
		t.Errorf("the decompiler is told %q", called)
	}
	event(t, s, "graph", map[string]any{"compile_id": "0/1", "graph": "__compiled_fn_1", "stage": "Captured_Graph", "text": "def forward(self, x):\n    # File: " + helper + ":2 in helper, code: return x + 1\n    add = x + 1\n"})
	event(t, s, "outcome", map[string]any{"compile_id": "1/0", "func": "bad", "file": failing, "line": int64(1), "raised": true, "error_type": "TypeError", "error": "no"})
	if _, err := s.End(nil); err != nil {
		t.Fatal(err)
	}
	m, err := Replay(dir)
	if err != nil {
		t.Fatal(err)
	}
	p := Link(m)
	for place, want := range map[Place]string{{file, 2}: "In[3]:2", {helper, 2}: "In[4]:2", {failing, 1}: "In[5]:1", {"/project/a.py", 3}: "a.py:3"} {
		if got := p.Places.Place(place.File, place.Line); got != want {
			t.Errorf("%v is called %q, not %q", place, got, want)
		}
		if text, ok := m.SourceOf(place.File); strings.HasPrefix(want, "In") && (!ok || !strings.Contains(text, "def ")) {
			t.Errorf("%v: no source", place)
		}
	}
	if full := p.Places.Full("In[4]"); full != helper {
		t.Errorf("In[4] is %q", full)
	}
	log, err := os.ReadFile(filepath.Join(dir, LogName))
	if err != nil || strings.Contains(string(log), "hunter2") || strings.Count(string(log), `"type":"source"`) != 3 {
		t.Errorf("%v; what no function comes from is in the log:\n%s", err, log)
	}
}
