package depyf

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// TestDecompile decompiles a recorded file of each version without a Python.
func TestDecompile(t *testing.T) {
	files, err := filepath.Glob("../../testdata/dis/3.*/*.pyc")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded files: %v", err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Decompile(data, Options{NoProof: true})
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		if r.Source == "" && len(data) > 400 || r.Proven {
			t.Errorf("%s: verdict %s, %d bytes of source", f, r.Verdict, len(r.Source))
		}
		if equal, detail, err := Verify(data, data, Options{}); !equal || err != nil {
			t.Errorf("%s differs from itself: %s %v", f, detail, err)
		}
	}
}

// TestFunction decompiles the functions inside of the recorded files, each without the
// module around it: the text is proven, and a def, or what the compiler makes such code of.
func TestFunction(t *testing.T) {
	files, err := filepath.Glob("../../testdata/dis/3.*/*.pyc")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded files: %v", err)
	}
	n := 0
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		module, err := pyc.ReadBytes(raw)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range module.Code.Consts {
			code, ok := c.(*pyc.Code)
			if !ok || !code.IsFunction() || len(code.FreeVars()) > 0 || strings.HasPrefix(code.Name, "<") {
				continue
			}
			data, err := pyc.Marshal(code, module.Version)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Decompile(data, Options{PythonVersion: module.Version.String()})
			if err != nil {
				t.Errorf("%s %s: %v", f, code.Name, err)
				continue
			}
			n++
			// What computes annotations or an alias is written as these.
			def := strings.Contains(r.Source, "def "+code.Name+"(") || strings.Contains(r.Source, "type "+code.Name+" = ") || code.Name == "__annotate__"
			if !r.Proven || !def {
				t.Errorf("%s %s: verdict %s (%s):\n%s", f, code.Name, r.Verdict, r.Detail, r.Source)
			}
		}
	}
	if n < 50 {
		t.Errorf("%d functions were found", n)
	}
}

func TestBadInput(t *testing.T) {
	for _, data := range [][]byte{nil, []byte("junk"), []byte(strings.Repeat("\xe3", 40))} {
		if _, err := Decompile(data, Options{}); err == nil {
			t.Errorf("%q: no error", data)
		}
	}
	if _, err := Decompile([]byte("N"), Options{PythonVersion: "3.12"}); err == nil || !strings.Contains(err.Error(), "not a code object") {
		t.Errorf("None as code object: %v", err)
	}
	if _, err := Decompile([]byte("N"), Options{PythonVersion: "2.7"}); err == nil {
		t.Error("2.7 accepted")
	}
}
