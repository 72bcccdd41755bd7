package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/answers"
)

// ranks is a folder in which each rank has recorded the session of that name.
func ranks(t *testing.T, sessions ...string) string {
	top := t.TempDir()
	for i, s := range sessions {
		to := filepath.Join(top, "rank_"+string(rune('0'+i)))
		if err := os.CopyFS(to, os.DirFS(filepath.Join("../../testdata/sessions", s))); err != nil {
			t.Fatal(err)
		}
	}
	return top
}

func TestRanksThatAgree(t *testing.T) {
	top := ranks(t, "torch215_toy_eager", "torch215_toy_eager", "torch215_toy_eager")
	status, out, errs := call("", "ranks", top)
	if status != 0 || out != "All 3 ranks compiled the same.\n\n" {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}

// Rank 1 runs another program: what only it does is told as that of one rank, what it does not do as that of all others.
func TestRanksThatDiffer(t *testing.T) {
	top := ranks(t, "torch215_toy_eager", "torch215_limit_eager", "torch215_toy_eager")
	status, out, errs := call("", "ranks", top)
	if status != 1 || errs != "" {
		t.Errorf("status %d, %s", status, errs)
	}
	for _, want := range []string{
		"differences between 3 ranks.",
		"* only rank_1: recompiled: a Python value varies: name at limit.py:5 `return x * len(name)`",
		" They stand in the order of compiling",
		"* all but rank_1: graph break: toy_example.py:7 `if b.sum() < 0:` in `toy_example`: Data-dependent branching",
		"* only rank_1: left uncompiled: `named` (limit.py:4): the limit recompile_limit = 8 is reached",
		"* all but rank_1: 3 graphs\n",
		"  breaks  recompilations ",
		"rank_1      *",
		" of `toy_example`, from ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing:\n%s", want, out)
		}
	}
	var told answers.Ranks
	status, out, _ = call("", "ranks", "--format", "json", top)
	if err := json.Unmarshal([]byte(out), &told); status != 1 || err != nil || len(told.Processes) != 3 || len(told.Causes) != 2 ||
		strings.Join(told.Causes[1].In, " ") != "rank_1" || strings.Join(told.Causes[1].Without, " ") != "rank_0 rank_2" {
		t.Errorf("status %d, %v: %+v", status, err, told)
	}
	// So begins what is said of the whole run.
	status, out, errs = call("", "explain", top)
	if want := "What differs between the ranks: "; status != 0 || !strings.HasPrefix(out, want) || !strings.Contains(out, "* only rank_1: left uncompiled: `named`") || strings.Count(out, want) != 1 {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	var all struct{ Ranks answers.Ranks }
	status, out, _ = call("", "explain", "--format", "json", top)
	if err := json.Unmarshal([]byte(out), &all); status != 0 || err != nil || !reflect.DeepEqual(all.Ranks, told) {
		t.Errorf("status %d, %v: %+v", status, err, all.Ranks)
	}
	// The pages that lead to the ranks begin with it.
	if status, _, errs := call("", "report", top); status != 0 {
		t.Fatalf("status %d, %s", status, errs)
	}
	for name, want := range map[string]string{
		"index.md":       "- **only rank_1**: recompiled: a Python value varies",
		"processes.md":   "| [rank_1](rank_1/index.md) | ended |",
		"processes.html": "<b>only rank_1</b>: recompiled: a Python value varies",
	} {
		text, err := os.ReadFile(filepath.Join(top, name))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v: %q is missing:\n%s", name, err, want, text)
		}
	}
}

// What several ranks say is one JSON document, in which each is as it is alone.
func TestJSONOfRanks(t *testing.T) {
	sessions := []string{"torch215_toy_eager", "torch215_limit_eager"}
	top := ranks(t, sessions...)
	for _, command := range [][]string{{"breaks"}, {"explain"}, {"time"}, {"guards"}, {"report"}} {
		var all struct {
			Form      int
			Processes []map[string]any
		}
		args := append(command, "--format", "json")
		status, out, errs := call("", append(args, top)...)
		if err := json.Unmarshal([]byte(out), &all); status != 0 || err != nil || all.Form != 1 || len(all.Processes) != 2 {
			t.Errorf("%q: status %d, %s, %v\n%.300s", command, status, errs, err, out)
			continue
		}
		for i, s := range sessions {
			var alone map[string]any
			_, out, _ := call("", append(args, sessionFolder(s))...)
			if err := json.Unmarshal([]byte(out), &alone); err != nil || alone["form"] != 1.0 {
				t.Errorf("%q: %v\n%.300s", command, err, out)
			}
			got := all.Processes[i]
			if got["process"] != fmt.Sprint("rank_", i) {
				t.Errorf("%q: the process %v", command, got["process"])
			}
			for _, o := range []map[string]any{alone, got} {
				delete(o, "form")
				delete(o, "process")
			}
			if !reflect.DeepEqual(alone, got) {
				t.Errorf("%q: of several %s says something else than alone", command, s)
			}
		}
	}
}

var intoReport = regexp.MustCompile(`<a href="(rank_\d/report\.html)(?:#([^"]*))?">`)

// A line of the page leads to its place in the report of the rank that has it.
func TestLinksIntoReportsOfRanks(t *testing.T) {
	top := ranks(t, "torch215_toy_inductor", "torch215_limit_eager")
	if status, _, errs := call("", "report", top); status != 0 {
		t.Fatalf("status %d, %s", status, errs)
	}
	page, err := os.ReadFile(filepath.Join(top, "processes.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<a href="rank_0/report.html#line-toy_example.py:7">toy_example.py:7</a>`,
		`<a href="rank_0/report.html#breaks">in the report of rank_0</a>`,
		`<a href="rank_1/report.html#recompilations">in the report of rank_1</a>`,
		`<a href="rank_0/report.html#graph-__compiled_fn_1"><code>__compiled_fn_1.Captured_Graph.0.py</code></a>`,
		`<a href="rank_1/report.html">rank_1</a>`,
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %s", want)
		}
	}
	for _, m := range intoReport.FindAllStringSubmatch(string(page), -1) {
		report, err := os.ReadFile(filepath.Join(top, m[1]))
		if err != nil || m[2] != "" && !strings.Contains(string(report), ` id="`+m[2]+`"`) {
			t.Errorf("%s leads nowhere: %v", m[0], err)
		}
	}
}

func TestRanksWrongUsage(t *testing.T) {
	one := ranks(t, "torch215_toy_eager")
	for _, args := range [][]string{{"ranks"}, {"ranks", "--format", "xml", one}, {"ranks", one}, {"ranks", filepath.Join(one, "rank_0")}, {"ranks", t.TempDir()}} {
		if status, out, errs := call("", args...); status != 2 || out != "" || errs == "" {
			t.Errorf("%q: status %d, %q, %q", args, status, out, errs)
		}
	}
}
