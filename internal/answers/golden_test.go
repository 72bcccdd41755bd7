package answers_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// The goldens hold all that is said of a recorded session but for the lists of guards, which
// those of internal/report hold already.
func TestGolden(t *testing.T) {
	goldens, err := filepath.Glob("../../testdata/answers/*.json")
	if err != nil || len(goldens) == 0 {
		t.Fatal("no goldens", err)
	}
	for _, golden := range goldens {
		name := strings.TrimSuffix(filepath.Base(golden), ".json")
		t.Run(name, func(t *testing.T) {
			m, err := explain.Replay("../../testdata/sessions/" + name)
			if err != nil {
				t.Fatal(err)
			}
			s := answers.Of(explain.Link(m))
			for i, c := range s.Compilations {
				s.Compilations[i].Guards = c.Guards[:min(2, len(c.Guards))]
			}
			got, err := json.MarshalIndent(s, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, '\n')
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s differs (%v):\n%s", golden, err, got)
			}
		})
	}
}
