package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	const session = "../../testdata/sessions/torch215_toy_eager"
	out := filepath.Join(t.TempDir(), "out")
	var stdout, stderr bytes.Buffer
	if status := runReport([]string{session, "-o", out}, nil, &stdout, &stderr); status != 0 {
		t.Fatalf("status %d: %s", status, &stderr)
	}
	want, err := os.ReadFile(filepath.Join(session, "want", "index.md"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(out, "index.md"))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("index.md differs: %v", err)
	}
	if !strings.HasPrefix(stdout.String(), "index.md\t") {
		t.Errorf("printed %q", stdout.String())
	}
}

func TestReportJSON(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if status := runReport([]string{"--format", "json", "../../testdata/sessions/torch215_toy_eager"}, nil, &stdout, &stderr); status != 0 {
		t.Fatalf("status %d: %s", status, &stderr)
	}
	var told struct {
		Form         int
		Compilations []struct{ ID, Function string }
	}
	if err := json.Unmarshal(stdout.Bytes(), &told); err != nil || told.Form != 1 || len(told.Compilations) == 0 ||
		told.Compilations[0].ID != "0/0" || told.Compilations[0].Function != "toy_example" {
		t.Errorf("%v: %+v", err, told)
	}
}

func TestReportFailures(t *testing.T) {
	empty := t.TempDir()
	junk := t.TempDir()
	if err := os.WriteFile(filepath.Join(junk, "events.jsonl"), []byte("junk\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args   []string
		status int
	}{
		{nil, 2}, {[]string{"a", "b"}, 2}, {[]string{"--format", "xml", "a"}, 2}, {[]string{"--format", "json", "-o", "b", "a"}, 2}, {[]string{"-x"}, 2}, {[]string{"-h"}, 0}, {[]string{empty}, 1}, {[]string{junk}, 1},
	} {
		var stdout, stderr bytes.Buffer
		if got := runReport(tt.args, nil, &stdout, &stderr); got != tt.status || got == 0 && stdout.Len() == 0 || got != 0 && stderr.Len() == 0 {
			t.Errorf("%q: status %d, want %d: %s%s", tt.args, got, tt.status, &stdout, &stderr)
		}
	}
}

// A folder of torchrun's holds a dump for each rank and none of its own.
func TestReportOfSeveralProcesses(t *testing.T) {
	top := t.TempDir()
	for _, rank := range []string{"rank_0", "rank_1"} {
		if err := os.CopyFS(filepath.Join(top, rank), os.DirFS("../../testdata/sessions/torch215_toy_eager")); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	if status := runReport([]string{top}, nil, &stdout, &stderr); status != 0 {
		t.Fatalf("status %d: %s", status, &stderr)
	}
	for _, name := range []string{"index.md", "processes.md", "rank_0/index.md", "rank_1/report.html"} {
		if _, err := os.Stat(filepath.Join(top, name)); err != nil {
			t.Error(err)
		}
	}
	if page, _ := os.ReadFile(filepath.Join(top, "index.md")); !bytes.Contains(page, []byte("[rank_1](rank_1/index.md) | ended | **1 function** compiled")) {
		t.Errorf("the page of the folder:\n%s", page)
	}
	if !strings.Contains(stdout.String(), "\nrank_1/index.md\t") {
		t.Errorf("printed %q", stdout.String())
	}
	stdout.Reset()
	if status := runReport([]string{"--format", "json", top}, nil, &stdout, &stderr); status != 0 || !json.Valid(stdout.Bytes()) || strings.Count(stdout.String(), "\n   \"complete\": true") != 2 {
		t.Errorf("status %d: %s", status, &stderr)
	}
}
