package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/thuml/depyf/internal/explain"
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
		{[]string{toy}, 0, "ok      failures: 0, limit 0"},
		{[]string{limit}, 1, "FAILED  recompilations refused by the limit: 1, limit 0\n          limit.py:5"},
		{[]string{"--max-limits", "1", limit}, 0, "ok      failures: 0, limit 0"},
		{[]string{"--max-recompiles", "7", "--max-limits", "1", limit}, 0, "ok      recompilations: 7, limit 7"},
		{[]string{"--baseline", limit, limit}, 0, "ok      recompilations refused by the limit: 1, limit 1"},
		{[]string{"--max-recompiles", "6", limit}, 1, "FAILED  recompilations: 7, limit 6\n          limit.py:5 `return x * len(name)`: a Python value varies: name; 7 times"},
		{[]string{"--max-breaks", "0", toy}, 1, "FAILED  graph breaks: 1, limit 0\n          toy_example.py:7"},
		{[]string{"--max-seconds", "0.001", toy}, 1, "FAILED  seconds of compiling: "},
		{[]string{"--baseline", toy, toy}, 0, "ok      graph breaks: 1, limit 1"},
		{[]string{"--baseline", toy, limit}, 1, "FAILED  recompilations refused by the limit: 1, limit 0"},
		{[]string{"--baseline", limit, toy}, 1, "FAILED  graph breaks: 1, limit 0"},
		{[]string{"--baseline", toy, "--max-breaks", "5", toy}, 0, "ok      graph breaks: 1, limit 1"},
		// What is behind a limit is named also where the baseline has it.
		{[]string{"--baseline", toy, "--max-breaks", "0", toy}, 1, "FAILED  graph breaks: 1, limit 0\n          toy_example.py:7"},
		{[]string{"--baseline", limit, "--max-recompiles", "3", limit}, 1, "FAILED  recompilations: 7, limit 3\n          limit.py:5 `return x * len(name)`: a Python value varies: name; 7 times"},
		{[]string{"--baseline", limit, toy}, 1, "FAILED  graph breaks: 1, limit 0\n          new: toy_example.py:7"},
		{[]string{"--format", "markdown", "--max-breaks", "0", toy}, 1, "- ✗ **graph breaks**: 1 (limit 0)\n  - toy_example.py:7"},
	} {
		status, out, errs := call("", append([]string{"check"}, c.args...)...)
		if status != c.status || !strings.Contains(out, c.want) {
			t.Errorf("%q: status %d, want %d and %q\n%s%s", c.args, status, c.status, c.want, out, errs)
		}
	}
}

// edited is a recorded session in which texts are others: each first of two stands for the second.
func edited(t *testing.T, session string, texts ...string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(sessionFolder(session))); err != nil {
		t.Fatal(err)
	}
	blobs, err := filepath.Glob(filepath.Join(dir, explain.BlobsDir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, file := range append(blobs, filepath.Join(dir, explain.LogName)) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(texts); i += 2 {
			found[texts[i]] = found[texts[i]] || bytes.Contains(text, []byte(texts[i]))
		}
		if !utf8.Valid(text) {
			continue // a code object
		}
		if err := os.WriteFile(file, []byte(strings.NewReplacer(texts...).Replace(string(text))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; i < len(texts); i += 2 {
		if !found[texts[i]] {
			t.Fatalf("%s has no %q", session, texts[i])
		}
	}
	return dir
}

// One line that breaks the graph in the place of another is as many breaks, and not what the baseline has.
func TestCheckBreakForAnother(t *testing.T) {
	toy := sessionFolder("torch215_toy_eager")
	other := edited(t, "torch215_toy_eager", "if b.sum() < 0:", "if b.sum() < 1:")
	status, out, errs := call("", "check", "--baseline", toy, other)
	want := "FAILED  graph breaks: 1, limit 1, but not the same ones\n          new: toy_example.py:7 `if b.sum() < 1:`: "
	if status != 1 || !strings.HasPrefix(out, want) || !strings.Contains(out, "\n          gone: toy_example.py:7 `if b.sum() < 0:`: ") {
		t.Errorf("status %d, %s\n%s", status, errs, out)
	}
	var told struct {
		Form     int
		Passed   bool
		Verdicts []struct{ New, Gone, Because []string }
	}
	_, out, _ = call("", "check", "--format", "json", "--baseline", toy, other)
	if err := json.Unmarshal([]byte(out), &told); err != nil || told.Form != 1 || told.Passed || len(told.Verdicts) != 4 || len(told.Verdicts[0].New) != 1 || len(told.Verdicts[0].Gone) != 1 {
		t.Errorf("%v\n%s", err, out)
	}
}

// A rank that only one of two runs has is a difference, and no baseline is kept to without it.
func TestRanksThatOnlyOneRunHas(t *testing.T) {
	one, two := ranks(t, "torch215_toy_eager"), ranks(t, "torch215_toy_eager", "torch215_toy_eager")
	for _, c := range []struct{ before, after, diff, check string }{
		{two, one, "=== rank_1 ===\n\n8 differences.\n\n* it is gone: only the run before has it\n* graph breaks 1 → 0\n", "FAILED  rank_1: not in this run: 1, limit 0\n          the baseline has a dump of it\n"},
		{one, two, "=== rank_1 ===\n\n5 differences.\n\n* it is new: the run before does not have it\n* graph breaks 0 → 1\n", "FAILED  rank_1: not in the baseline: 1, limit 0\n          the baseline has no dump of it\n"},
	} {
		status, out, errs := call("", "diff", c.before, c.after)
		head, rest, _ := strings.Cut(c.diff, " differences")
		if status != 1 || errs != "" || !strings.Contains(out, "=== rank_0 ===\n\nNothing is different") || !strings.Contains(out, head[:len(head)-1]) || !strings.Contains(out, rest) {
			t.Errorf("diff: status %d, %s\n%s", status, errs, out)
		}
		if status, out, errs := call("", "check", "--baseline", c.before, c.after); status != 1 || errs != "" || !strings.Contains(out, c.check) {
			t.Errorf("check: status %d, %s\n%s", status, errs, out)
		}
	}
	if status, out, _ := call("", "diff", two, two); status != 0 || strings.Count(out, "Nothing is different") != 2 {
		t.Errorf("the same: status %d\n%s", status, out)
	}
	if status, out, _ := call("", "check", "--baseline", two, two); status != 0 || strings.Contains(out, "FAILED") {
		t.Errorf("the same: status %d\n%s", status, out)
	}
	// A run of one process is compared with one of another name.
	if status, out, _ := call("", "diff", one, sessionFolder("torch215_toy_eager")); status != 0 || !strings.HasPrefix(out, "Nothing is different") {
		t.Errorf("one process each: status %d\n%s", status, out)
	}
	var told struct {
		Form      int
		Processes []struct {
			Process string
			OnlyIn  string `json:"only_in"`
			Counts  []struct{ Name string }
		}
	}
	_, out, _ := call("", "diff", "--format", "json", two, one)
	if err := json.Unmarshal([]byte(out), &told); err != nil || told.Form != 1 || len(told.Processes) != 2 || told.Processes[0].Process != "rank_0" || told.Processes[0].OnlyIn != "" ||
		told.Processes[1].Process != "rank_1" || told.Processes[1].OnlyIn != "before" || len(told.Processes[1].Counts) != 6 {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestCheckJUnit(t *testing.T) {
	_, out, _ := call("", "check", "--format", "junit", "--max-breaks", "0", sessionFolder("torch215_toy_eager"))
	var suite junitSuite
	if err := xml.Unmarshal([]byte(out), &suite); err != nil || suite.Tests != 3 || suite.Failures != 1 || suite.Cases[0].Failure == nil ||
		!strings.Contains(suite.Cases[0].Failure.Text, "toy_example.py:7") || suite.Cases[1].Failure != nil ||
		suite.Cases[0].Class != "depyf" || suite.Cases[0].Name != "breaks" || suite.Cases[0].Failure.Message != "graph breaks: 1, limit 0" {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestDiff(t *testing.T) {
	limit, toy := sessionFolder("torch215_limit_eager"), sessionFolder("torch215_toy_eager")
	if status, out, _ := call("", "diff", toy, toy); status != 0 || !strings.HasPrefix(out, "Nothing is different: ") {
		t.Errorf("status %d\n%s", status, out)
	}
	status, out, _ := call("", "diff", limit, toy)
	for _, want := range []string{"* graph breaks 0 → 1", "* new graph break at toy_example.py:7", "* cause of recompilations gone: a Python value varies: name at limit.py:5"} {
		if status != 1 || !strings.Contains(out, want) {
			t.Errorf("status %d, %q is missing\n%s", status, want, out)
		}
	}
}

// A program of which something was edited: what of it was compiled otherwise is told, and nothing else.
func TestDiffOfAnEditedProgram(t *testing.T) {
	const toy = "torch215_toy_inductor"
	for _, c := range []struct {
		name  string
		texts []string
		wants []string
		not   string
	}{
		{
			"an operation",
			[]string{"torch.abs(l_a_)", "torch.sin(l_a_)"},
			[]string{"* graphs of `toy_example` (toy_example.py:4): 1 changed\n", "(was `__compiled_fn_1.Captured_Graph.0.py`): new `torch.sin(l_a_)` at toy_example.py:6; gone `torch.abs(l_a_)` at toy_example.py:6\n"},
			"kernels",
		},
		{"a name that counts", []string{"abs_1", "abs_17"}, nil, ""},
		{
			"a kernel",
			[]string{"tmp0.abs()", "tmp0.neg()"},
			[]string{"* kernels of `toy_example` (toy_example.py:4): ", "    changed: `cpp_fused_abs_"},
			"graphs of",
		},
		{
			"a guard",
			[]string{"size=[10]", "size=[11]"},
			[]string{"* versions of `toy_example` (toy_example.py:4): ", " changed\n", "    guards of version 0, new: `", "size=[11]"},
			"kernels",
		},
	} {
		status, out, errs := call("", "diff", sessionFolder(toy), edited(t, toy, c.texts...))
		if c.wants == nil {
			if status != 0 || !strings.HasPrefix(out, "Nothing is different") {
				t.Errorf("%s: status %d, %s\n%s", c.name, status, errs, out)
			}
			continue
		}
		for _, want := range c.wants {
			if status != 1 || !strings.Contains(out, want) || c.not != "" && strings.Contains(out, c.not) {
				t.Errorf("%s: status %d, %s, %q is missing or %q is there\n%s", c.name, status, errs, want, c.not, out)
			}
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
