package explain

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/pyc"
)

// fakeSink writes a file for each item, as the real one does.
type fakeSink struct {
	dir  string
	fail bool
}

func (s fakeSink) put(name string) error {
	if s.fail {
		return errors.New("disk full")
	}
	return os.WriteFile(filepath.Join(s.dir, name), []byte("x"), 0o644)
}

func (s fakeSink) Code(_ *Model, c *Transformed) error  { return s.put(c.File) }
func (s fakeSink) Artefact(_ *Model, a *Artefact) error { return s.put(a.File) }
func (s fakeSink) End(*Model) ([]File, error) {
	return []File{{"index.md", "index"}}, s.put("index.md")
}

func fakeDecompile(c *pyc.Code, name string, _ map[string][]string, _ decompile.Origin) (DecompileResult, error) {
	switch c.Name {
	case "refused":
		return DecompileResult{}, errors.New("cannot")
	case "bug":
		panic("bug")
	}
	return DecompileResult{Source: "def " + name + "():\n    pass\n", Verdict: "proved", Proven: true, Name: name}, nil
}

func start(dir string, more ...any) map[string]any {
	m := map[string]any{"dir": dir, "torch": "2.15.0", "python": []any{int64(3), int64(13), int64(0)}, "argv": []any{"a.py"}, "pid": int64(42)}
	for i := 0; i < len(more); i += 2 {
		m[more[i].(string)] = more[i+1]
	}
	return m
}

func open(t *testing.T, fields map[string]any, fail bool) *Session {
	t.Helper()
	s, err := NewSession(fields, nil, WithDecompiler(fakeDecompile), WithSink(func(d string) Sink { return fakeSink{d, fail} }))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func code(name string, names ...string) *pyc.Code {
	return &pyc.Code{
		Version: pyc.V313, Name: name, QualName: name, Filename: "/project/a.py", FirstLine: 3, ArgCount: 1, Names: names,
		Flags:           pyc.FlagOptimized | pyc.FlagVarArgs,
		LocalsPlusNames: []string{"x", "rest", "y"}, LocalsPlusKinds: []pyc.LocalKind{pyc.KindLocal, pyc.KindLocal, pyc.KindLocal},
		Consts: []pyc.Const{pyc.None{}, &pyc.Opaque{ID: 1, Type: "torch.dtype", Name: "__float32", Text: "torch.float32 at 0x7fa81c8105a0"}},
	}
}

func bytecode(key, old string, c *pyc.Code, names ...string) map[string]any {
	return map[string]any{
		"key": key, "old_key": old, "compile_id": "0/" + key[1:] + "_1", "func": c.Name,
		"old": c, "new": code(c.Name, names...), "new_packet": []byte("packet"), "old_packet": []byte("packet"),
		"source": "def f(x):\n    pass\n", "source_file": "/project/a.py", "source_line": int64(3),
	}
}

func event(t *testing.T, s *Session, typ string, f map[string]any) map[string]any {
	t.Helper()
	a, err := s.Event(typ, f)
	if err != nil {
		t.Fatalf("%s: %v", typ, err)
	}
	return a
}

func TestSessionNamesFilesAtOnce(t *testing.T) {
	dir := t.TempDir()
	s := open(t, start(dir), false)
	g := event(t, s, "graph", map[string]any{"graph": "__compiled_fn_1_846e6d74_5650_4060_a5ba_03d7fed3480c", "stage": "Captured_Graph", "text": "def forward(self): pass", "compile_id": "0/0"})
	if want := filepath.Join(dir, "__compiled_fn_1.Captured_Graph.0.py"); g["path"] != want {
		t.Errorf("path %v, want %v", g["path"], want)
	}
	// A later stage often does not know the graph; the compile id does.
	g = event(t, s, "graph", map[string]any{"graph": nil, "stage": "Forward_graph", "text": "", "compile_id": "0/0"})
	if want := filepath.Join(dir, "__compiled_fn_1.Forward_graph.0.py"); g["path"] != want {
		t.Errorf("path %v, want %v", g["path"], want)
	}
	for i := range 2 {
		k := event(t, s, "kernel", map[string]any{"graph": "__compiled_fn_1", "text": "", "language": "python"})
		if want := filepath.Join(dir, fmt.Sprintf("__compiled_fn_1.kernel_%d.py", i)); k["path"] != want {
			t.Errorf("path %v, want %v", k["path"], want)
		}
	}
	a := event(t, s, "bytecode", bytecode("k0", "c0", code("<lambda>"), "__compiled_fn_1"))
	b := event(t, s, "bytecode", bytecode("k1", "c1", code("<lambda>")))
	for i, x := range []map[string]any{a, b} {
		def := fmt.Sprintf("__transformed_code_%d_for_lambda_", i)
		if x["function"] != def || x["path"] != filepath.Join(dir, def+".py") || x["swap"] != true {
			t.Errorf("answer %v", x)
		}
	}
	end, err := s.End(nil)
	if err != nil || end["first"] != filepath.Join(dir, "index.md") {
		t.Errorf("end %v, %v", end, err)
	}
}

func TestSessionSurvivesFailures(t *testing.T) {
	dir := t.TempDir()
	s := open(t, start(dir), false)
	a := event(t, s, "bytecode", bytecode("k0", "c0", code("refused")))
	if a["swap"] != false || !strings.Contains(fmt.Sprint(a["why"]), "cannot") || a["path"] == nil {
		t.Errorf("refused: %v", a)
	}
	if a, err := s.Event("bytecode", bytecode("k1", "c1", code("bug"))); err == nil || a == nil {
		t.Error("a panic has to become an error")
	}
	if _, err := s.Event("bytecode", map[string]any{"key": "k2", "func": "f"}); err == nil {
		t.Error("an event without code has to be an error")
	}
	if _, err := s.Event("nonsense", nil); err == nil {
		t.Error("an unknown event has to be an error")
	}
	if _, err := s.Event("trace", map[string]any{"envelope": "no json", "payload": int64(3)}); err != nil {
		t.Error(err)
	}
	a = event(t, s, "bytecode", bytecode("k3", "c3", code("f")))
	if a["swap"] != true {
		t.Errorf("after failures: %v", a)
	}
	if n := len(s.Model().Problems); n < 2 {
		t.Errorf("%d problems recorded", n)
	}
	if _, err := s.End(nil); err != nil {
		t.Error(err)
	}
}

// Code whose file could not be written must not run: breakpoints would be lost
// and the traceback would point nowhere.
func TestNoSwapWithoutFile(t *testing.T) {
	s := open(t, start(t.TempDir()), true)
	a, err := s.Event("bytecode", bytecode("k0", "c0", code("f")))
	if err != nil || a["swap"] != false || a["path"] != nil || len(s.Model().Problems) != 1 {
		t.Errorf("%v, %v", a, err)
	}
	if a, err = s.Event("graph", map[string]any{"graph": "__compiled_fn_1", "stage": "Captured_Graph"}); err != nil || a["path"] != nil {
		t.Errorf("%v, %v", a, err)
	}
}

// A log that cannot be written is a problem of the report, not of the program.
func TestFullDisk(t *testing.T) {
	s := open(t, start(t.TempDir()), false)
	if err := s.store.close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		a, err := s.Event("bytecode", bytecode("k0", "c0", code("f")))
		if err != nil || a["swap"] != true {
			t.Errorf("%v, %v", a, err)
		}
	}
	if p := s.Model().Problems; len(p) != 1 || p[0].Where != "event log" {
		t.Errorf("%+v", p)
	}
}

func TestReplayEqualsSession(t *testing.T) {
	dir := t.TempDir()
	s := open(t, start(dir, "rank", int64(3)), false)
	event(t, s, "bytecode", bytecode("k0", "c0", code("f"), "__compiled_fn_1_846e6d74_5650_4060_a5ba_03d7fed3480c", "__resume_at_4_2"))
	event(t, s, "graph", map[string]any{"graph": nil, "stage": "Captured_Graph", "text": strings.Repeat("x\n", 500), "compile_id": "0/0"})
	event(t, s, "global", map[string]any{"key": "k0", "name": "__resume_at_4_2", "kind": "resume", "resume_key": "c9"})
	event(t, s, "guards", map[string]any{"key": "c0", "entries": []any{map[string]any{"compile_id": "0/0", "key": "k0", "order": int64(0), "parts": []any{
		map[string]any{"text": "L['x'] == '\xed\xb2\x80'", "source": "L['x']", "fail_count": int64(2)},
	}}}})
	event(t, s, "swapped", map[string]any{"key": "k0", "ok": true, "bytecode": []byte("bytes")})
	event(t, s, "trace", map[string]any{"envelope": `{"chromium_event": {}}`})
	if _, err := s.End(nil); err != nil {
		t.Fatal(err)
	}
	dir = s.Dir()
	m, err := Replay(dir)
	if err != nil {
		t.Fatal(err)
	}
	live := s.Model()
	for _, x := range []*Model{m, live} {
		x.Start.token = ""
	}
	if a, b := fmt.Sprintf("%+v %+v %+v", *m.Codes[0], *m.Graphs[0], m.Guards), fmt.Sprintf("%+v %+v %+v", *live.Codes[0], *live.Graphs[0], live.Guards); a[:40] == "" || clean(a) != clean(b) {
		t.Errorf("\nreplay %s\nlive   %s", a, b)
	}
	if !m.Ended || m.Start.Rank != "3" || m.Start.Python != "3.13.0" || len(m.Globals) != 1 {
		t.Errorf("start %+v", m.Start)
	}
	c := m.Codes[0]
	if c.Swapped == nil || !c.Swapped.OK || c.New.VarArgs != "rest" || len(c.Decompiled.Legend) != 1 || c.Decompiled.Legend[0].Text != "torch.float32" {
		t.Errorf("code %+v", c)
	}
	// The opaque constant cannot be marshalled: the packet is kept.
	if data, err := ReadBlob(dir, c.New.Blob); err != nil || string(data) != "packet" {
		t.Errorf("blob %q, %v", data, err)
	}
	log, _ := os.ReadFile(filepath.Join(dir, LogName))
	if strings.Contains(string(log), "chromium") {
		t.Error("chatter in the log")
	}
}

// clean drops addresses of pointers, which %+v prints.
func clean(s string) string { return anyAddress.ReplaceAllString(s, "") }

func TestTornLogIsRead(t *testing.T) {
	dir := t.TempDir()
	s := open(t, start(dir), false)
	event(t, s, "note", map[string]any{"text": "hello"})
	log := filepath.Join(dir, LogName)
	data, _ := os.ReadFile(log)
	if err := os.WriteFile(log, append(data, `{"n":3,"type":"no`...), 0o644); err != nil {
		t.Fatal(err)
	}
	m, err := Replay(dir)
	if err != nil || m.Skipped != 1 || len(m.Notes) != 1 || m.Ended {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestClaim(t *testing.T) {
	dir := t.TempDir()
	first := open(t, start(dir), false)
	if first.Dir() != dir {
		t.Fatalf("first session in %s", first.Dir())
	}
	// A second session beside a live one goes below.
	second := open(t, start(dir, "pid", int64(7)), false)
	if want := filepath.Join(dir, "process_7"); second.Dir() != want {
		t.Errorf("second session in %s, want %s", second.Dir(), want)
	}
	ranked := open(t, start(dir, "rank", int64(1)), false)
	if want := filepath.Join(dir, "rank_1"); ranked.Dir() != want {
		t.Errorf("ranked session in %s, want %s", ranked.Dir(), want)
	}
	// After the first has ended, the same process goes on in its folder and
	// does not use a name again.
	event(t, first, "bytecode", bytecode("k0", "c0", code("f")))
	if _, err := first.End(nil); err != nil {
		t.Fatal(err)
	}
	third := open(t, start(dir), false)
	a := event(t, third, "bytecode", bytecode("k0", "c0", code("f")))
	if third.Dir() != dir || a["function"] != "__transformed_code_1_for_f" {
		t.Errorf("third session in %s: %v", third.Dir(), a)
	}
	if p := Link(third.Model()); len(p.Functions) != 2 {
		t.Errorf("%d functions: keys of two sessions were mixed up", len(p.Functions))
	}
}

// Several processes that begin at once each get a folder of their own.
func TestClaimAtOnce(t *testing.T) {
	dir := t.TempDir()
	got := make(chan string)
	for i := range 8 {
		go func() {
			s, err := NewSession(start(dir, "pid", int64(i%4)), nil)
			if err != nil {
				got <- err.Error()
				return
			}
			got <- s.Dir()
		}()
	}
	seen := map[string]bool{}
	for range 8 {
		d := <-got
		if seen[d] || !strings.HasPrefix(d, dir) {
			t.Errorf("%s twice or elsewhere", d)
		}
		seen[d] = true
	}
	if !seen[dir] {
		t.Error("nobody got the folder itself")
	}
}

func TestClaimReplacesTheSameProgram(t *testing.T) {
	dir := t.TempDir()
	leave := func(argv string) {
		line := `{"n":1,"t":0,"type":"session_start","fields":{"dir":"x","argv":["` + argv + `"],"token":"1-old"}}` + "\n" +
			`{"n":2,"t":0,"type":"session_end","fields":{},"result":{"files":["old.py","../outside"]}}` + "\n"
		for name, text := range map[string]string{LogName: line, "old.py": "", "mine.txt": ""} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	leave("other.py")
	if s := open(t, start(dir), false); s.Dir() != filepath.Join(dir, "process_42") {
		t.Errorf("another program's dump: session in %s", s.Dir())
	}
	dir = t.TempDir()
	leave("a.py")
	if s := open(t, start(dir), false); s.Dir() != dir {
		t.Errorf("an older dump of the program: session in %s", s.Dir())
	}
	if _, err := os.Stat(filepath.Join(dir, "old.py")); err == nil {
		t.Error("the old file is still there")
	}
	if _, err := os.Stat(filepath.Join(dir, "mine.txt")); err != nil {
		t.Error("a file of the user is gone")
	}
}

// The dump of a process that is gone is replaced by the next run of the program,
// whatever its other arguments, and not by a process of the same run.
func TestClaimByRun(t *testing.T) {
	leave := func(dir, run string) {
		line := `{"n":1,"t":0,"type":"session_start","fields":{"dir":"x","argv":["a.py","--old"],"token":"1-old","run":"` + run + `"}}` + "\n"
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, LogName), []byte(line), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	leave(dir, "one")
	leave(filepath.Join(dir, "process_9"), "one")
	leave(filepath.Join(dir, "process_8"), "other")
	if s := open(t, start(dir, "run", "one"), false); s.Dir() != filepath.Join(dir, "process_42") {
		t.Errorf("a dump of the same run: session in %s", s.Dir())
	}
	if s := open(t, start(dir, "run", "two"), false); s.Dir() != dir {
		t.Errorf("a dump of an earlier run: session in %s", s.Dir())
	}
	if _, err := os.Stat(filepath.Join(dir, "process_9")); err == nil {
		t.Error("a process of the earlier run has left its folder")
	}
	if _, err := os.Stat(filepath.Join(dir, "process_8", LogName)); err != nil {
		t.Error("a dump of another run is gone")
	}
	dir = t.TempDir()
	// A caller's own folder for the rank is the folder.
	if own := filepath.Join(t.TempDir(), "rank_3"); true {
		if s := open(t, start(own, "rank", "3"), false); s.Dir() != own || s.Model().Start.Below {
			t.Errorf("a rank in %s, want %s", s.Dir(), own)
		}
	}
	if s := open(t, start(dir, "rank", "3"), false); s.Dir() != filepath.Join(dir, "rank_3") || !s.Model().Start.Below {
		t.Errorf("a rank in %s", s.Dir())
	}
}

func TestUnwritableFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := NewSession(start(filepath.Join(file, "dump")), nil); err == nil {
		t.Error("no error")
	}
}

func FuzzReplay(f *testing.F) {
	f.Add([]byte(`{"n":1,"type":"bytecode","fields":{"old":{"args":["a"]},"new":[]},"result":{"legend":[3]}}`))
	f.Add([]byte(`{"n":1,"type":"trace","fields":{"envelope":"{\"dynamo_start\":{\"stack\":[{\"filename\":0}]},\"frame_id\":0}","payload":"x"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, LogName), data, 0o644); err != nil {
			t.Fatal(err)
		}
		m, err := Replay(dir)
		if err == nil {
			Link(m)
		}
	})
}
