package equiv_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/thuml/depyf/internal/equiv"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/service"
)

// TestRecordings compares the code that Dynamo really made with itself, and with
// the code it made it from: the one is understood to the end, the other differs.
func TestRecordings(t *testing.T) {
	files, _ := filepath.Glob("../../testdata/dynamo/*/*.pkt")
	if len(files) == 0 {
		t.Fatal("the recordings are gone")
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := service.ReadRecording(data)
		if err != nil {
			t.Fatal(err)
		}
		again := *r.New
		again.Consts = append([]pyc.Const(nil), r.New.Consts...)
		if res := equiv.CompareEffects(r.New, &again, equiv.Options{OpaqueNames: true}); !res.Equal {
			t.Errorf("%s: %s", file, res.Diff.String())
		}
		if res := equiv.CompareEffects(r.Old, r.New, equiv.Options{OpaqueNames: true}); res.Equal && string(r.Old.Bytecode) != string(r.New.Bytecode) {
			t.Logf("%s: same effects as before", file)
		}
	}
}
