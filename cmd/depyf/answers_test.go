package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// What depyf.explain asks for: a card with the page in it, what "depyf explain" prints, and the JSON form.
func TestAnswersOfADump(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "sessions", "torch215_toy_inductor")
	answer, err := answerDump(map[string]any{"dir": dir, "raised": "KeyError: 3", "called": true})
	if err != nil {
		t.Fatal(err)
	}
	html, _ := answer["html"].(string)
	text, _ := answer["text"].(string)
	for _, want := range []string{`<div class="depyf">`, "toy_example.py:7", "KeyError: 3", `srcdoc="&lt;!DOCTYPE html&gt;`} {
		if !strings.Contains(html, want) {
			t.Errorf("the card lacks %q", want)
		}
	}
	_, printed, _ := call("", "explain", dir)
	if !strings.Contains(text, strings.TrimSpace(printed)) || !strings.Contains(text, "The call raised KeyError: 3") {
		t.Errorf("as text:\n%s", text)
	}
	_, wanted, _ := call("", "report", "--format", "json", dir)
	var got, want any
	data, _ := answer["json"].(string)
	if json.Unmarshal([]byte(data), &got) != nil || json.Unmarshal([]byte(wanted), &want) != nil {
		t.Fatalf("no JSON: %.200s", data)
	}
	a, _ := json.Marshal(got)
	b, _ := json.Marshal(want)
	if string(a) != string(b) {
		t.Errorf("as JSON: %.500s", a)
	}
	if _, err := answerDump(map[string]any{"dir": t.TempDir()}); err == nil {
		t.Error("a folder without a dump is answered for")
	}
}
