package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each question is answered from a recorded session, in words and as JSON.
func TestQuestions(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "sessions", "torch215_limit_eager")
	for name, wants := range map[string][]string{
		"why-recompile": {"7 recompilations and 1 more refused by the limit, 1 cause", "a Python value varies: name, `''` → `'x'` → `'xx'`", "at limit.py:5 `return x * len(name)`"},
		"failures":      {"1 function reached a limit.", "The value is baked into the compiled code", "`named` (limit.py:4) reached the limit `torch._dynamo.config.recompile_limit` = 8"},
		"breaks":        {"No line breaks a graph."},
		"time":          {"`named` (limit.py:4), 8 versions"},
		"explain":       {"Limits that were reached: 1 function reached a limit.", "Left uncompiled: No function was left uncompiled.", "Why code was compiled again: 7 recompilations", "Where compile time went: "},
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

// What Dynamo left alone is among what is asked first, with the reason.
func TestExplainSaysWhatWasLeft(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "sessions", "torch215_skipped_eager")
	_, out, _ := call("", "explain", dir)
	if !strings.Contains(out, "Left uncompiled: 1 function, which runs as ordinary Python.\n\n* `talk` (skipped.py:4): Failed to trace builtin operator") {
		t.Errorf("text:\n%s", out)
	}
	_, out, _ = call("", "explain", "--format", "json", dir)
	var answer struct{ Left []struct{ Name, ID string } }
	if err := json.Unmarshal([]byte(out), &answer); err != nil || len(answer.Left) != 1 || answer.Left[0].Name != "talk" || answer.Left[0].ID != "0/0" {
		t.Errorf("%v, %+v", err, answer)
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

// What took longest is first, and is all there is to see if that is asked for.
func TestTopOfAnAnswer(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "sessions", "torch215_limit_eager")
	status, out, errs := call("", "guards", "--top", "2", dir)
	if status != 0 || errs != "" || strings.Count(out, "* named version ") != 2 || !strings.Contains(out, "* and 6 more: leave out `--top`") {
		t.Errorf("status %d, %s:\n%s", status, errs, out)
	}
	if status, _, errs := call("", "guards", "--top", "-1", dir); status != 2 || !strings.Contains(errs, "--top -1") {
		t.Errorf("--top -1: status %d, %q", status, errs)
	}
}

// The trace has each compilation at its time, and none lies outside of the one that it is part of.
func TestTraceForPerfetto(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace.json")
	dir := filepath.Join("..", "..", "testdata", "sessions", "torch215_toy_inductor")
	if status, _, errs := call("", "time", "--perfetto", file, dir); status != 0 || errs != "" {
		t.Fatalf("status %d, %s", status, errs)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var trace struct {
		TraceEvents []struct {
			Name, Cat, Ph string
			TS, Dur       float64
			Pid, Tid      int
			Args          map[string]any
		}
	}
	if err := json.Unmarshal(data, &trace); err != nil {
		t.Fatal(err)
	}
	type span struct{ from, to float64 }
	var names, phases []string
	rows := map[int][]span{} // what is open in each
	for _, e := range trace.TraceEvents {
		if e.Ph == "M" {
			continue
		}
		if e.Ph != "X" || e.Dur <= 0 || e.TS < 1.6e15 || e.TS != math.Trunc(e.TS) || e.Dur != math.Trunc(e.Dur) {
			t.Errorf("%+v", e)
		}
		is := span{e.TS, e.TS + e.Dur}
		open := rows[e.Tid]
		for len(open) > 0 && open[len(open)-1].to <= is.from {
			open = open[:len(open)-1]
		}
		if n := len(open); n > 0 && open[n-1].to < is.to {
			t.Errorf("%s lasts longer than what it is part of", e.Name)
		}
		if e.Cat != "phase" {
			names = append(names, e.Name)
		} else if len(names) == 1 {
			phases = append(phases, strings.Repeat(">", len(open))+" "+e.Name)
		}
		if nested := len(open) > 0; nested != (e.Cat == "phase") {
			t.Errorf("%s lies in something else: %v", e.Name, nested)
		}
		rows[e.Tid] = append(open, is)
	}
	if got, want := strings.Join(phases, ", "), "> AOTAutograd, >> Inductor, >>> kernels"; got != want {
		t.Errorf("within the first: %s, want %s", got, want)
	}
	want := "toy_example 0/0, toy_example 1/0, backward of toy_example 1/0, backward of toy_example 0/0, toy_example 2/0, backward of toy_example 2/0"
	if got := strings.Join(names, ", "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if a := trace.TraceEvents[3].Args; a["graph breaks"] == nil || a["operations"] == nil || a["backend_s"] == nil {
		t.Errorf("what is told of the first: %v", a)
	}

	status, _, errs := call("", "time", "--perfetto", filepath.Join(t.TempDir(), "no", "trace.json"), dir)
	if status != 1 || !strings.Contains(errs, "trace.json cannot be written: no such file or directory") {
		t.Errorf("a folder that is not there: status %d, %q", status, errs)
	}
	old := filepath.Join("..", "..", "testdata", "sessions", "torch22_toy_eager")
	if status, _, errs := call("", "time", "--perfetto", file, old); status != 1 || !strings.Contains(errs, "torch has not told when") {
		t.Errorf("without times: status %d, %q", status, errs)
	}
}
