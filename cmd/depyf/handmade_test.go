package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyworker"
)

// TestHandmade decompiles code that no compiler makes (gen/handmade.py): what
// must come out, and what may be said of it where a CPython is at hand.
func TestHandmade(t *testing.T) {
	want := map[string]struct {
		text    string
		verdict decompile.Verdict
		files   int
	}{
		// A list's first item waits on the stack across a branch.
		"stack_across_a_branch": {"def f(a, b):\n    return [a, b] if b else [a]\n", decompile.Proved, 4},
		// A dict as a constant: each call returns the same one,
		// which no source can do; so this may never be called equal.
		"unhashable_constant": {"def f():\n    return {\"a\": \"b\"}\n", decompile.Differs, 9},
		// The opcodes of sys.monitoring.
		"instrumented": {"def f(a):\n    for x in a:\n        if x:\n            return x\n", decompile.Exact, 4},
	}
	files, err := filepath.Glob("../../testdata/handmade/*.pyc")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		base := strings.TrimSuffix(filepath.Base(path), ".pyc")
		name := base[:strings.LastIndexByte(base, '-')]
		w := want[name]
		w.files--
		want[name] = w
		t.Run(base, func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			file, err := pyc.ReadBytes(data)
			if err != nil {
				t.Fatal(err)
			}
			opt, verdict := decompile.Options{}, decompile.Unproved
			if pool, err := pyworker.NewPool(file.Version, pyworker.Options{Workers: 1}); err != nil {
				t.Logf("not proven: %v", err)
			} else {
				defer pool.Close()
				opt.Compile, verdict = pool.CompileFlags, w.verdict
			}
			r, err := decompile.Func(file.Code, opt)
			if err != nil {
				t.Fatal(err)
			}
			if r.Source != w.text || r.Verdict != verdict {
				t.Errorf("%s %s, want %s:\n%s", r.Verdict, r.Detail, verdict, r.Source)
			}
		})
	}
	for name, w := range want {
		if w.files != 0 {
			t.Errorf("%s: %d files are missing", name, w.files)
		}
	}
}

// TestFunctionFile: a function's code object on its own comes out as a def.
func TestFunctionFile(t *testing.T) {
	var out, errs strings.Builder
	path := filepath.FromSlash("../../testdata/handmade/instrumented-3.13.pyc")
	if status := dispatch([]string{"decompile", "-verify=false", path}, nil, &out, &errs); status != 3 || !strings.Contains(out.String(), "\ndef f(a):\n") {
		t.Errorf("status %d: %s\n%s", status, errs.String(), out.String())
	}
}
