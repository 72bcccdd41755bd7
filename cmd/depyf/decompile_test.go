package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// call runs the program's dispatcher and returns exit status and output.
func call(stdin string, args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = dispatch(args, strings.NewReader(stdin), &out, &errs)
	return status, out.String(), errs.String()
}

func TestDecompileCommand(t *testing.T) {
	file := filepath.Join("..", "..", "testdata", "dis", "3.12")
	files, err := filepath.Glob(filepath.Join(file, "*.pyc"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded files: %v", err)
	}
	status, out, errs := call("", "decompile", "-verify=false", files[0])
	if status != 3 || !strings.Contains(out, "# Verdict: unproved") {
		t.Errorf("one file: status %d\n%s%s", status, out, errs)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, viaStdin, _ := call(string(data), "decompile", "-verify=false", "-"); viaStdin != out {
		t.Errorf("standard input gives another text than the file")
	}
	if status, headless, _ := call(string(data[16:]), "decompile", "-verify=false", "-python-version", "3.12", "-"); status != 3 || headless != out {
		t.Errorf("a code object without header: status %d", status)
	}
}

// TestDecompileFolder mirrors a tree; one bad file does not stop the others.
func TestDecompileFolder(t *testing.T) {
	src, dst := t.TempDir(), t.TempDir()
	files, _ := filepath.Glob(filepath.Join("..", "..", "testdata", "dis", "3.11", "*.pyc"))
	if len(files) < 3 {
		t.Fatal("no recorded files")
	}
	if err := os.MkdirAll(filepath.Join(src, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"a.pyc", filepath.Join("sub", "b.pyc")} {
		data, err := os.ReadFile(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(src, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(src, "bad.pyc"), []byte("not Python at all"), 0o666); err != nil {
		t.Fatal(err)
	}
	status, _, errs := call("", "decompile", "-verify=false", "-r", "-o", dst, src)
	if status != 1 || !strings.Contains(errs, "bad.pyc") {
		t.Errorf("status %d, %q", status, errs)
	}
	for _, name := range []string{"a.py", filepath.Join("sub", "b.py")} {
		if text, err := os.ReadFile(filepath.Join(dst, name)); err != nil || !strings.HasPrefix(string(text), "# Decompiled by depyf") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if status, _, errs := call("", "decompile", src); status != 1 || !strings.Contains(errs, "-r") {
		t.Errorf("a folder without -r: status %d, %q", status, errs)
	}
}

func TestBadInput(t *testing.T) {
	for name, data := range map[string]string{
		"empty": "", "text": "print('hello')\n", "truncated": "\xcb\r\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xe3\x00",
		"python 2": "\x03\xf3\r\n\x00\x00\x00\x00c\x00\x00\x00\x00",
	} {
		status, out, errs := call(data, "decompile", "-")
		if status != 1 || out != "" || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: status %d, %q, %q", name, status, out, errs)
		}
	}
	if status, _, errs := call("", "decompile", "/no/such/file.pyc"); status != 1 || !strings.Contains(errs, "no/such/file.pyc") {
		t.Errorf("a missing file: status %d, %q", status, errs)
	}
	if status, _, _ := call("", "nonsense"); status != 2 {
		t.Errorf("an unknown command: status %d", status)
	}
	if status, out, _ := call("", "version"); status != 0 || !strings.Contains(out, "3.7 to 3.15") {
		t.Errorf("version: status %d, %q", status, out)
	}
}

func TestDecompileJSON(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join("..", "..", "testdata", "dis", "3.13", "*.pyc"))
	if len(files) == 0 {
		t.Fatal("no recorded files")
	}
	spanned := 0
	for _, file := range files {
		status, out, errs := call("", "decompile", "-verify=false", "-format", "json", file)
		var f fileJSON
		if err := json.Unmarshal([]byte(out), &f); err != nil || status != 3 && status != 1 {
			t.Fatalf("%s: status %d, %v, %s", file, status, err, errs)
		}
		if f.Python != "3.13" || len(f.Codes) == 0 || f.Codes[0].QualName != "<module>" || f.Source == "" && len(f.Codes) > 1 {
			t.Errorf("%s: %+v", file, f)
		}
		lines := strings.Split(f.Source, "\n")
		for _, o := range f.Codes {
			if o.FirstLine == 0 {
				continue
			}
			spanned++
			if o.LastLine < o.FirstLine || o.LastLine > len(lines) {
				t.Errorf("%s: %s spans %d to %d of %d", file, o.QualName, o.FirstLine, o.LastLine, len(lines))
			} else if line := lines[o.FirstLine-1]; !strings.Contains(line, "def ") && !strings.Contains(line, "class ") {
				t.Errorf("%s: %s begins with %q", file, o.QualName, line)
			}
		}
	}
	if spanned == 0 {
		t.Error("no code object has a span")
	}
	if status, _, _ := call("", "decompile", "-format", "xml", files[0]); status != 2 {
		t.Error("an unknown format is accepted")
	}
}

// Without an interpreter the text is proven all the same, and a line says what would fetch one.
func TestDecompileWithoutInterpreter(t *testing.T) {
	for _, name := range []string{"PATH", "HOME", "USERPROFILE", "DEPYF_PYTHON", "PYENV_ROOT", "CONDA_PREFIX"} {
		t.Setenv(name, "")
	}
	files, _ := filepath.Glob(filepath.Join("..", "..", "testdata", "dis", "3.7", "*.pyc"))
	if len(files) == 0 {
		t.Fatal("no recorded files")
	}
	status, out, errs := call("", "decompile", files[0])
	if status != 0 || !strings.Contains(out, "# Verdict: proved (without an interpreter)\n") || !strings.Contains(errs, "CPython 3.7; `uv python install 3.7` fetches one") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
}

// Of several interpreters in DEPYF_PYTHON the first runs a program.
func TestHostPython(t *testing.T) {
	t.Setenv("DEPYF_PYTHON", strings.Join([]string{"/first/python", "/second/python"}, string(filepath.ListSeparator)))
	if got, err := hostPython(); err != nil || got != "/first/python" {
		t.Errorf("got %q, %v", got, err)
	}
}
