package main

import (
	"encoding/xml"
	"path/filepath"
	"strings"
	"testing"
)

func sessionFolder(name string) string {
	return filepath.Join("..", "..", "testdata", "sessions", name)
}

func TestCheck(t *testing.T) {
	limit, toy := sessionFolder("torch215_limit_eager"), sessionFolder("torch215_toy_eager")
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{limit}, 0, "ok      compilations that raised: 0, limit 0"},
		{[]string{"--max-recompiles", "7", limit}, 0, "ok      recompilations: 7, limit 7"},
		{[]string{"--max-recompiles", "6", limit}, 1, "FAILED  recompilations: 7, limit 6\n          limit.py:5 `return x * len(name)`: a Python value varies: name; 7 times"},
		{[]string{"--max-breaks", "0", toy}, 1, "FAILED  graph breaks: 1, limit 0\n          toy_example.py:7"},
		{[]string{"--max-seconds", "0.001", toy}, 1, "FAILED  seconds of compiling: "},
		{[]string{"--baseline", toy, toy}, 0, "ok      graph breaks: 1, limit 1"},
		{[]string{"--baseline", toy, limit}, 1, "FAILED  recompilations refused by the limit: 1, limit 0"},
		{[]string{"--baseline", limit, toy}, 1, "FAILED  graph breaks: 1, limit 0"},
		{[]string{"--baseline", toy, "--max-breaks", "5", toy}, 0, "ok      graph breaks: 1, limit 1"},
		{[]string{"--format", "markdown", "--max-breaks", "0", toy}, 1, "- ✗ **graph breaks**: 1 (limit 0)\n  - toy_example.py:7"},
	} {
		status, out, errs := call("", append([]string{"check"}, c.args...)...)
		if status != c.status || !strings.Contains(out, c.want) {
			t.Errorf("%q: status %d, want %d and %q\n%s%s", c.args, status, c.status, c.want, out, errs)
		}
	}
}

func TestCheckJUnit(t *testing.T) {
	_, out, _ := call("", "check", "--format", "junit", "--max-breaks", "0", sessionFolder("torch215_toy_eager"))
	var suite junitSuite
	if err := xml.Unmarshal([]byte(out), &suite); err != nil || suite.Tests != 2 || suite.Failures != 1 || suite.Cases[0].Failure == nil ||
		!strings.Contains(suite.Cases[0].Failure.Text, "toy_example.py:7") || suite.Cases[1].Failure != nil ||
		suite.Cases[0].Class != "depyf" || suite.Cases[0].Name != "breaks" || suite.Cases[0].Failure.Message != "graph breaks: 1, limit 0" {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestDiff(t *testing.T) {
	limit, toy := sessionFolder("torch215_limit_eager"), sessionFolder("torch215_toy_eager")
	if status, out, _ := call("", "diff", toy, toy); status != 0 || !strings.Contains(out, "Nothing is different.") {
		t.Errorf("status %d\n%s", status, out)
	}
	status, out, _ := call("", "diff", limit, toy)
	for _, want := range []string{"* graph breaks 0 → 1", "* new graph break at toy_example.py:7", "* cause of recompilations gone: a Python value varies: name at limit.py:5"} {
		if status != 1 || !strings.Contains(out, want) {
			t.Errorf("status %d, %q is missing\n%s", status, want, out)
		}
	}
}

func TestCheckAndDiffWrongUsage(t *testing.T) {
	toy := sessionFolder("torch215_toy_eager")
	for _, args := range [][]string{
		{"check"},
		{"check", "--max-breaks", "x", toy},
		{"check", "--format", "xml", toy},
		{"check", "--baseline", "nowhere", toy},
		{"check", "nowhere"},
		{"diff", toy},
		{"diff", toy, "nowhere"},
		{"diff", "--format", "xml", toy, toy},
	} {
		if status, _, errs := call("", args...); status != 2 || errs == "" {
			t.Errorf("%q: status %d, %q", args, status, errs)
		}
	}
}
