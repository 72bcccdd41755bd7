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
		var told struct{ Failures []json.RawMessage }
		_, out, _ := call("", "failures", "--format", "json", path)
		if err := json.Unmarshal([]byte(out), &told); err != nil {
			t.Errorf("%s: %v", d.Name(), err)
			continue
		}
		if nothing := strings.HasPrefix(text, "Nothing failed"); nothing != (len(told.Failures) == 0) && !strings.Contains(text, " ended with ") {
			t.Errorf("%s: %d in JSON, and in words:\n%s", d.Name(), len(told.Failures), text)
		}
		if len(told.Failures) > 0 {
			with++
		} else {
			without++
		}
	}
	if with == 0 || without == 0 {
		t.Errorf("%d sessions with failures, %d without", with, without)
	}
}
