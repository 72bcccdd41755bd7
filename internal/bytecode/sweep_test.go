package bytecode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// TestSweep reads, decodes and checks every .pyc file below $DEPYF_SWEEP, for
// instance compiled standard libraries, and counts what it met.
func TestSweep(t *testing.T) {
	root := os.Getenv("DEPYF_SWEEP")
	if root == "" {
		t.Skip("DEPYF_SWEEP is not set")
	}
	files, codes, instrs := 0, 0, 0
	var walk func(path string, c *pyc.Code)
	walk = func(path string, c *pyc.Code) {
		codes++
		f, err := Decode(c)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		instrs += len(f.Instrs)
		if hasStackPicture(c.Version) {
			if msg := stackDepths(f); msg != "" {
				t.Errorf("%s: %s: %s", path, c.QualName, msg)
			}
		}
		if msg := invariants(f); msg != "" {
			t.Errorf("%s: %s: %s", path, c.QualName, msg)
		}
		for _, in := range f.Instrs {
			if in.Op == opcode.Invalid {
				t.Errorf("%s: %s: offset %d: invalid opcode %d", path, c.QualName, in.Offset, in.Raw)
			}
		}
		for _, k := range c.Consts {
			if k, ok := k.(*pyc.Code); ok {
				walk(path, k)
			}
		}
	}
	err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".pyc") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := pyc.ReadBytes(data)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return nil
		}
		files++
		walk(path, f.Code)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files, %d code objects, %d instructions", files, codes, instrs)
}
