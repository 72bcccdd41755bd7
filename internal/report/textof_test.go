package report_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/report"
)

// The text of each file that a session has written is known without the file.
func TestTextOf(t *testing.T) {
	files, err := filepath.Glob("../../testdata/sessions/*/want/*.py")
	if err != nil || len(files) < 50 {
		t.Fatal(len(files), err)
	}
	facts := map[string]*answers.Facts{}
	for _, file := range files {
		dir := filepath.Dir(filepath.Dir(file))
		if facts[dir] == nil {
			m, err := explain.Replay(dir)
			if err != nil {
				t.Fatal(err)
			}
			facts[dir] = answers.For(explain.Link(m))
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := report.TextOf(facts[dir], filepath.Base(file))
		if !ok || got != string(want) {
			t.Errorf("%s: %v, got\n%s", file, ok, got)
		}
	}
	for _, name := range []string{"", "index.md", "../toy.py", "__transformed_code_9_for_f.py"} {
		if text, ok := report.TextOf(facts[filepath.Dir(filepath.Dir(files[0]))], name); ok {
			t.Errorf("%q has a text: %s", name, text)
		}
	}
}
