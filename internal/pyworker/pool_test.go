package pyworker

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/thuml/depyf/internal/pyc"
)

// anyPool starts a pool of the newest interpreter at hand; without one the test
// is skipped, for the tests of this project need no Python.
func anyPool(t *testing.T, opt Options) *Pool {
	for v := pyc.Newest; v >= pyc.Oldest; v-- {
		if p, err := NewPool(v, opt); err == nil {
			t.Cleanup(p.Close)
			return p
		}
	}
	t.Skip("NOT RUN: no CPython at hand")
	return nil
}

func TestCompile(t *testing.T) {
	p := anyPool(t, Options{Workers: 2})
	code, err := p.Compile("def f(a):\n    return a + 1\n", "x.py")
	if err != nil {
		t.Fatal(err)
	}
	if code.Name != "<module>" || code.Filename != "x.py" || code.Version != p.Version() {
		t.Errorf("got %q from %q, %v", code.Name, code.Filename, code.Version)
	}
	var ce *CompileError
	if _, err := p.Compile("def", "x.py"); !errors.As(err, &ce) || !strings.Contains(ce.Text, "SyntaxError") {
		t.Errorf("a syntax error gave %v", err)
	}
	if _, err := p.Compile("x = 'a\x00'", "x.py"); !errors.As(err, &ce) {
		t.Errorf("a null byte gave %v", err)
	}
}

// Lone surrogates arrive in the constants, as WTF-8.
func TestSurrogates(t *testing.T) {
	p := anyPool(t, Options{})
	code, err := p.Compile("x = 'a\xed\xb2\x80'", "\xed\xb2\x80.py")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range code.Consts {
		if c == pyc.Str("a\xed\xb2\x80") {
			return
		}
	}
	t.Errorf("constants are %q", code.Consts)
}

func TestCookie(t *testing.T) {
	p := anyPool(t, Options{})
	code, err := p.CompileBytes([]byte("# coding: latin-1\nx = '\xe9'\n"), "x.py")
	if err != nil {
		t.Fatal(err)
	}
	if code.Consts[0] != pyc.Str("é") {
		t.Errorf("constants are %q", code.Consts)
	}
}

func TestParallel(t *testing.T) {
	p := anyPool(t, Options{Workers: 2})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 5 {
				if _, err := p.Compile("x = 1\n", "x.py"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	p.Close()
	if _, err := p.Compile("x = 1\n", "x.py"); err == nil {
		t.Error("a closed pool compiles")
	}
}

// fake writes a script that says hello like CPython 3.13 and then does as told.
func fake(t *testing.T, after string) string {
	if runtime.GOOS == "windows" {
		t.Skip("NOT RUN: no shell")
	}
	path := filepath.Join(t.TempDir(), "python3.13")
	hello := `printf '\031\000\000\000depyf-worker3 13 3571    '` + "\n"
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+hello+after+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBadWorkers(t *testing.T) {
	for name, c := range map[string]struct{ script, want string }{
		"crash":     {"echo bad >&2; exit 3", "died: bad"},
		"silent":    {"exec /bin/sleep 60", ErrTimeout.Error()},
		"nonsense":  {`printf '\001\000\000\000x'; exec /bin/sleep 60`, "nonsense"},
		"huge":      {`printf '\377\377\377\377x'; exec /bin/sleep 60`, "nonsense"},
		"truncated": {`printf '\011\000\000\000\000x'`, "died"},
		"garbage":   {`printf '\002\000\000\000\000x\002\000\000\000\000x'; exec /bin/sleep 60`, "reading what CPython"},
	} {
		t.Run(name, func(t *testing.T) {
			limit := time.Minute // which only the silent one may come to need
			if name == "silent" {
				limit = 300 * time.Millisecond
			}
			p, err := NewPool(pyc.V313, Options{Python: fake(t, c.script), Timeout: limit})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			for range 2 { // the second time with a new process
				if _, err := p.Compile("x", "x"); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("got %v, want %q", err, c.want)
				}
			}
		})
	}
}

func TestFind(t *testing.T) {
	if _, err := NewPool(pyc.V313, Options{Getenv: func(string) string { return "" }}); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if _, err := NewPool(pyc.V312, Options{Python: fake(t, "")}); err == nil || !strings.Contains(err.Error(), "not 3.12") {
		t.Errorf("got %v", err)
	}
	path := fake(t, "exec /bin/sleep 60")
	env := func(name string) string {
		if name == "PATH" {
			return filepath.Dir(path)
		}
		return ""
	}
	p, err := NewPool(pyc.V313, Options{Getenv: env})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.Path() != path {
		t.Errorf("found %s", p.Path())
	}
}
