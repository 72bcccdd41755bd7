package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
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
		"* all but rank_1: graph break: ",
		"* all but rank_1: 3 graphs\n",
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

func TestRanksWrongUsage(t *testing.T) {
	one := ranks(t, "torch215_toy_eager")
	for _, args := range [][]string{{"ranks"}, {"ranks", "--format", "xml", one}, {"ranks", one}, {"ranks", filepath.Join(one, "rank_0")}, {"ranks", t.TempDir()}} {
		if status, out, errs := call("", args...); status != 2 || out != "" || errs == "" {
			t.Errorf("%q: status %d, %q, %q", args, status, out, errs)
		}
	}
}
