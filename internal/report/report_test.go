package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/pyc"
)

func TestSignature(t *testing.T) {
	tests := []struct {
		in           explain.CodeInfo
		params, args string
	}{
		{explain.CodeInfo{}, "", ""},
		{explain.CodeInfo{Args: []string{"a", "b"}}, "a, b", "a, b"},
		{explain.CodeInfo{Args: []string{"a", "b", "c"}, PosOnly: 1, KwOnly: 1}, "a, /, b, *, c", "a, b, c=c"},
		{explain.CodeInfo{Args: []string{"a", "k"}, KwOnly: 1, VarArgs: "r", VarKw: "m"}, "a, *r, k, **m", "a, *r, k=k, **m"},
		{explain.CodeInfo{Args: []string{".0"}}, "implicit0", "implicit0"},
		{explain.CodeInfo{Args: []string{"k"}, KwOnly: 1}, "*, k", "k=k"},
		{explain.CodeInfo{Args: []string{"a"}, PosOnly: 1, VarArgs: "r"}, "a, /, *r", "a, *r"},
	}
	for _, tt := range tests {
		params, args := signature(tt.in)
		if params != tt.params || args != tt.args {
			t.Errorf("%+v: (%s) (%s), want (%s) (%s)", tt.in, params, args, tt.params, tt.args)
		}
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{`a"b\`: `"a\"b\\"`, "a\nb": `"a b"`, "a\xed\xb2\x80": "\"a\uFFFD\""} {
		if got := quote(in); got != want {
			t.Errorf("quote(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestHideDecorators(t *testing.T) {
	got := hideDecorators("@torch.compile(\n    dynamic=True)\nasync def f(x):\n    return x\n")
	if want := "# @torch.compile(\n#     dynamic=True)\nasync def f(x):\n    return x\n"; got != want {
		t.Errorf("got %q", got)
	}
}

func TestRenameDef(t *testing.T) {
	got := renameDef("def outer(c):\n    def f(x):\n        return f2(x)\n    return f\n", "f", "g")
	if want := "def outer(c):\n    def g(x):\n        return f2(x)\n    return g\n"; got != want {
		t.Errorf("got %q", got)
	}
}

func codeObject(name string, args int, names ...string) *pyc.Code {
	c := &pyc.Code{
		Version: pyc.V312, Name: name, QualName: name, Filename: "/project/a.py", FirstLine: 3, ArgCount: args, Names: names,
		Flags: pyc.FlagOptimized | pyc.FlagNewLocals, Consts: []pyc.Const{pyc.None{}},
	}
	for _, n := range []string{"x", "y", "z"}[:args] {
		c.LocalsPlusNames = append(c.LocalsPlusNames, n)
		c.LocalsPlusKinds = append(c.LocalsPlusKinds, pyc.KindLocal)
	}
	return c
}

func decompiler(c *pyc.Code, name string, _ map[string][]string, _ decompile.Origin) (explain.DecompileResult, error) {
	return explain.DecompileResult{Source: "def " + name + "(x):\n    return x\n", Verdict: "exact", Proven: true, Name: name}, nil
}

func session(t *testing.T, more map[string]any) (*explain.Session, string) {
	t.Helper()
	dir := t.TempDir()
	start := map[string]any{"dir": dir, "torch": "2.6.0", "python": []any{int64(3), int64(12), int64(1)}, "argv": []any{"a.py"}}
	for k, v := range more {
		start[k] = v
	}
	s, err := NewSession(start, nil, decompiler)
	if err != nil {
		t.Fatal(err)
	}
	return s, dir
}

func send(t *testing.T, s *explain.Session, typ string, f map[string]any) map[string]any {
	t.Helper()
	a, err := s.Event(typ, f)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// With log_bytecode each piece of code has its three files, which the reader of
// .pyc files accepts; a replay writes the same.
func TestLogBytecode(t *testing.T) {
	s, dir := session(t, map[string]any{"log_bytecode": true})
	send(t, s, "bytecode", map[string]any{"key": "k1", "old_key": "c1", "func": "f", "old": codeObject("f", 1), "new": codeObject("f", 1, "__compiled_fn_1")})
	again, err := (&pyc.File{Version: pyc.V312, Magic: pyc.V312.Magic(), Code: codeObject("f", 1)}).Bytes()
	if err != nil {
		t.Fatal(err)
	}
	send(t, s, "swapped", map[string]any{"key": "k1", "ok": true, "bytecode": again})
	if _, err := s.End(nil); err != nil {
		t.Fatal(err)
	}
	for _, ext := range []string{originalExt, transformedExt, recompiledExt} {
		data, err := os.ReadFile(filepath.Join(dir, "__transformed_code_0_for_f"+ext))
		if err != nil {
			t.Error(err)
			continue
		}
		if f, err := pyc.ReadBytes(data); err != nil || f.Code.Name != "f" {
			t.Errorf("%s: %v", ext, err)
		}
	}
	sameFolder(t, dir)
}

// sameFolder replays the log of a folder and compares.
func sameFolder(t *testing.T, dir string) {
	t.Helper()
	m, err := explain.Replay(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	if _, err := Write(m, dir, out); err != nil {
		t.Error(err)
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range list {
		switch {
		case e.Name() == explain.LogName || e.Name() == explain.BlobsDir:
		case strings.HasPrefix(e.Name(), "."):
			t.Errorf("%s was left behind", e.Name())
		default:
			n++
			want, _ := os.ReadFile(filepath.Join(dir, e.Name()))
			got, err := os.ReadFile(filepath.Join(out, e.Name()))
			if err != nil || string(got) != string(want) {
				t.Errorf("%s: replayed differently: %v", e.Name(), err)
			}
		}
	}
	if again, _ := os.ReadDir(out); len(again) != n {
		t.Errorf("%d files replayed, %d in the folder", len(again), n)
	}
}

// A loop whose condition is data makes a resume function that resumes into
// itself; two functions may resume into each other.
func TestResumeCycles(t *testing.T) {
	s, dir := session(t, nil)
	resume := "torch_dynamo_resume_in_f_at_4"
	send(t, s, "bytecode", map[string]any{"key": "k1", "old_key": "c1", "func": "f", "compile_id": "0/0", "old": codeObject("f", 1), "new": codeObject("f", 1, "__resume_at_10_1"), "source": "f = jit(lambda x: (\n    x))\n"})
	send(t, s, "bytecode", map[string]any{"key": "k2", "old_key": "c2", "func": resume, "compile_id": "1/0", "is_resume": true, "old": codeObject(resume, 2), "new": codeObject(resume, 2, "__resume_at_10_1", "__resume_at_20_2", "__resume_at_30_3")})
	send(t, s, "bytecode", map[string]any{"key": "k3", "old_key": "c3", "func": resume, "compile_id": "2/0", "is_resume": true, "old": codeObject(resume, 2), "new": codeObject(resume, 2, "__resume_at_10_1")})
	for _, g := range [][3]string{{"k1", "__resume_at_10_1", "c2"}, {"k2", "__resume_at_10_1", "c2"}, {"k2", "__resume_at_20_2", "c3"}, {"k3", "__resume_at_10_1", "c2"}} {
		send(t, s, "global", map[string]any{"key": g[0], "name": g[1], "kind": "resume", "resume_key": g[2]})
	}
	if _, err := s.End(nil); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "full_code_for_f_0.py"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, def := range []string{
		"def transformed_f(x):", "def transformed___resume_at_10_1(x, y):", "def transformed___resume_at_20_2(x, y):",
		"def __resume_at_10_1(x):", "def __resume_at_20_2(x):", "def __resume_at_30_3(*args, **kwargs):",
		"# f = jit(lambda x: (", "def f(x):",
	} {
		if n := strings.Count(text, def); n != 1 {
			t.Errorf("%q occurs %d times", def, n)
		}
	}
	parse(t, dir)
	sameFolder(t, dir)
	index, _ := os.ReadFile(filepath.Join(dir, indexName))
	if !strings.Contains(string(index), "this version of torch does not say why") {
		t.Error("index.md does not speak of the graph break")
	}
}

func TestNothingCaptured(t *testing.T) {
	s, dir := session(t, nil)
	send(t, s, "problem", map[string]any{"where": "hook", "error": "boom at 0x7fa81c8105a0"})
	if _, err := s.End(nil); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(filepath.Join(dir, indexName))
	for _, want := range []string{"Nothing was compiled", "torch._dynamo.reset()", "`boom`"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("index.md does not say %q:\n%s", want, data)
		}
	}
}

// A program that is killed leaves a log; the report is made from it later.
func TestReportAfterKill(t *testing.T) {
	s, dir := session(t, nil)
	send(t, s, "bytecode", map[string]any{"key": "k1", "old_key": "c1", "func": "f", "old": codeObject("f", 1), "new": codeObject("f", 1)})
	if _, err := os.Stat(filepath.Join(dir, "__transformed_code_0_for_f.py")); err != nil {
		t.Error("the code has to be there before the end: ", err)
	}
	m, err := explain.Replay(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Write(m, dir, dir); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "full_code_for_f_0.py")); err != nil {
		t.Error(err)
	}
}

// Text that is not Python, or not even text, must not make a file that Python
// rejects.
func TestOddTexts(t *testing.T) {
	s, dir := session(t, nil)
	for stage, text := range map[string]string{
		"Forward_graph":  "graph():\n    %x : [num_users=1] = placeholder(",
		"Backward_graph": "x = '\xed\xb2\x80\x00'\n",
		"Odd Stage":      "class <lambda>(torch.nn.Module):\n    pass\n",
	} {
		send(t, s, "graph", map[string]any{"graph": "__compiled_fn_1", "stage": stage, "text": text})
	}
	send(t, s, "kernel", map[string]any{"graph": "__compiled_fn_1", "text": "extern \"C\" {", "language": "cpp"})
	c := codeObject("f", 1)
	send(t, s, "bytecode", map[string]any{"key": "k1", "func": "<lambda>", "old": c, "new": codeObject("f", 1), "source_file": "a\nb.py", "source": "lambda x: '\xed\xb2\x80'"})
	send(t, s, "guards", map[string]any{"key": "/project/a.py:f:x", "entries": []any{map[string]any{"key": "k1", "parts": []any{
		map[string]any{"text": "a b c\nd"},
		map[string]any{"text": "x or y"},
		map[string]any{"text": "L['x'] == '\\n#'  # \rreason"},
		map[string]any{"text": "lambda: 1"},
		map[string]any{"text": "'\xed\xb2\x80' in L"},
	}}}})
	if _, err := s.End(nil); err != nil {
		t.Fatal(err)
	}
	parse(t, dir)
	sameFolder(t, dir)
	data, _ := os.ReadFile(filepath.Join(dir, "full_code_for_lambda__0.py"))
	for _, want := range []string{"# not a Python expression: a b c d", "(x or y)", "and (lambda: 1)"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%q is missing:\n%s", want, data)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "__compiled_fn_1.kernel_0.cpp")); err != nil {
		t.Error(err)
	}
}

// A graph whose calling convention changes is dumped again into the same file.
func TestReplacedGraph(t *testing.T) {
	s, dir := session(t, nil)
	first := send(t, s, "graph", map[string]any{"graph": "__compiled_fn_1", "stage": "Forward_graph", "text": "def forward(self, a): pass", "executable": true})
	again := send(t, s, "graph", map[string]any{"graph": nil, "stage": "Forward_graph", "text": "def forward(self, args): pass", "executable": true, "replaces": first["path"]})
	next := send(t, s, "graph", map[string]any{"graph": "__compiled_fn_1", "stage": "Forward_graph", "text": "", "replaces": "/elsewhere/none.py"})
	if again["path"] != first["path"] || next["path"] != filepath.Join(dir, "__compiled_fn_1.Forward_graph.1.py") {
		t.Errorf("%v, %v, %v", first, again, next)
	}
	data, _ := os.ReadFile(filepath.Join(dir, "__compiled_fn_1.Forward_graph.0.py"))
	if !strings.Contains(string(data), "forward(self, args)") || !strings.Contains(string(data), ", as aot_eager does, runs it from this file") {
		t.Errorf("%s", data)
	}
	if _, err := s.End(nil); err != nil {
		t.Fatal(err)
	}
	sameFolder(t, dir)
}

// What torch no longer has is told by what the reader misses.
func TestMissingPlaceInTorch(t *testing.T) {
	s, dir := session(t, nil)
	send(t, s, "bytecode", map[string]any{"key": "k1", "old_key": "c1", "func": "f", "old": codeObject("f", 1), "new": codeObject("f", 1)})
	send(t, s, "problem", map[string]any{"where": "cache entries", "error": "this torch has no torch.x", "lost": "The guards of each version"})
	if _, err := s.End(nil); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(filepath.Join(dir, indexName))
	if want := "- The guards of each version. (cache entries: `this torch has no torch.x`)\n"; !strings.Contains(string(data), want) {
		t.Errorf("the index lacks %q", want)
	}
	sameFolder(t, dir)
}

// Large texts are read from their files again, and the page has them as they are.
func TestTextsAreReadAgain(t *testing.T) {
	f := newFolder(t.TempDir(), "elsewhere")
	m := &explain.Model{}
	var list []*explain.Artefact
	for i := range 8 {
		a := &explain.Artefact{Graph: "g", Stage: "Captured_Graph", File: fmt.Sprintf("g.Captured_Graph.%d.py", i), Text: "x = 1\n" + strings.Repeat(fmt.Sprintf("y = %d\n", i), 200_000)}
		list = append(list, a)
		if err := f.Artefact(m, a); err != nil {
			t.Fatal(err)
		}
	}
	if len(f.texts) == 0 || len(f.texts) == len(list) || len(f.written) != len(list) {
		t.Fatalf("%d remembered, %d written", len(f.texts), len(f.written))
	}
	for _, a := range list {
		if got := f.artefactText(a); got != artefactText(a) {
			t.Errorf("%s: %.40q", a.File, got)
		}
	}
	last := list[len(list)-1]
	last.Text = "told = anew\n"
	if got := f.artefactText(last); got != last.Text {
		t.Errorf("%.40q", got)
	}
}

// What Dynamo calls a resume function nobody wrote.
func TestFunctionText(t *testing.T) {
	for name, want := range map[string]string{
		"f":                              "`f`",
		"torch_dynamo_resume_in_f_at_12": "`f` from line 12 on",
		"torch_dynamo_resume_in_torch_dynamo_resume_in_f_at_12_at_14": "`f` from line 14 on",
	} {
		if got := functionText(name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
