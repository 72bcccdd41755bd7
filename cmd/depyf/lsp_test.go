package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
)

// editor is a client of the language server, which is the program itself.
type editor struct {
	t       *testing.T
	in      io.WriteCloser
	next    int
	answers chan editorMessage
	told    chan editorMessage // notifications and requests
	cmd     *exec.Cmd
}

type editorMessage struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int
		Message string
	} `json:"error"`
}

type editorRange struct {
	Start, End struct{ Line, Character int }
}

type editorDiagnostic struct {
	Range           editorRange
	Severity        int
	Code, Source    string
	Message         string
	CodeDescription struct{ Href string }
}

type editorLocation struct {
	URI   string
	Range editorRange
}

// startEditor starts the server and shakes hands.
func startEditor(t *testing.T, dir, options string) *editor {
	t.Helper()
	return startEditorIn(t, options, dir)
}

// startEditorIn does it for several folders.
func startEditorIn(t *testing.T, options string, dirs ...string) *editor {
	t.Helper()
	e := &editor{t: t, cmd: exec.Command(built(t), append([]string{"lsp", "--stdio"}, dirs...)...), answers: make(chan editorMessage, 100), told: make(chan editorMessage, 1000)}
	e.cmd.Stderr = os.Stderr
	var err error
	if e.in, err = e.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.cmd.Process.Kill() }) // one that has ended does not mind
	go e.read(out)
	var hello struct {
		Capabilities map[string]json.RawMessage
		ServerInfo   struct{ Name string }
	}
	e.ask("initialize", json.RawMessage(`{"processId":null,"rootUri":null,"capabilities":{"window":{"showDocument":{"support":true}},"workspace":{"codeLens":{"refreshSupport":true}}},"initializationOptions":`+options+`}`), &hello)
	if hello.ServerInfo.Name != "depyf" || string(hello.Capabilities["hoverProvider"]) != "true" || string(hello.Capabilities["positionEncoding"]) != `"utf-16"` ||
		string(hello.Capabilities["definitionProvider"]) != strconv.FormatBool(!strings.Contains(options, "false")) {
		t.Errorf("%+v", hello)
	}
	e.tell("initialized", struct{}{})
	return e
}

func (e *editor) read(out io.Reader) {
	defer close(e.told)
	r := bufio.NewReader(out)
	for {
		length := 0
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			line = strings.TrimSpace(line)
			if line == "" {
				break
			}
			if n, ok := strings.CutPrefix(line, "Content-Length: "); ok {
				length, _ = strconv.Atoi(n)
			}
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(r, body); err != nil {
			return
		}
		var m editorMessage
		if err := json.Unmarshal(body, &m); err != nil {
			e.t.Errorf("%v: %s", err, body)
			return
		}
		if m.Method == "" {
			e.answers <- m
		} else {
			e.told <- m
		}
	}
}

func (e *editor) write(m map[string]any) {
	e.t.Helper()
	m["jsonrpc"] = "2.0"
	body, err := json.Marshal(m)
	if err == nil {
		_, err = fmt.Fprintf(e.in, "Content-Length: %d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n%s", len(body), body)
	}
	if err != nil {
		e.t.Fatal(err)
	}
}

func (e *editor) tell(method string, params any) {
	e.t.Helper()
	e.write(map[string]any{"method": method, "params": params})
}

// ask waits for the answer, or for the words of an error.
func (e *editor) ask(method string, params, answer any) (failed string) {
	e.t.Helper()
	e.next++
	e.write(map[string]any{"id": e.next, "method": method, "params": params})
	select {
	case m := <-e.answers:
		if string(m.ID) != strconv.Itoa(e.next) {
			e.t.Fatalf("%s: answer to %s", method, m.ID)
		}
		if m.Error != nil {
			return fmt.Sprintf("%d %s", m.Error.Code, m.Error.Message)
		}
		if answer != nil {
			if err := json.Unmarshal(m.Result, answer); err != nil {
				e.t.Fatalf("%s: %v: %s", method, err, m.Result)
			}
		}
	case <-time.After(30 * time.Second):
		e.t.Fatalf("%s: no answer", method)
	}
	return ""
}

// await waits for a message of the server's.
func (e *editor) await(method string, wanted func(params json.RawMessage) bool) {
	e.t.Helper()
	end := time.After(30 * time.Second)
	var last string
	for {
		select {
		case m, ok := <-e.told:
			if !ok {
				e.t.Fatalf("the server has ended; the last %s was %s", method, last)
			}
			if m.Method == method {
				last = string(m.Params)
				if wanted(m.Params) {
					return
				}
			}
		case <-end:
			e.t.Fatalf("no %s as wanted; the last was %s", method, last)
		}
	}
}

// diagnostics waits for those of a file that are as wanted.
func (e *editor) diagnostics(path string, wanted func([]editorDiagnostic) bool) (list []editorDiagnostic) {
	e.t.Helper()
	e.await("textDocument/publishDiagnostics", func(params json.RawMessage) bool {
		var p struct {
			URI         string
			Diagnostics []editorDiagnostic
		}
		if err := json.Unmarshal(params, &p); err != nil || p.Diagnostics == nil {
			e.t.Fatalf("%v: %s", err, params)
		}
		list = p.Diagnostics
		return p.URI == fileURI(path) && wanted(list)
	})
	return list
}

func some(n int) func([]editorDiagnostic) bool {
	return func(list []editorDiagnostic) bool { return len(list) == n }
}

func fileURI(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}

func (e *editor) open(path, text string) {
	e.t.Helper()
	e.tell("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": fileURI(path), "languageId": "python", "version": 1, "text": text}})
}

func (e *editor) change(path, text string, version int) {
	e.t.Helper()
	e.tell("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": fileURI(path), "version": version}, "contentChanges": []any{map[string]any{"text": text}}})
}

// lineIn is what requests about a line, counted from 1, have.
func lineIn(path string, line int) any {
	return map[string]any{"textDocument": map[string]any{"uri": fileURI(path)}, "position": map[string]any{"line": line - 1, "character": 4}}
}

func (e *editor) end() {
	e.t.Helper()
	if failed := e.ask("shutdown", nil, nil); failed != "" {
		e.t.Error(failed)
	}
	e.tell("exit", nil)
	if err := e.cmd.Wait(); err != nil {
		e.t.Error(err)
	}
}

func textOf(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A file of the program has the graph break marked, its functions counted, and leads to what became of each line.
func TestLSPShowsADump(t *testing.T) {
	top := t.TempDir()
	dump := filepath.Join(top, "runs", "dump")
	dumpOf(t, "torch215_joined_inductor", dump)
	toy := sourceIn(t, "torch215_joined_inductor", "toy_example.py", top)
	e := startEditor(t, top, "{}")
	e.open(toy, textOf(t, toy))
	list := e.diagnostics(toy, some(1))
	d := list[0]
	if d.Range.Start.Line != 6 || d.Range.Start.Character != 4 || d.Range.End.Line != 6 || d.Range.End.Character != len("    if b.sum() < 0:") || d.Severity != 2 || d.Source != "depyf" || d.Code != "breaks" ||
		!strings.HasPrefix(d.Message, "graph break here: Data-dependent branching; once") || !strings.Contains(d.Message, "\ntorch's hint: Use `torch.cond`") || !strings.HasPrefix(d.CodeDescription.Href, "https://") {
		t.Errorf("%+v", d)
	}

	var lenses []struct {
		Range   editorRange
		Command struct {
			Title, Command string
			Arguments      []any
		}
	}
	e.ask("textDocument/codeLens", lineIn(toy, 1), &lenses)
	var titles []string
	for _, l := range lenses {
		titles = append(titles, l.Command.Title)
		if l.Range.Start.Line != 3 || l.Command.Command != "depyf.open" {
			t.Errorf("%+v", l)
		}
	}
	if got := strings.Join(titles, " | "); got != "1 version | transformed code | graph | kernel" {
		t.Fatalf("lenses: %s", got)
	}
	// A click opens the file.
	e.ask("workspace/executeCommand", map[string]any{"command": "depyf.open", "arguments": lenses[1].Command.Arguments}, nil)
	e.await("window/showDocument", func(params json.RawMessage) bool {
		return strings.Contains(string(params), fileURI(filepath.Join(dump, "__transformed_code_0_for_toy_example.py")))
	})

	// Line 6 became statements, operations and a kernel, at their lines in the files.
	var locations []editorLocation
	e.ask("textDocument/definition", lineIn(toy, 6), &locations)
	wants := map[string]string{
		"__transformed_code_0_for_toy_example.py": "__compiled_fn_1(a, b)", "__compiled_fn_1.Captured_Graph.0.py": "torch.abs(", "__compiled_fn_1.kernel_0.py": "cpp_fused_abs_add_div_lt_sum_0",
		"__compiled_fn_1.AFTER_POST_GRAD.0.py": "aten.abs.default",
	}
	for _, l := range locations {
		path := strings.TrimPrefix(l.URI, "file://")
		lines := strings.Split(textOf(t, path), "\n")
		if want := wants[filepath.Base(path)]; strings.Contains(lines[l.Range.Start.Line], want) {
			delete(wants, filepath.Base(path))
		}
	}
	if len(wants) > 0 {
		t.Errorf("not led to: %v; but to %+v", wants, locations)
	}
	// And back.
	graph := filepath.Join(dump, "__compiled_fn_1.Captured_Graph.0.py")
	var at int
	for i, l := range strings.Split(textOf(t, graph), "\n") {
		if strings.Contains(l, "torch.abs(") {
			at = i + 1
		}
	}
	e.open(graph, textOf(t, graph))
	var back []editorLocation
	e.ask("textDocument/definition", lineIn(graph, at), &back)
	if len(back) != 1 || back[0].URI != fileURI(toy) || back[0].Range.Start.Line != 5 {
		t.Errorf("back: %+v", back)
	}

	var h struct{ Contents struct{ Kind, Value string } }
	e.ask("textDocument/hover", lineIn(toy, 7), &h)
	for _, want := range []string{"**graph break here: Data-dependent branching; once", "- torch's hint: Use \\`torch.cond\\`", "transformed code:\n", "#L"} {
		if h.Contents.Kind != "markdown" || !strings.Contains(h.Contents.Value, want) {
			t.Errorf("hover: %q is missing:\n%s", want, h.Contents.Value)
		}
	}
	var none any
	if e.ask("textDocument/hover", lineIn(toy, 1), &none); none != nil {
		t.Errorf("hover on an empty line: %v", none)
	}
	e.end()
}

// A file that has changed since is not marked but said to have changed; when its text is as before, so are the marks. What is before
// a mark may be of any width.
func TestLSPKnowsEditedFiles(t *testing.T) {
	top := t.TempDir()
	dumpOf(t, "torch215_limit_eager", filepath.Join(top, "dump"))
	file := sourceIn(t, "torch215_limit_eager", "limit.py", top)
	text := textOf(t, file)
	e := startEditor(t, top, "{}")
	e.open(file, text)
	list := e.diagnostics(file, some(2))
	if list[0].Range.Start.Line != 3 || list[0].Code != "failures" || !strings.HasPrefix(list[0].Message, "named reached the limit torch._dynamo.config.recompile_limit = 8") ||
		list[1].Range.Start.Line != 4 || list[1].Code != "why-recompile" || !strings.HasPrefix(list[1].Message, "recompiled 7 times, and 1 more refused by the limit: a Python value varies: name, '' → 'x' → ") ||
		!strings.Contains(list[1].Message, "\nThe value is baked into the compiled code.") {
		t.Errorf("%+v", list)
	}
	e.change(file, strings.Replace(text, "len(name)", "len(name) + 1", 1), 2)
	list = e.diagnostics(file, some(1))
	if list[0].Severity != 3 || list[0].Code != "changed" || !strings.HasPrefix(list[0].Message, "this file has changed since it was compiled") {
		t.Errorf("%+v", list)
	}
	var lenses, nothing []any
	e.ask("textDocument/codeLens", lineIn(file, 1), &lenses)
	e.ask("textDocument/definition", lineIn(file, 5), &nothing)
	if len(lenses)+len(nothing) > 0 {
		t.Errorf("lenses %v, definitions %v of a changed file", lenses, nothing)
	}
	e.change(file, text, 3)
	e.diagnostics(file, some(2))
	// The dump holds the text of the function alone; so what is before it may change, but not move it.
	e.change(file, "# 𝔘𝔫𝔦𝔠𝔬𝔡𝔢\n"+strings.TrimPrefix(text, "\n"), 4)
	e.diagnostics(file, some(2))
	e.change(file, "#\n"+text, 5)
	e.diagnostics(file, func(l []editorDiagnostic) bool { return len(l) == 1 && l[0].Code == "changed" })
	var lens []struct{ Command struct{ Title string } }
	e.change(file, strings.ReplaceAll(text, "\n", "\r\n"), 6)
	e.diagnostics(file, some(2))
	e.ask("textDocument/codeLens", lineIn(file, 1), &lens)
	if len(lens) == 0 || lens[0].Command.Title != "8 versions, recompiled 7 times: a Python value varies: name" {
		t.Errorf("%+v", lens)
	}
	e.end()
}

// Positions count UTF-16 code units.
func TestLSPCountsInUTF16(t *testing.T) {
	top := t.TempDir()
	dump := filepath.Join(top, "dump")
	dumpOf(t, "torch215_toy_eager", dump)
	// The same session of a program with another line 7.
	odd := `    if b.sum() < 0:  # 𝔘𝔫𝔦 é`
	log := filepath.Join(dump, "events.jsonl")
	data := strings.Replace(textOf(t, log), `    if b.sum() < 0:\n`, odd+`\n`, -1)
	if err := os.WriteFile(log, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
	toy := sourceIn(t, "torch215_toy_eager", "toy_example.py", top)
	text := strings.Replace(textOf(t, toy), "    if b.sum() < 0:", odd, 1)
	e := startEditor(t, top, `{"definition": false}`)
	e.open(toy, text)
	list := e.diagnostics(toy, some(2))
	if want := len(utf16.Encode([]rune(odd))); list[1].Code != "breaks" || list[1].Range.End.Character != want || want != len([]rune(odd))+3 {
		t.Errorf("%+v, want %d", list[1].Range, want)
	}
	e.end()
}

// The newest dump is shown: another one that comes, and the one before when that goes.
func TestLSPFollowsDumps(t *testing.T) {
	top := t.TempDir()
	toy := sourceIn(t, "torch215_toy_eager", "toy_example.py", top)
	limit := sourceIn(t, "torch215_limit_eager", "limit.py", top)
	e := startEditor(t, top, "{}")
	e.open(toy, textOf(t, toy))
	e.open(limit, textOf(t, limit))
	dumpOf(t, "torch215_toy_eager", filepath.Join(top, "first"))
	e.diagnostics(toy, some(2))
	e.await("workspace/codeLens/refresh", func(json.RawMessage) bool { return true })
	// Another program, in another folder.
	dumpOf(t, "torch215_limit_eager", filepath.Join(top, "second"))
	later := time.Now().Add(time.Minute)
	if err := os.Chtimes(filepath.Join(top, "second", "events.jsonl"), later, later); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	e.await("textDocument/publishDiagnostics", func(params json.RawMessage) bool {
		var p struct {
			URI         string
			Diagnostics []editorDiagnostic
		}
		if err := json.Unmarshal(params, &p); err != nil {
			t.Fatal(err)
		}
		seen[p.URI] = len(p.Diagnostics)
		return seen[fileURI(limit)] == 2 && seen[fileURI(toy)] == 0
	})
	// The same folder, written anew.
	if err := os.RemoveAll(filepath.Join(top, "second")); err != nil {
		t.Fatal(err)
	}
	e.diagnostics(toy, some(2))
	if err := os.RemoveAll(filepath.Join(top, "first")); err != nil {
		t.Fatal(err)
	}
	e.diagnostics(toy, some(0))
	e.end()
}

// Of several folders the newest dump is shown, whichever it lies in. One that is not there when the server starts is waited for.
func TestLSPOfSeveralFolders(t *testing.T) {
	one, other := t.TempDir(), filepath.Join(t.TempDir(), "later")
	toy := sourceIn(t, "torch215_toy_eager", "toy_example.py", one)
	limit := sourceIn(t, "torch215_limit_eager", "limit.py", one)
	dumpOf(t, "torch215_toy_eager", filepath.Join(one, "dump"))
	e := startEditorIn(t, "{}", one, other)
	e.await("window/logMessage", func(params json.RawMessage) bool {
		return strings.Contains(string(params), other+" is not there yet; it is waited for")
	})
	e.open(toy, textOf(t, toy))
	e.diagnostics(toy, some(2))
	e.open(limit, textOf(t, limit))
	dumpOf(t, "torch215_limit_eager", other)
	later := time.Now().Add(time.Minute)
	if err := os.Chtimes(filepath.Join(other, "events.jsonl"), later, later); err != nil {
		t.Fatal(err)
	}
	e.diagnostics(limit, some(2))
	e.end()
}

// The page of the dump is opened where the editor opens such pages; of several processes it is the page of them all. It is said why
// there is none.
func TestLSPOpensTheReport(t *testing.T) {
	top := t.TempDir()
	e := startEditor(t, top, "{}")
	report := func() {
		t.Helper()
		if failed := e.ask("workspace/executeCommand", map[string]any{"command": "depyf.report"}, nil); failed != "" {
			t.Fatal(failed)
		}
	}
	said := func(words string) {
		t.Helper()
		e.await("window/showMessage", func(params json.RawMessage) bool { return strings.Contains(string(params), words) })
	}
	opened := func(path string) {
		t.Helper()
		e.await("window/showDocument", func(params json.RawMessage) bool {
			return string(params) == fmt.Sprintf(`{"uri":%q,"external":true,"takeFocus":true}`, fileURI(path))
		})
	}
	report()
	said("There is no dump yet in or below " + top)
	toy := sourceIn(t, "torch215_toy_eager", "toy_example.py", top)
	e.open(toy, textOf(t, toy))
	dump := filepath.Join(top, "dump")
	dumpOf(t, "torch215_toy_eager", dump)
	e.diagnostics(toy, some(2))
	report()
	opened(filepath.Join(dump, "report.html"))
	if err := os.Remove(filepath.Join(dump, "report.html")); err != nil {
		t.Fatal(err)
	}
	report()
	said("has no page yet")
	if err := os.WriteFile(filepath.Join(dump, "processes.html"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	report()
	opened(filepath.Join(dump, "processes.html"))
	e.end()
}

// What is no message, or asks for what there is not, is refused; an editor that goes away ends the server.
func TestLSPBadInput(t *testing.T) {
	e := startEditor(t, t.TempDir(), "{}")
	for _, c := range []struct {
		method string
		params any
		want   string
	}{
		{"textDocument/hover", lineIn("/nowhere.py", 1), "-32602 file:///nowhere.py is not open"},
		{"textDocument/hover", []int{1}, "-32602 the parameters cannot be read"},
		{"textDocument/formatting", lineIn("/nowhere.py", 1), "-32601 depyf does not know"},
		{"workspace/executeCommand", map[string]any{"command": "rm"}, "-32602 there is no command rm"},
		{"workspace/executeCommand", map[string]any{"command": "depyf.open", "arguments": []any{"https://example.org"}}, "-32602 depyf.open takes"},
	} {
		if failed := e.ask(c.method, c.params, nil); !strings.HasPrefix(failed, c.want) {
			t.Errorf("%s: %q, want %q", c.method, failed, c.want)
		}
	}
	io.WriteString(e.in, "Content-Length: 3\r\n\r\n{{{")
	if m := <-e.answers; m.Error == nil || m.Error.Code != -32700 {
		t.Errorf("%+v", m)
	}
	e.in.Close()
	if err := e.cmd.Wait(); err != nil {
		t.Errorf("the editor has gone: %v", err)
	}
	for input, want := range map[string]int{"": 0, "Content-Length: 40\r\n\r\n{": 1, "Content-Length: x\r\n\r\n": 1, "Content-Length: 34\r\n\r\n" + `{"jsonrpc": "2.0","method":"exit"}`: 1} {
		if status, _, errs := call(input, "lsp", t.TempDir()); status != want || (errs == "") != (want == 0) {
			t.Errorf("%q: status %d, %s", input, status, errs)
		}
	}
	for _, args := range [][]string{{"lsp", "main.go"}, {"lsp", "testdata", "main.go"}, {"lsp", "--nothing"}} {
		if status, _, errs := call("", args...); status != 2 || errs == "" {
			t.Errorf("%q: status %d, %s", args, status, errs)
		}
	}
}

// A file that is not open is marked as well, and looked at when it changes on disk. The dump has all of its text.
func TestLSPMarksFilesThatAreNotOpen(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file := sourceIn(t, "torch215_limit_eager", "limit.py", top)
	text := textOf(t, file)
	dumpOf(t, "torch215_limit_eager", filepath.Join(top, "dump"))
	log := filepath.Join(top, "dump", "events.jsonl")
	whole, err := json.Marshal(map[string]any{"type": "source", "n": 100000, "t": 1, "fields": map[string]any{"file": file, "text": text}})
	if err != nil {
		t.Fatal(err)
	}
	data := strings.ReplaceAll(textOf(t, log), "/project/limit.py", file) + string(whole) + "\n"
	if err := os.WriteFile(log, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
	e := startEditor(t, top, "{}")
	told := func(code string) func([]editorDiagnostic) bool {
		return func(l []editorDiagnostic) bool { return len(l) > 0 && l[0].Code == code }
	}
	e.diagnostics(file, told("failures"))
	for _, c := range []struct{ text, want string }{{text + "\n# more\n", "changed"}, {text, "failures"}} {
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		e.diagnostics(file, told(c.want))
	}
	// What is in the editor counts, until it is closed.
	e.open(file, text+"\n")
	e.diagnostics(file, told("changed"))
	e.tell("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": fileURI(file)}})
	e.diagnostics(file, told("failures"))
	e.end()
}

// Of several processes it is said which has what not all have.
func TestLSPOfSeveralProcesses(t *testing.T) {
	top := t.TempDir()
	for rank, session := range []string{"torch215_limit_eager", "torch215_toy_eager", "torch215_toy_eager"} {
		dumpOf(t, session, filepath.Join(top, "dump", fmt.Sprintf("rank_%d", rank)))
	}
	limit, toy := sourceIn(t, "torch215_limit_eager", "limit.py", top), sourceIn(t, "torch215_toy_eager", "toy_example.py", top)
	e := startEditor(t, filepath.Join(top, "dump"), "{}")
	e.open(limit, textOf(t, limit))
	e.open(toy, textOf(t, toy))
	for _, d := range e.diagnostics(toy, some(2)) {
		if first, _, _ := strings.Cut(d.Message, "\n"); !strings.HasSuffix(first, " (in rank_1, rank_2)") {
			t.Errorf("%s", first)
		}
	}
	e.change(limit, textOf(t, limit), 2)
	for _, d := range e.diagnostics(limit, some(2)) {
		if first, _, _ := strings.Cut(d.Message, "\n"); !strings.HasSuffix(first, " (in rank_0)") {
			t.Errorf("%s", first)
		}
	}
	var lenses []struct{ Command struct{ Title string } }
	e.ask("textDocument/codeLens", lineIn(toy, 1), &lenses)
	if len(lenses) < 2 || !strings.HasPrefix(lenses[0].Command.Title, "rank_1: 2 versions") {
		t.Errorf("%+v", lenses)
	}
	e.end()
}

// A compilation that failed, and a number that is wrong, are errors at their lines; of a file of which the dump has a part, only that
// is marked.
func TestLSPMarksFailuresAndWrongNumbers(t *testing.T) {
	const session = "torch215_refused_eager"
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dump := filepath.Join(top, "dump")
	dumpOf(t, session, dump)
	part := sourceIn(t, session, "refused.py", top) // the text of one function
	e := startEditor(t, top, "{}")
	e.open(part, textOf(t, part))
	var lenses []struct{ Range editorRange }
	for end := time.Now().Add(30 * time.Second); len(lenses) == 0 && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		e.ask("textDocument/codeLens", lineIn(part, 1), &lenses)
	}
	if len(lenses) == 0 || lenses[0].Range.Start.Line != 12 {
		t.Errorf("%+v", lenses)
	}
	e.end()
	for m := range e.told {
		if m.Method == "textDocument/publishDiagnostics" {
			t.Errorf("lines that the dump has no text of are marked: %s", m.Params)
		}
	}

	const compiled = "/project/refused.py"
	file := filepath.Join(top, "whole", "refused.py")
	text := strings.Repeat("\n", 7) + "def refused(x):\n    return torch.add(x, 1)\n\n\n\ndef __works__(x):\n    return x\n"
	events := []any{
		map[string]any{"type": "source", "n": 100000, "t": 1, "fields": map[string]any{"file": compiled, "text": text}},
		map[string]any{"type": "wrong", "n": 100001, "t": 1, "fields": map[string]any{"function": "refused", "backend": "inductor", "findings": []any{map[string]any{
			"kind": "differs", "pass": "forward", "operations": []any{map[string]any{"node": "add", "operation": "torch.add", "file": compiled, "line": 9}},
			"measures": []any{map[string]any{"result": "output", "dtype": "float32", "difference": 1, "explained": 0.1, "eager_error": 0, "compiled_error": 1}},
		}}}},
	}
	log := filepath.Join(dump, "events.jsonl")
	data := textOf(t, log)
	for _, event := range events {
		line, err := json.Marshal(event)
		if err != nil {
			t.Fatal(err)
		}
		data += string(line) + "\n"
	}
	if err := os.WriteFile(log, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
	e = startEditor(t, top, "{}")
	e.open(file, text)
	var got []string
	for _, d := range e.diagnostics(file, some(2)) {
		first, _, _ := strings.Cut(d.Message, "\n")
		got = append(got, fmt.Sprint(d.Range.Start.Line+1, " ", d.Severity, " ", d.Code, " ", first))
	}
	want := "8 1 failures compiling refused failed: BackendCompilerFailed: backend='refuse' raised:\n9 1 wrong `torch.add` goes wrong when compiled"
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	e.end()
}
