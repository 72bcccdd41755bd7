package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What the text of failures says and what its JSON has is the same: a function that only a graph break left alone is in neither.
func TestFailuresTextAndJSON(t *testing.T) {
	sessions := "../../testdata/sessions"
	dirs, err := os.ReadDir(sessions)
	if err != nil {
		t.Fatal(err)
	}
	with, without := 0, 0
	for _, d := range dirs {
		path := filepath.Join(sessions, d.Name())
		status, text, errs := call("", "failures", path)
		if status > 1 {
			t.Errorf("%s: status %d, %s", d.Name(), status, errs)
			continue
		}
		var told struct {
			Failures, Exports []json.RawMessage
			Raised            *struct{ Error, Text string }
		}
		_, out, _ := call("", "failures", "--format", "json", path)
		if err := json.Unmarshal([]byte(out), &told); err != nil {
			t.Errorf("%s: %v", d.Name(), err)
			continue
		}
		nothing := len(told.Failures)+len(told.Exports) == 0 && told.Raised == nil
		if nothing != strings.HasPrefix(text, "Nothing failed") {
			t.Errorf("%s: %d in JSON, and in words:\n%s", d.Name(), len(told.Failures), text)
		}
		if nothing {
			without++
		} else {
			with++
		}
	}
	if with == 0 || without == 0 {
		t.Errorf("%d sessions with failures, %d without", with, without)
	}
}

// What ended the program is a failure, though no compilation failed.
func TestFailureOfTheProgram(t *testing.T) {
	events, err := os.ReadFile("../../testdata/sessions/torch215_closure_eager/events.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	raised := `{"fields": {"block": false, "error": "no file", "error_stack": [], "error_type": "FileNotFoundError"}, "n": 1, "t": 1.0, "type": "raised"}`
	at := strings.LastIndex(strings.TrimSpace(string(events)), "\n") + 1
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "events.jsonl"), []byte(string(events[:at])+raised+"\n"+string(events[at:])), 0o644); err != nil {
		t.Fatal(err)
	}
	status, out, errs := call("", "failures", "--format", "json", dir)
	var told struct {
		Failures []json.RawMessage
		Raised   struct{ Error, Text string }
	}
	if err := json.Unmarshal([]byte(out), &told); err != nil || status != 0 || len(told.Failures) != 0 || told.Raised.Error != "FileNotFoundError" || told.Raised.Text != "no file" {
		t.Errorf("%d %v %+v\n%s%s", status, err, told, out, errs)
	}
}
