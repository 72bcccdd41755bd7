package cases

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

var update = flag.Bool("update", false, "rewrite docs/versions.md")

const (
	dir       = "../../testdata/cases"
	tableFile = "../../docs/versions.md"
)

// TestCoverage holds the cases to every instruction that a compiler writes.
func TestCoverage(t *testing.T) {
	for v := pyc.Oldest; v <= pyc.Newest; v++ {
		c, err := Cover(dir, v)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, in := range c.Missing {
			t.Errorf("%v: no case has %s", v, in)
		}
		for _, in := range c.Stale {
			t.Errorf("%v: %s has %s, which no compiler is said to write", v, c.Seen[in], in)
		}
		if len(c.Seen) < 100 {
			t.Errorf("%v: only %d instructions seen", v, len(c.Seen))
		}
	}
}

// TestCompiled holds the zip files to the cases: each is compiled for exactly
// the versions it applies to.
func TestCompiled(t *testing.T) {
	list, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	for v := pyc.Oldest; v <= pyc.Newest; v++ {
		codes, err := Compiled(dir, v)
		if err != nil {
			t.Errorf("run gen/cases.py with CPython %v: %v", v, err)
			continue
		}
		for _, c := range list {
			if c.About() == "" {
				t.Errorf("%s does not say what it shows", c.Path)
			}
			_, compiled := codes[c.Name]
			if compiled != c.Applies(v) {
				t.Errorf("%v %s: applies %v, compiled %v: run gen/cases.py", v, c.Name, c.Applies(v), compiled)
			}
			delete(codes, c.Name)
		}
		for name := range codes {
			t.Errorf("%v: compiled case %s has no source", v, name)
		}
	}
}

// TestTable holds docs/versions.md to the cases.
func TestTable(t *testing.T) {
	got, err := Table(dir)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(tableFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(filepath.FromSlash(tableFile))
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what the cases say; run go test ./internal/cases -update", tableFile)
	}
}

// TestMissingIsSeen takes a case away: what only it has must be missed.
func TestMissingIsSeen(t *testing.T) {
	c := &Coverage{Version: pyc.V314, Seen: map[string]string{}, Never: map[string]string{}}
	c.finish()
	if len(c.Missing) < 150 {
		t.Errorf("no case at all, and only %d instructions are missed", len(c.Missing))
	}
	c = &Coverage{Version: pyc.V314, Seen: map[string]string{"CACHE": "x/y"}, Never: map[string]string{}}
	c.finish()
	if len(c.Stale) != 1 || c.Stale[0] != "CACHE" {
		t.Errorf("stale: %v", c.Stale)
	}
}
