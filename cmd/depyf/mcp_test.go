package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// agent is the official client of the protocol, connected to the program itself.
func agent(t *testing.T, dirs ...string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	cmd := exec.Command(built(t), append([]string{"mcp"}, dirs...)...)
	cmd.Stderr = os.Stderr
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("the server did not end well: %v", err)
		}
	})
	return session
}

// asked calls a tool: its words, and its data read into data unless that is nil.
func asked(t *testing.T, s *mcp.ClientSession, tool string, arguments map[string]any, data any) string {
	t.Helper()
	text, failed := tried(t, s, tool, arguments, data)
	if failed {
		t.Errorf("%s %v: %s", tool, arguments, text)
	}
	return text
}

func tried(t *testing.T, s *mcp.ClientSession, tool string, arguments map[string]any, data any) (text string, failed bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := s.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, arguments, err)
	}
	for _, c := range r.Content {
		text += c.(*mcp.TextContent).Text
	}
	if data != nil {
		structured, err := json.Marshal(r.StructuredContent)
		if err == nil {
			err = json.Unmarshal(structured, data)
		}
		if err != nil {
			t.Fatalf("%s: %v", tool, err)
		}
	}
	return text, r.IsError
}

// recordings is the folder of the recorded sessions.
const recordings = "../../testdata/sessions"

func TestMCPListsTools(t *testing.T) {
	s := agent(t, recordings)
	if in := s.InitializeResult(); in.ServerInfo.Name != "depyf" || !strings.Contains(in.Instructions, "list_sessions") {
		t.Errorf("%+v", in)
	}
	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		schema, ok := tool.InputSchema.(map[string]any)
		if !ok || schema["type"] != "object" || len(tool.Description) < 40 || tool.Annotations == nil || !tool.Annotations.ReadOnlyHint {
			t.Errorf("%+v", tool)
			continue
		}
		for name, p := range schema["properties"].(map[string]any) {
			if p := p.(map[string]any); p["type"] == "" || len(p["description"].(string)) < 10 {
				t.Errorf("%s: %s is %v", tool.Name, name, p)
			}
		}
	}
	slices.Sort(names)
	want := "breaks check diff explain failures guards list_sessions map ranks source time why_recompile wrong"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A tool says what the command says, and its data is the command's JSON.
func TestMCPAnswersAsTheCommandsDo(t *testing.T) {
	s := agent(t, recordings)
	for _, name := range []string{"explain", "failures", "why-recompile", "breaks", "wrong", "time", "guards"} {
		for _, session := range []string{"torch215_limit_eager", "torch215_toy_inductor"} {
			var got struct {
				Form      int
				Path      string
				Processes []json.RawMessage
			}
			text := asked(t, s, strings.ReplaceAll(name, "-", "_"), map[string]any{"path": session, "top": 0}, &got)
			_, want, _ := call("", name, got.Path) // the path that it says, which commands in the text name
			if !strings.HasSuffix(text, want) || got.Form != 1 || filepath.Base(got.Path) != session {
				t.Errorf("%s of %s: form %d of %s\n%s\nwant\n%s", name, session, got.Form, got.Path, text, want)
			}
			_, object, _ := call("", name, "--format", "json", sessionFolder(session))
			if len(got.Processes) != 1 || canonical(t, got.Processes[0]) != canonical(t, []byte(strings.Replace(object, "\"form\": 1,", "", 1))) {
				t.Errorf("%s of %s: data differs", name, session)
			}
		}
	}
	toy := map[string]any{"path": "torch215_joined_inductor", "where": "toy_example.py:6"}
	if text := asked(t, s, "map", toy, nil); !strings.Contains(text, `torch.ops.aten.abs.default`) || !strings.Contains(text, "cpp_fused_abs_add_div_lt_sum_0: kernel of the forward pass") {
		t.Errorf("map:\n%s", text)
	}
	// Of a long list the first are given, in words and as data, and what is left out is said.
	var cut struct {
		Processes []struct {
			Guards  []any          `json:"guards"`
			LeftOut map[string]int `json:"left_out"`
		}
	}
	text := asked(t, s, "guards", map[string]any{"path": "torch215_limit_eager", "top": 2}, &cut)
	if len(cut.Processes) != 1 || len(cut.Processes[0].Guards) != 2 || cut.Processes[0].LeftOut["guards"] != 6 || !strings.Contains(text, "and 6 more: ask with a larger `top`") {
		t.Errorf("%+v\n%s", cut, text)
	}
}

// canonical is JSON without its layout.
func canonical(t *testing.T, data []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestMCPListsSessions(t *testing.T) {
	top := t.TempDir()
	dumpOf(t, "torch215_toy_eager", filepath.Join(top, "runs", "first"))
	dumpOf(t, "torch215_limit_eager", filepath.Join(top, "runs", "second", "rank_0"))
	dumpOf(t, "torch215_toy_eager", filepath.Join(top, "runs", "second", "rank_1"))
	dumpOf(t, "torch215_toy_eager", filepath.Join(top, ".hidden"))
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(top, "runs", "second", "rank_1", "events.jsonl"), later, later); err != nil {
		t.Fatal(err)
	}
	s := agent(t, top)
	var got struct {
		Sessions []struct {
			Path, Kind string
			Processes  []struct{ Process, State, Summary string }
		}
	}
	text := asked(t, s, "list_sessions", nil, &got)
	if len(got.Sessions) != 2 || filepath.Base(got.Sessions[0].Path) != "second" || filepath.Base(got.Sessions[1].Path) != "first" ||
		len(got.Sessions[0].Processes) != 2 || !strings.Contains(text, "1 graph break") {
		t.Fatalf("%+v\n%s", got, text)
	}
	if p := got.Sessions[1].Processes[0]; p.Process != "." || p.State != "ended" || !strings.Contains(p.Summary, "**1 function** compiled") {
		t.Errorf("%+v", p)
	}
	// Without a path the newest is meant, and each process can be asked alone.
	if text := asked(t, s, "why_recompile", map[string]any{"process": "rank_0"}, nil); !strings.Contains(text, "a Python value varies: name") {
		t.Errorf("rank_0:\n%s", text)
	}
	if text := asked(t, s, "ranks", map[string]any{"path": "runs/second"}, nil); !strings.Contains(text, "only rank_0") {
		t.Errorf("ranks:\n%s", text)
	}
	if text, failed := tried(t, s, "breaks", map[string]any{"process": "rank_7"}, nil); !failed || !strings.Contains(text, "there is rank_0, rank_1") {
		t.Errorf("rank_7: %s", text)
	}
	// A program that ran again is read again.
	dumpOf(t, "torch215_limit_eager", filepath.Join(top, "runs", "first"))
	if text := asked(t, s, "why_recompile", map[string]any{"path": "runs/first"}, nil); !strings.Contains(text, "a Python value varies: name") {
		t.Errorf("a new dump:\n%s", text)
	}
}

func TestMCPSource(t *testing.T) {
	s := agent(t, recordings)
	toy := "torch215_toy_inductor"
	var all struct {
		Processes []struct {
			Versions []struct {
				Name, Code, Verdict string
				Graphs              []struct{ File, Stage string }
			}
		}
	}
	asked(t, s, "source", map[string]any{"path": toy}, &all)
	if v := all.Processes[0].Versions; len(v) != 3 || v[0].Name != "toy_example" || v[0].Verdict != "proved" || len(v[0].Graphs) < 8 {
		t.Fatalf("%+v", v)
	}
	// The texts are those of the files that the session has written.
	names := []string{all.Processes[0].Versions[0].Code, "full_code_for_toy_example_0.py"}
	for _, g := range all.Processes[0].Versions[0].Graphs {
		names = append(names, g.File)
	}
	for _, name := range names {
		want, err := os.ReadFile(filepath.Join(recordings, toy, "want", name))
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Files []struct{ Text string } }
		asked(t, s, "source", map[string]any{"path": toy, "file": name, "lines": 100000}, &got)
		if len(got.Files) != 1 || strings.TrimSuffix(got.Files[0].Text, "\n") != strings.TrimSuffix(string(want), "\n") {
			t.Errorf("%s: %v", name, got)
		}
	}
	var part struct {
		Files []struct {
			File      string
			From      int
			Lines, Of int
			Text      string
		}
	}
	text := asked(t, s, "source", map[string]any{"path": toy, "function": "toy_example", "version": 0, "from": 2, "lines": 3}, &part)
	if f := part.Files; len(f) != 1 || f[0].From != 2 || f[0].Lines != 3 || strings.Count(f[0].Text, "\n") != 3 || !strings.Contains(text, "lines 2 to 4 of ") {
		t.Errorf("%+v\n%s", part, text)
	}
	for _, c := range []struct {
		arguments map[string]any
		want      string
	}{
		{map[string]any{"file": "../events.jsonl"}, "there is no ../events.jsonl"},
		{map[string]any{"file": "index.md"}, "there is no index.md"},
		{map[string]any{"function": "nothing"}, "there is no code of nothing"},
		{map[string]any{"function": "toy_example", "version": 9}, "there is no version 9 of toy_example"},
		{map[string]any{"version": 0}, "name it, too"},
		{map[string]any{"file": "a", "function": "b"}, "not both"},
		{map[string]any{"function": "toy_example", "from": 9999}, "has the lines 1 to "},
	} {
		c.arguments["path"] = toy
		if text, failed := tried(t, s, "source", c.arguments, nil); !failed || !strings.Contains(text, c.want) {
			t.Errorf("%v: %s", c.arguments, text)
		}
	}
	// Torch's own log has graphs and no code.
	logs := agent(t, "../../testdata/torch_logs")
	traces := logFiles(t)
	var code struct {
		Processes []struct {
			Versions []struct{ Name, Code string }
		}
	}
	asked(t, logs, "source", map[string]any{"path": traces}, &code)
	if v := code.Processes[0].Versions; len(v) == 0 || v[0].Code != "" {
		t.Fatalf("%+v", v)
	}
	if text, failed := tried(t, logs, "source", map[string]any{"path": traces, "function": code.Processes[0].Versions[0].Name}, nil); !failed || !strings.Contains(text, "torch's own log does not hold the code") {
		t.Errorf("code of a log: %s", text)
	}
}

// logFiles is a log of torch's own.
func logFiles(t *testing.T) string {
	t.Helper()
	var found string
	err := filepath.WalkDir("../../testdata/torch_logs", func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && found == "" && filepath.Ext(path) != ".md" {
			found, err = filepath.Abs(path)
		}
		return err
	})
	if err != nil || found == "" {
		t.Fatal("no log", err)
	}
	return found
}

func TestMCPDiffAndCheck(t *testing.T) {
	s := agent(t, recordings)
	limit, toy := "torch215_limit_eager", "torch215_toy_eager"
	var d struct {
		Processes []struct {
			Difference struct {
				NewBreaks []struct{ Line int } `json:"new_breaks"`
			}
		}
	}
	text := asked(t, s, "diff", map[string]any{"before": limit, "after": toy}, &d)
	_, want, _ := call("", "diff", sessionFolder(limit), sessionFolder(toy))
	if !strings.HasSuffix(text, want) || len(d.Processes) != 1 || len(d.Processes[0].Difference.NewBreaks) != 1 || d.Processes[0].Difference.NewBreaks[0].Line != 7 {
		t.Errorf("%+v\n%s", d, text)
	}
	var v struct {
		Passed   bool
		Verdicts []struct {
			Name    string
			OK      bool
			Because []string
		}
	}
	text = asked(t, s, "check", map[string]any{"path": toy, "max_breaks": 0}, &v)
	if v.Passed || len(v.Verdicts) != 2 || v.Verdicts[0].OK || !strings.HasPrefix(v.Verdicts[0].Because[0], "toy_example.py:7") || !strings.Contains(text, "FAILED  graph breaks: 1, limit 0") {
		t.Errorf("%+v\n%s", v, text)
	}
	v.Verdicts = nil
	asked(t, s, "check", map[string]any{"path": toy, "baseline": toy}, &v)
	if !v.Passed || len(v.Verdicts) != 4 {
		t.Errorf("%+v", v)
	}
}

// Nothing outside of the folders is read, whatever leads there, and it is not told what lies there.
func TestMCPReadsItsFoldersOnly(t *testing.T) {
	top := t.TempDir()
	dumpOf(t, "torch215_toy_eager", filepath.Join(top, "served", "dump"))
	dumpOf(t, "torch215_toy_eager", filepath.Join(top, "secret"))
	s := agent(t, filepath.Join(top, "served"))
	outside := []string{filepath.Join(top, "secret"), "../secret", "dump/../../secret", "/etc/passwd", filepath.Join(top, "nothing"), filepath.Join(top, "served-not")}
	for _, path := range outside {
		for _, tool := range []string{"explain", "source", "check"} {
			if text, failed := tried(t, s, tool, map[string]any{"path": path}, nil); !failed || !strings.Contains(text, "is outside of the folders that this server may read: "+filepath.Join(top, "served")) {
				t.Errorf("%s %s: %s", tool, path, text)
			}
		}
		for tool, arguments := range map[string]map[string]any{"diff": {"before": path}, "ranks": {"path": path}, "list_sessions": {"folder": path}} {
			if text, failed := tried(t, s, tool, arguments, nil); !failed || !strings.Contains(text, "is outside of") {
				t.Errorf("%s %s: %s", tool, path, text)
			}
		}
	}
	if text := asked(t, s, "explain", map[string]any{"path": filepath.Join(top, "served", "dump")}, nil); !strings.Contains(text, "toy_example.py:7") {
		t.Errorf("inside:\n%s", text)
	}
	if text, failed := tried(t, s, "explain", map[string]any{"path": "missing"}, nil); !failed || !strings.Contains(text, "there is no missing; list_sessions") {
		t.Errorf("a missing folder: %s", text)
	}
	if runtime.GOOS == "windows" {
		return // links need a right there
	}
	// Links: of the folder, of the log, and of what the list reads.
	for link, to := range map[string]string{"link": "secret", "half/events.jsonl": "secret/events.jsonl", "index/index.md": "secret/index.md", "ranks/rank_0": "secret"} {
		from := filepath.Join(top, "served", link)
		if err := os.MkdirAll(filepath.Dir(from), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(top, to), from); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"link", "half", "half/events.jsonl", "ranks"} {
		if text, failed := tried(t, s, "explain", map[string]any{"path": path}, nil); !failed || !strings.Contains(text, "is a link that leads outside") {
			t.Errorf("%s: %s", path, text)
		}
	}
	if err := os.WriteFile(filepath.Join(top, "served", "index", "events.jsonl"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if text, failed := tried(t, s, "list_sessions", map[string]any{"folder": "index"}, nil); !failed || !strings.Contains(text, "is a link that leads outside") {
		t.Errorf("index: %s", text)
	}
}

func TestMCPBadInput(t *testing.T) {
	s := agent(t, recordings)
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		want      string
	}{
		{"explain", map[string]any{"pth": "x"}, `there is no argument "pth"; there is path, process, top`},
		{"explain", map[string]any{"path": 7}, "path is of the type string, not number"},
		{"explain", map[string]any{"top": "many"}, "top is of the type integer, not string"},
		{"explain", map[string]any{"top": -1}, "top is the number of items"},
		{"explain", map[string]any{"path": "torch215_toy_eager/want"}, "holds no event log"},
		{"explain", map[string]any{"path": "torch215_toy_eager/want/index.md"}, "is text: torch's logs have entries"},
		{"explain", map[string]any{"path": "a\x00b"}, "NUL"},
		{"map", map[string]any{"path": "torch215_toy_eager"}, "where is missing"},
		{"map", map[string]any{"path": "torch215_toy_eager", "where": "nothing.py:3"}, "nothing in nothing.py was traced"},
		{"diff", map[string]any{}, "before is missing"},
		{"check", map[string]any{"path": "torch215_toy_eager", "max_breaks": -3}, "a limit is not negative"},
		{"ranks", map[string]any{"path": "torch215_toy_eager"}, "two are needed to compare"},
	} {
		if text, failed := tried(t, s, c.tool, c.arguments, nil); !failed || !strings.Contains(text, c.want) {
			t.Errorf("%s %v: %s", c.tool, c.arguments, text)
		}
	}
	if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "delete_everything"}); err == nil || !strings.Contains(err.Error(), "there is no tool") {
		t.Errorf("an unknown tool: %v", err)
	}
	if text := asked(t, s, "breaks", map[string]any{"path": "torch215_toy_eager"}, nil); !strings.Contains(text, "toy_example.py:7") {
		t.Errorf("after all that:\n%s", text)
	}
	if status, _, errs := call("", "mcp", "nowhere"); status != 2 || !strings.Contains(errs, "nowhere") {
		t.Errorf("status %d, %s", status, errs)
	}
	if status, _, errs := call("", "mcp", filepath.Join(recordings, "torch215_toy_eager", "events.jsonl")); status != 2 || !strings.Contains(errs, "is no folder") {
		t.Errorf("status %d, %s", status, errs)
	}
	// What is no JSON, or no message, is refused, and what follows is answered.
	status, out, errs := call("nonsense\n\n[]\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"nothing/at/all\"}\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/nothing\"}\n{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}\n", "mcp", recordings)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != 0 || errs != "" || len(lines) != 4 || !strings.Contains(lines[0], "-32700") || !strings.Contains(lines[1], "-32700") || !strings.Contains(lines[2], "-32601") || lines[3] != `{"jsonrpc":"2.0","id":"a","result":{}}` {
		t.Errorf("status %d, %s\n%s", status, errs, out)
	}
}

// A client that goes away, also in the middle of an answer or of a message, ends the server.
func TestMCPClientGoesAway(t *testing.T) {
	for name, last := range map[string]string{
		"at once":              "",
		"in a message":         `{"jsonrpc":"2.0","id":2,"method":"tools/`,
		"while it is answered": `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"explain","arguments":{"path":"torch215_toy_inductor"}}}` + "\n",
	} {
		cmd := exec.Command(built(t), "mcp", recordings)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var errs bytes.Buffer
		cmd.Stderr = &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`+"\n")
		var answer json.RawMessage
		if err := json.NewDecoder(out).Decode(&answer); err != nil || !strings.Contains(string(answer), `"protocolVersion":"2025-06-18"`) {
			t.Errorf("%v: %s", err, answer)
		}
		io.WriteString(in, last)
		out.Close()
		in.Close()
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case err := <-ended:
			if err != nil || errs.Len() > 0 {
				t.Errorf("%s: %v, %s", name, err, &errs)
			}
		case <-time.After(time.Minute):
			_ = cmd.Process.Kill()
			t.Errorf("%s: it does not end", name)
		}
	}
}
