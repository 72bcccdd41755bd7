package depyf

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
