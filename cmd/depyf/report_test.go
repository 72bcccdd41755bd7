package main

import (
	"bytes"
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
		{nil, 2}, {[]string{"a", "b"}, 2}, {[]string{"-x"}, 2}, {[]string{"-h"}, 0}, {[]string{empty}, 1}, {[]string{junk}, 1},
	} {
		var stdout, stderr bytes.Buffer
		if got := runReport(tt.args, nil, &stdout, &stderr); got != tt.status || stderr.Len() == 0 {
			t.Errorf("%q: status %d, want %d: %s", tt.args, got, tt.status, &stderr)
		}
	}
}
