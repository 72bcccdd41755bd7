package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/thuml/depyf/internal/browser"
	"github.com/thuml/depyf/internal/recorded"
)

// built is the program itself, for tests that talk to it over pipes.
func built(t *testing.T) string {
	t.Helper()
	path, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var buildOnce = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "depyf")
	if err != nil {
		return "", err
	}
	builtIn = dir
	path := filepath.Join(dir, "depyf.exe") // a name that every system runs
	cmd := exec.Command("go", "build", "-o", path, ".")
	cmd.Stderr = os.Stderr
	return path, cmd.Run()
})

var builtIn string // the folder of the program, once it is built

func TestMain(m *testing.M) {
	status := browser.Main(m)
	if builtIn != "" {
		os.RemoveAll(builtIn)
	}
	os.Exit(status)
}

// dumpOf makes a dump with all its files of a recorded session.
func dumpOf(t *testing.T, session, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(filepath.Join(sessionFolder(session), "events.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "events.jsonl"), log, 0o644); err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(filepath.Join(sessionFolder(session), ".blobs")); err == nil && st.IsDir() {
		if err := os.CopyFS(filepath.Join(dir, ".blobs"), os.DirFS(filepath.Join(sessionFolder(session), ".blobs"))); err != nil {
			t.Fatal(err)
		}
	}
	if status, _, errs := call("", "report", dir); status != 0 {
		t.Fatal(errs)
	}
}

// sourceIn writes a file of the program as a recorded session has it.
func sourceIn(t *testing.T, session, name, dir string) string {
	t.Helper()
	list, err := recorded.Read(sessionFolder(session))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list[0].Facts().Sources() {
		if filepath.Base(s.File) == name && s.Text != nil {
			path := filepath.Join(dir, name)
			text := *s.Text
			for i := 1; i < s.First; i++ {
				text = "\n" + text
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			return path
		}
	}
	t.Fatalf("%s has no %s", session, name)
	return ""
}
