package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyworker"
)

// recordedFile returns the bytes of a recorded file.
func recordedFile(t *testing.T, version, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "dis", version, name+".pyc"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// fill writes files below a new folder.
func fill(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// strange are inputs that are no .pyc file one can read, with what the message
// must name.
func strange(t *testing.T) map[string][2]string {
	good := string(recordedFile(t, "3.12", "loops"))
	deep := good[:16] + strings.Repeat("\x29\x01", 5000) + "N"
	return map[string][2]string{
		"empty.pyc":     {"", "empty"},
		"source.pyc":    {"import os\nprint(os)\n", "Python source"},
		"text.pyc":      {"hello\n", "text"},
		"elf.pyc":       {"\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 60), "ELF"},
		"zip.pyc":       {"PK\x03\x04" + strings.Repeat("\x00", 60), "zip archive"},
		"python2.pyc":   {"\x03\xf3\r\n\x00\x00\x00\x00c\x00\x00\x00\x00", "Python 1 or 2"},
		"future.pyc":    {"\xa0\x0f\r\n" + good[4:], "newer than this program"},
		"magic.pyc":     {"\x01\x00\r\n" + good[4:], "3.7 to 3.15"},
		"cut.pyc":       {good[:len(good)/2], "at byte"},
		"header.pyc":    {good[:16], "at byte 16"},
		"size.pyc":      {good[:16] + "(\xff\xff\xff\x7f", "2147483647 items"},
		"deep.pyc":      {deep, "nested more than"},
		"recursive.pyc": {good[:16] + "\xdb\x01\x00\x00\x00r\x00\x00\x00\x00", "refers to itself"},
		"none.pyc":      {good[:16] + "N", "not a code object"},
	}
}

// TestStrangeInputs: each costs one line that names it, and the good file of the
// batch is still decompiled.
func TestStrangeInputs(t *testing.T) {
	files := map[string]string{"pkg/good.pyc": string(recordedFile(t, "3.12", "loops"))}
	for name, s := range strange(t) {
		files[name] = s[0]
	}
	dir := fill(t, files)
	out := filepath.Join(t.TempDir(), "out")
	status, stdout, stderr := call("", "decompile", dir, "-r", "--verify=false", "-j", "3", "-o", out)
	if status != 1 || stdout != "" {
		t.Errorf("status %d, %q", status, stdout)
	}
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	if len(lines) != len(files) { // one for each bad file, and the summary
		t.Errorf("%d lines:\n%s", len(lines), stderr)
	}
	for name, s := range strange(t) {
		found := false
		for _, l := range lines {
			found = found || strings.Contains(l, name+":") && strings.Contains(l, s[1])
		}
		if !found {
			t.Errorf("no line about %s says %q:\n%s", name, s[1], stderr)
		}
	}
	if last := lines[len(lines)-1]; !strings.HasSuffix(last, "15 files: 1 unproved, 14 failed") {
		t.Errorf("summary %q", last)
	}
	if text, err := os.ReadFile(filepath.Join(out, "pkg", "good.py")); err != nil || !strings.Contains(string(text), "for ") {
		t.Errorf("%q, %v", text, err)
	}
	// The same as JSON: one object a file, those with an error included.
	_, stdout, _ = call("", "decompile", "-verify=false", "-format=json", "-r", dir)
	for _, l := range strings.Split(strings.TrimSpace(stdout), "\n") {
		var f fileJSON
		if err := json.Unmarshal([]byte(l), &f); err != nil || (f.Error == "") != strings.HasSuffix(f.Path, "good.pyc") {
			t.Errorf("%.200s: %v", l, err)
		}
	}
}

// TestOutputs: where the text of each file goes.
func TestOutputs(t *testing.T) {
	for _, tt := range []struct {
		out    string
		folder bool
		in     []string
		want   []string
	}{
		{"", true, []string{"a.pyc"}, []string{""}},
		{"x.py", false, []string{"a.pyc"}, []string{"x.py"}},
		{"o", true, []string{"a.pyc", "p/b.pyc"}, []string{"o/a.py", "o/p/b.py"}},
		{"o", true, []string{"p/__pycache__/m.cpython-312.pyc", "__pycache__/n.cpython-37.opt-1.pyc"}, []string{"o/p/m.py", "o/n.py"}},
		{"o", true, []string{"__pycache__/m.cpython-311.pyc", "__pycache__/m.cpython-312.pyc"}, []string{"o/m.py", "o/__pycache__/m.cpython-312.py"}},
		{"o", true, []string{"a.pyc", "a.pyc", "a.pyc"}, []string{"o/a.py", "o/a_2.py", "o/a_3.py"}},
	} {
		inputs := make([]input, len(tt.in))
		for i, rel := range tt.in {
			inputs[i].rel = filepath.FromSlash(rel)
		}
		planOutputs(inputs, tt.out, tt.folder, ".py")
		for i := range inputs {
			if got := filepath.ToSlash(inputs[i].out); got != tt.want[i] {
				t.Errorf("%v: %q, want %q", tt.in, got, tt.want[i])
			}
		}
	}
}

// TestFlags: -x and --x, before and behind the paths.
func TestFlags(t *testing.T) {
	file := filepath.Join("..", "..", "testdata", "dis", "3.11", "loops.pyc")
	_, want, _ := call("", "decompile", "-verify=false", file)
	for _, args := range [][]string{{"--verify=false", file}, {file, "-verify=false"}, {file, "--verify=false"}, {"--verify=false", "--", file}} {
		if status, got, errs := call("", append([]string{"decompile"}, args...)...); status != 3 || got != want {
			t.Errorf("%v: status %d, %s", args, status, errs)
		}
	}
	for _, args := range [][]string{{}, {"--nonsense", file}, {"-j", "0", file}, {"-j", "x", file}, {"--python-version", "2.7", file}} {
		if status, out, errs := call("", append([]string{"decompile"}, args...)...); status != 2 || out != "" || strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: status %d, %q %q", args, status, out, errs)
		}
	}
}

func TestHelp(t *testing.T) {
	status, all, _ := call("", "help")
	if status != 0 {
		t.Errorf("status %d", status)
	}
	for _, c := range []string{"decompile", "dis", "verify", "service", "version"} {
		if !strings.Contains(all, "  "+c) {
			t.Errorf("%s is not listed:\n%s", c, all)
		}
		_, one, _ := call("", "help", c)
		status, two, errs := call("", c, "-h")
		if _, three, _ := call("", c, "--help"); status != 0 || one != two || three != two || errs != "" || !strings.HasPrefix(one, "usage: depyf "+c) {
			t.Errorf("%s: status %d\n%s\n%s", c, status, one, errs)
		}
	}
	if status, _, errs := call("", "help", "nonsense"); status != 2 || !strings.Contains(errs, "nonsense") {
		t.Errorf("status %d, %q", status, errs)
	}
	for _, args := range [][]string{{"help", "-h"}, {"help", "help"}, {"-h"}, {"--help"}} {
		if status, out, _ := call("", args...); status != 0 || out != all {
			t.Errorf("%v: status %d", args, status)
		}
	}
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestColor: none by default away from a terminal, none with NO_COLOR, some with
// FORCE_COLOR, and then the text is the same but for them.
func TestColor(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	t.Setenv("FORCE_COLOR", "")
	for _, name := range []string{"loops", "fstring", "consts", "classes"} {
		file := filepath.Join("..", "..", "testdata", "dis", "3.12", name+".pyc")
		_, want, _ := call("", "decompile", "-verify=false", file)
		if strings.Contains(want, "\x1b") {
			t.Fatal("colours without a terminal")
		}
		t.Setenv("FORCE_COLOR", "1")
		_, got, _ := call("", "decompile", "-verify=false", file)
		if !strings.Contains(got, "\x1b[35m") || escapes.ReplaceAllString(got, "") != want {
			t.Errorf("%s: not the same text with colours:\n%s", name, got)
		}
		t.Setenv("NO_COLOR", "1")
		if _, got, _ := call("", "decompile", "-verify=false", file); got != want {
			t.Error("NO_COLOR is not respected")
		}
		t.Setenv("NO_COLOR", "")
		t.Setenv("FORCE_COLOR", "")
	}
}

func TestHighlight(t *testing.T) {
	for _, s := range []string{"x = 'a\\'b' # c", `f"{x!r}"`, "'''a\n'b'''", "'open", "rb'''", "1_0.5e3j", "é = None", "", "\\"} {
		if got := escapes.ReplaceAllString(highlight(s), ""); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
	if got := highlight("# \x1b]0;evil\x07"); strings.ContainsAny(got, "\x07") || strings.Contains(got, "\x1b]") {
		t.Errorf("control characters reach the terminal: %q", got)
	}
}

// TestProgress: a bar on a terminal, nothing elsewhere.
func TestProgress(t *testing.T) {
	var buf bytes.Buffer
	p := newProgress(&buf, 10, true)
	p.step("a.pyc")
	p.clear()
	if buf.Len() > 0 {
		t.Errorf("wrote %q", &buf)
	}
	p = newProgress(&buf, 2, true)
	p.w = &buf // as if it were one
	p.step("a.pyc")
	p.step("b.pyc")
	if s := buf.String(); !strings.Contains(s, "[############            ] 1/2 a.pyc") || !strings.Contains(s, "2/2 b.pyc") {
		t.Errorf("wrote %q", s)
	}
}

// TestWhereInJSON: the place of a difference is given for the code object. The
// "interpreter" compiles something else.
func TestWhereInJSON(t *testing.T) {
	v := pyc.Version(0)
	var pool *pyworker.Pool
	for v = pyc.Newest; v >= pyc.V311; v-- {
		if p, err := pyworker.NewPool(v, pyworker.Options{Workers: 1}); err == nil {
			pool = p
			break
		}
	}
	if pool == nil {
		t.Skip("NOT RUN: no CPython at hand")
	}
	defer pool.Close()
	code, err := pool.Compile("def f(a):\n    b = a + 1\n    return b\n", "m.py")
	if err != nil {
		t.Fatal(err)
	}
	other := func(string, string, pyc.CodeFlags) (*pyc.Code, error) {
		return pool.Compile("def f(a):\n    b = a + 2\n    return b\n", "m.py")
	}
	text, err := moduleJSON("m.pyc", code, other)
	var f fileJSON
	if err != nil || json.Unmarshal([]byte(text), &f) != nil || len(f.Codes) != 2 {
		t.Fatalf("%v\n%s", err, text)
	}
	o := f.Codes[1]
	if o.QualName != "f" || o.Verdict != "differs" || o.Differs == nil || o.Differs.OriginalLine != 2 || o.Differs.SourceLine != 2 || o.FirstLine != 1 || o.LastLine != 3 {
		t.Errorf("%s", text)
	}
	if f.Codes[0].Verdict != "exact" {
		t.Errorf("the module: %s", f.Codes[0].Verdict)
	}
}
