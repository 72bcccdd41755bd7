package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// Each question is answered from a recorded session, in words and as JSON.
func TestQuestions(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "sessions", "torch215_limit_eager")
	for name, wants := range map[string][]string{
		"why-recompile": {"7 recompilations and 1 more refused by the limit, 1 cause", "a Python value varies: name, `''` → `'x'` → `'xx'`", "at limit.py:5 `return x * len(name)`"},
		"failures":      {"1 failure or limit", "`named` (limit.py:4) reached the limit `torch._dynamo.config.recompile_limit` = 8"},
		"breaks":        {"No line breaks a graph."},
		"time":          {"`named` (limit.py:4), 8 versions"},
		"explain":       {"What failed: 1 failure or limit", "Why code was compiled again: 7 recompilations", "Where compile time went: "},
	} {
		status, out, errs := call("", name, dir)
		if status != 0 || errs != "" {
			t.Errorf("%s: status %d, %s", name, status, errs)
		}
		for _, want := range wants {
			if !strings.Contains(out, want) {
				t.Errorf("%s: %q is missing:\n%s", name, want, out)
			}
		}
		status, out, _ = call("", name, "--format", "json", dir)
		if status != 0 || !json.Valid([]byte(out)) {
			t.Errorf("%s: status %d, no JSON:\n%s", name, status, out)
		}
	}
	if _, out, _ := call("", "why-recompile", "--format", "markdown", dir); !strings.Contains(out, "- **a Python value varies: name**, `''` → `'x'`") {
		t.Errorf("markdown:\n%s", out)
	}
}

func TestQuestionsWrongUsage(t *testing.T) {
	for _, args := range [][]string{{"breaks"}, {"breaks", "a", "b"}, {"breaks", "--format", "xml", "a"}, {"breaks", "--nonsense", "a"}} {
		if status, _, errs := call("", args...); status != 2 || errs == "" {
			t.Errorf("%q: status %d, %q", args, status, errs)
		}
	}
	status, _, errs := call("", "breaks", filepath.Join("..", "..", "testdata", "cases"))
	if status != 1 || !strings.Contains(errs, "holds no event log") {
		t.Errorf("a folder without a dump: status %d, %q", status, errs)
	}
}
