package explain_test

import (
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

const sessions = "../../testdata/sessions"

// asTorchLogs is what TORCH_TRACE would have written in a recorded session.
func asTorchLogs(t *testing.T, session string) string {
	dir := filepath.Join(sessions, session)
	f, err := os.Open(filepath.Join(dir, explain.LogName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var b strings.Builder
	_, err = explain.ReadRecords(f, explain.OpenBlobs(dir).Get, func(r explain.Record) {
		if r.Type != "trace" {
			return
		}
		envelope, _ := r.Fields["envelope"].(string)
		payload, isText := r.Fields["payload"].(string)
		if isText {
			// A recording has other paths than the program that was recorded: the sum is of the text that is left.
			before, rest, found := strings.Cut(envelope, `"has_payload": "`)
			if !found {
				t.Fatalf("no checksum: %s", envelope)
			}
			envelope = fmt.Sprintf(`%s"has_payload": "%x%s`, before, md5.Sum([]byte(payload)), rest[32:])
		}
		fmt.Fprintf(&b, "V1121 02:37:03.355000 9006 torch/_dynamo/utils.py:2473] %s\n", envelope)
		if isText {
			b.WriteString("\t" + strings.ReplaceAll(payload, "\n", "\n\t") + "\n")
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func readLog(t *testing.T, text string) []*explain.Model {
	path := filepath.Join(t.TempDir(), "torch.log")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	models, err := explain.ReadLog(path)
	if err != nil {
		t.Fatal(err)
	}
	return models
}

// told is what both a session and torch's own log of it say, for comparison.
func told(t *testing.T, m *explain.Model, logged bool) string {
	p := explain.Link(m)
	s := answers.Of(p)
	var versions, resumes []string
	for _, f := range slices.Concat(p.Functions, p.Resumes) {
		for _, v := range f.Versions {
			versions = append(versions, fmt.Sprintf("%s %s of %s", v.CompileID, f.Name, filepath.Base(f.File)))
			for _, r := range v.Resumes {
				if r.To != nil {
					resumes = append(resumes, v.CompileID+" goes on in "+r.To.Name)
				}
			}
		}
	}
	slices.Sort(versions)
	slices.Sort(resumes)
	var operations []string
	for _, a := range p.Files {
		// A session of today does not log the graphs that its hooks deliver.
		if logged && a.Stage == "Captured_Graph" {
			nodes := answers.Nodes(a.Body())
			for i := range nodes {
				nodes[i].Row = 0 // the hook's text has a few lines more at its head
			}
			operations = append(operations, fmt.Sprint(a.CompileID, nodes))
		}
	}
	slices.Sort(operations)
	for i, spent := range s.Spent {
		if spent.Phases != nil && spent.Phases.AOTAutograd == spent.Phases.Sum() {
			s.Spent[i].Phases = nil // that AOTAutograd ran alone shows from its graphs, which a session does not log either
		}
	}
	text, err := json.MarshalIndent([]any{s.Torch[:3], s.Causes, s.BreakLines, s.Spent, versions, slices.Compact(resumes), operations}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Torch's own log gives the answers that the session gives, but for the code.
func TestSameAsTheSession(t *testing.T) {
	// What is not in the log: of which version a compilation is that the limit prevented (its outcome
	// is a hook's); which version of a function a later session of the process saw.
	for _, session := range []string{
		"torch215_toy_eager", "torch215_toy_inductor", "torch215_unproven_eager", "torch215_loop_eager", "torch215_reset_aot_eager",
		"torch26_toy_inductor", "torch29_toy_aot_eager", "torch26_unproven_eager",
	} {
		t.Run(session, func(t *testing.T) {
			live, err := explain.Replay(filepath.Join(sessions, session))
			if err != nil {
				t.Fatal(err)
			}
			text := asTorchLogs(t, session)
			graphs := strings.Contains(text, "dynamo_output_graph")
			models := readLog(t, text)
			if len(models) != 1 {
				t.Fatalf("%d runs", len(models))
			}
			m := models[0]
			if m.Start.Torch == "" { // torch 2.6 does not log it
				m.Start.Torch = live.Start.Torch
			}
			if got, want := told(t, m, graphs), told(t, live, graphs); got != want {
				t.Errorf("from the log:\n%s\nfrom the session:\n%s", got, want)
			}
		})
	}
}

// A log is read whatever it went through: compressed, mixed with other text, cut off, several runs in one file.
func TestLogsAsTheyCome(t *testing.T) {
	text := asTorchLogs(t, "torch215_toy_eager")
	want := told(t, readLog(t, text)[0], true)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(text))
	z.Close()
	mixed := strings.ReplaceAll(text, "\nV1121", "\nepoch 1: loss 0.5\n[rank0]:V1121")
	for name, each := range map[string]string{"compressed": packed.String(), "mixed": mixed, "Windows": strings.ReplaceAll(text, "utils.py:2473]", `C:\torch\utils.py:2473]`)} {
		models := readLog(t, each)
		if got := told(t, models[0], true); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
		if lost := models[0].Skipped > 0; lost != (name == "mixed") || models[0].Torn != 0 {
			t.Errorf("%s: %d lines skipped, %d entries torn", name, models[0].Skipped, models[0].Torn)
		}
	}
	if twice := readLog(t, text+text); len(twice) != 2 || told(t, twice[0], true) != want || told(t, twice[1], true) != want {
		t.Errorf("two runs in one file are %d", len(twice))
	}
	for cut := 0; cut < len(text); cut += 997 {
		path := filepath.Join(t.TempDir(), "cut.log")
		if err := os.WriteFile(path, []byte(text[:cut]), 0o644); err != nil {
			t.Fatal(err)
		}
		models, err := explain.ReadLog(path)
		if err != nil {
			if cut > 1000 {
				t.Errorf("cut at %d: %v", cut, err)
			}
			continue
		}
		explain.Link(models[0])
	}
	changed := strings.Replace(text, "def forward(", "def backward(", 1)
	if models := readLog(t, changed); models[0].Torn != 1 {
		t.Errorf("%d entries torn, of one", models[0].Torn)
	}
	junk := filepath.Join(t.TempDir(), "junk")
	if err := os.WriteFile(junk, []byte("no log\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := explain.ReadLog(junk); err == nil || !strings.Contains(err.Error(), "is text: torch's logs have entries") {
		t.Errorf("junk: %v", err)
	}
}
