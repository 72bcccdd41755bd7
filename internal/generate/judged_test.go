package generate

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

var update = flag.Bool("update", false, "rewrite the lists of seeds that are not proven")

const (
	generated = "../../testdata/generated"
	seeds     = 200 // of each kind
)

// TestPrograms judges some programs of each version whose CPython is at hand. The list
// of those that are not proven belongs to one patch release: of another one, which may
// compile otherwise, as many may fail.
func TestPrograms(t *testing.T) {
	for v := pyc.Oldest; v <= pyc.Newest; v++ {
		t.Run(v.String(), func(t *testing.T) {
			t.Parallel()
			j, err := NewJudge(v)
			if err != nil {
				t.Skipf("NOT RUN: %v", err)
			}
			defer j.Close()
			release, err := exec.Command(j.Python(), "-I", "-S", "-c", "import sys; print(sys.version.split()[0])").Output()
			if err != nil {
				t.Fatal(err)
			}
			head := "# CPython " + strings.TrimSpace(string(release))
			functions := functionsOf(t, j, v)
			got := []string{head}
			for _, kind := range []Kind{KindGrammar, KindMutant, KindSkeleton, KindNest, KindSameCalls, KindTests} {
				if kind == KindTests { // about their text, too
					if err := j.CompareTrees(); err != nil {
						t.Fatal(err)
					}
				}
				refused := 0
				for seed := range uint64(seeds) {
					j.Alone = seed < seeds/4 // their functions without the text around them as well
					out := j.Program(New(kind, seed, v, functions))
					if out.Class == Refused {
						refused++
					}
					if out.Class.Failed() {
						got = append(got, fmt.Sprintf("%s %d %s: %s", kind, seed, out.Class, out.Reason))
					}
				}
				if refused > seeds/4 {
					t.Errorf("the compiler refuses %d of %d programs of kind %s", refused, seeds, kind)
				}
			}
			path := filepath.Join(generated, v.String()+".txt")
			if *update {
				if err := os.WriteFile(path, []byte(strings.Join(got, "\n")+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
			if want[0] != head {
				if len(got) > len(want)+seeds/50 {
					t.Errorf("%d programs are not proven, recorded are %d with %s", len(got)-1, len(want)-1, want[0])
				}
				return
			}
			compare(t, got[1:], want[1:])
		})
	}
}

// compare holds the programs that fail against the recorded ones, whatever
// the reason. What is fine by now leaves the list with the next -update.
func compare(t *testing.T, got, want []string) {
	id := func(row string) string { return strings.Join(strings.Fields(row)[:2], " ") }
	known := map[string]bool{}
	for _, row := range want {
		known[id(row)] = true
	}
	for _, row := range got {
		if !known[id(row)] {
			t.Errorf("fails now: %s", row)
		}
	}
	if n := len(want) - len(got); n > 0 {
		t.Logf("%d listed programs are fine now: -update takes them off the list", n)
	}
}

// functionsOf are those that mutants are made of: testdata/generated/functions/3.X.py
// holds what 3.X and later compile.
func functionsOf(t *testing.T, j *Judge, v pyc.Version) []pyast.Stmt {
	var paths []string
	for w := pyc.Oldest; w <= v; w++ {
		path, err := filepath.Abs(filepath.Join(generated, "functions", w.String()+".py"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); err == nil {
			paths = append(paths, path)
		}
	}
	functions, err := Functions(j.Python(), paths, Small)
	if err != nil {
		t.Fatal(err)
	}
	if len(functions) < 150 {
		t.Fatalf("only %d functions", len(functions))
	}
	return functions
}
