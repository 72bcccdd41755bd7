package answers

import (
	"path/filepath"
	"testing"

	"github.com/thuml/depyf/internal/explain"
)

// Of a session that has ended nothing goes on.
func TestNothingIsInProgressAtTheEnd(t *testing.T) {
	dirs, err := filepath.Glob("../../testdata/sessions/*")
	if err != nil || len(dirs) < 10 {
		t.Fatalf("%d sessions, %v", len(dirs), err)
	}
	for _, dir := range dirs {
		m, err := explain.Replay(dir)
		if err != nil {
			t.Fatal(err)
		}
		if list := InProgress(explain.Link(m)); len(list) > 0 {
			t.Errorf("%s: %+v", dir, list)
		}
		// Without the end the same: each compilation has come to one.
		m.Ended = false
		if list := InProgress(explain.Link(m)); len(list) > 0 {
			t.Errorf("%s, cut off: %s", dir, list[0].Function)
		}
	}
}
