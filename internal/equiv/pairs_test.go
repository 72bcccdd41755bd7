package equiv

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// TestPairs compares X.a.pyc with X.b.pyc for every X in the folders that
// DEPYF_PAIRS lists, such as the standard library compiled as it is and after
// ast.unparse, or with the line numbers of its syntax tree changed at random; the
// two must always be equal.
func TestPairs(t *testing.T) {
	dirs := filepath.SplitList(os.Getenv("DEPYF_PAIRS"))
	if len(dirs) == 0 {
		t.Skip("DEPYF_PAIRS names no folder")
	}
	for _, dir := range dirs {
		files, _ := filepath.Glob(filepath.Join(dir, "*.a.pyc"))
		levels := map[Level]int{}
		pairs, bad := 0, 0
		for _, a := range files {
			res := Compare(load(t, a), load(t, strings.TrimSuffix(a, ".a.pyc")+".b.pyc"), Options{All: true})
			pairs += len(res.Compared)
			levels[res.Level]++
			bad += len(res.Diffs)
			for _, d := range res.Diffs {
				t.Errorf("%s: %s (%d, %d)", filepath.Base(a), d.String(), d.Where.A, d.Where.B)
			}
		}
		t.Logf("%s: %d files, %d code objects, %d differ, levels %v", filepath.Base(dir), len(files), pairs, bad, levels)
	}
}

func load(t *testing.T, path string) *pyc.Code {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := pyc.ReadBytes(data)
	if err != nil {
		t.Fatal(err)
	}
	return f.Code
}
