package asm

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/pyc"
)

// TestRoundTrip writes and reads every recorded module: the instructions, their
// places, the handlers, names and constants are the same.
func TestRoundTrip(t *testing.T) {
	files, err := filepath.Glob("../../testdata/dis/3.*/*.pyc")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	n := 0
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := pyc.ReadBytes(data)
		if err != nil {
			t.Fatal(err)
		}
		text, err := Format(f.Code)
		if err != nil {
			if strings.Contains(err.Error(), "no text for the constant") {
				continue
			}
			t.Fatalf("%s: %v", path, err)
		}
		again, err := Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		same(t, path, f.Code, again)
		n++
	}
	if n < 50 {
		t.Errorf("only %d files have a text", n)
	}
}

func same(t *testing.T, where string, a, b *pyc.Code) {
	t.Helper()
	where += " " + a.QualName
	fa, errA := bytecode.Decode(a)
	fb, errB := bytecode.Decode(b)
	if errA != nil || errB != nil {
		t.Fatalf("%s: %v, %v", where, errA, errB)
	}
	if len(fa.Instrs) != len(fb.Instrs) {
		t.Errorf("%s: %d instructions for %d", where, len(fb.Instrs), len(fa.Instrs))
		return
	}
	for i := range fa.Instrs {
		x, y := fa.Instrs[i], fb.Instrs[i]
		if pyc.Repr(x.Const) != pyc.Repr(y.Const) && !strings.HasPrefix(pyc.Repr(x.Const), "<code") {
			t.Errorf("%s: offset %d has %s for %s", where, x.Offset, pyc.Repr(y.Const), pyc.Repr(x.Const))
		}
		x.Const, y.Const = nil, nil
		if x != y {
			t.Errorf("%s: %+v for %+v", where, y, x)
			return
		}
	}
	if !slices.Equal(fa.Handlers, fb.Handlers) {
		t.Errorf("%s: handlers %v for %v", where, fb.Handlers, fa.Handlers)
	}
	if a.Flags != b.Flags || a.ArgCount != b.ArgCount || a.PosOnlyArgCount != b.PosOnlyArgCount || a.KwOnlyArgCount != b.KwOnlyArgCount ||
		a.Name != b.Name || a.QualName != b.QualName || !slices.Equal(a.LocalsPlusNames, b.LocalsPlusNames) || len(a.Consts) != len(b.Consts) {
		t.Errorf("%s: the head is another", where)
		return
	}
	for i := range a.Consts {
		if x, ok := a.Consts[i].(*pyc.Code); ok {
			same(t, where, x, b.Consts[i].(*pyc.Code))
		}
	}
}

// TestErrors names what is wrong in a text.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "there is no code object",
		"version 3.12\n":               "begins with",
		"code f\nversion 2.7\n1 NOP\n": "CPython 2.7 is not known",
		"code f\nversion 3.12\n1 BEGIN_FINALLY\n":         "CPython 3.12 has no BEGIN_FINALLY",
		"code f\nversion 3.12\n1 LOAD_FAST x\n":           "there is no name x",
		"code f\nversion 3.12\n1 JUMP_FORWARD L7\n":       "there is no label L7",
		"code f\nversion 3.12\nL1: 1 JUMP_FORWARD L1\n":   "JUMP_FORWARD cannot jump to L1",
		"code f\nversion 3.12\nconst 'a\n":                "is no constant",
		"code f\nversion 3.12\nconst code 3\n":            "there is no code object 3",
		"code f\nversion 3.12\nx NOP\n":                   "invalid syntax",
		"code f\nversion 3.12\n1 NOP\ntry L1 END END 0\n": "there is no label L1",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
