package pyprint

import (
	"bytes"
	"encoding/json"
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

var update = flag.Bool("update", false, "rewrite the expected texts")

// Golden files are txtar archives: name lines `-- name --` divide sections.
//
//	source.py     the Python source, for the reader and for recording
//	ast.json      its syntax tree, recorded by CPython
//	want.py       the expected text for the newest version
//	want-3.X.py   the expected text for 3.X and older versions, where it differs
//
// The text before the first section says `versions: 3.8 3.15`, the first and
// the last version to print for. To record trees anew from testdata/corpus:
//
//	DEPYF_RECORD=/path/python3.15 go test -run Golden -update
type archive struct {
	comment string
	names   []string
	files   map[string]string
}

func parseArchive(data string) archive {
	a := archive{files: map[string]string{}}
	name := ""
	for _, line := range strings.SplitAfter(data, "\n") {
		if t := strings.TrimSpace(line); strings.HasPrefix(t, "-- ") && strings.HasSuffix(t, " --") {
			name = t[3 : len(t)-3]
			a.names = append(a.names, name)
			continue
		}
		if name == "" {
			a.comment += line
		} else {
			a.files[name] += line
		}
	}
	return a
}

func (a *archive) set(name, text string) {
	if _, ok := a.files[name]; !ok {
		a.names = append(a.names, name)
	}
	a.files[name] = text
}

func (a *archive) String() string {
	var b strings.Builder
	b.WriteString(a.comment)
	for _, n := range a.names {
		fmt.Fprintf(&b, "-- %s --\n%s", n, a.files[n])
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if python := os.Getenv("DEPYF_RECORD"); python != "" {
		files = record(t, python)
	}
	if len(files) == 0 {
		t.Fatal("no golden files")
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txtar"), func(t *testing.T) { golden(t, f) })
	}
}

func golden(t *testing.T, path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a := parseArchive(string(data))
	var first, last int
	if _, err := fmt.Sscanf(a.comment, "versions: 3.%d 3.%d", &first, &last); err != nil {
		t.Fatal(err)
	}
	m, err := pyast.DecodeModule([]byte(a.files["ast.json"]))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		for _, n := range append([]string(nil), a.names...) {
			if strings.HasPrefix(n, "want") {
				delete(a.files, n)
			}
		}
		a.names = []string{"source.py", "ast.json"}
	}
	want := a.files["want.py"]
	for v := pyc.Version(last); v >= pyc.Version(first); v-- {
		before := pyast.Clone(m)
		text, err := Print(m, v, Options{})
		if err != nil {
			t.Errorf("%s: %v", v, err)
		}
		if !pyast.Equal(before, m) {
			t.Errorf("%s: printing changed the tree", v)
		}
		name := fmt.Sprintf("want-%s.py", v)
		if w, ok := a.files[name]; ok {
			want = w
		}
		switch {
		case text == want:
		case *update:
			if want == "" {
				name = "want.py"
			}
			a.set(name, text)
			want = text
		default:
			t.Errorf("%s: %s", v, firstDifference(text, want))
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(a.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			was := "(end)"
			if i < len(w) {
				was = w[i]
			}
			return fmt.Sprintf("line %d\n got  %s\n want %s", i+1, g[i], was)
		}
	}
	return "text ends too early"
}

// record makes golden files from testdata/corpus.
func record(t *testing.T, python string) []string {
	sources, err := filepath.Glob("testdata/corpus/*.py")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range sources {
		base := strings.TrimSuffix(filepath.Base(s), ".py")
		first := 7
		fmt.Sscanf(base, "v3%d", &first)
		source, err := os.ReadFile(s)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(python, "-W", "ignore", "testdata/roundtrip/worker.py", "dump")
		cmd.Stdin = bytes.NewReader(source)
		cmd.Stderr = os.Stderr
		tree, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		// One statement per line, so that changes can be read.
		var m struct {
			Node string            `json:"node"`
			Body []json.RawMessage `json:"body"`
		}
		if err := json.Unmarshal(tree, &m); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		b.WriteString("{\"node\": \"Module\", \"body\": [\n")
		for i, stmt := range m.Body {
			if i > 0 {
				b.WriteString(",\n")
			}
			b.Write(stmt)
		}
		b.WriteString("\n]}\n")
		a := archive{comment: fmt.Sprintf("versions: 3.%d 3.15\n", first), files: map[string]string{}}
		a.set("source.py", string(source))
		a.set("ast.json", b.String())
		path := "testdata/golden/" + base + ".txtar"
		if err := os.WriteFile(path, []byte(a.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		out = append(out, path)
	}
	return out
}

func goldenModule(tb testing.TB, path string) *pyast.Module {
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	a := parseArchive(string(data))
	m, err := pyast.DecodeModule([]byte(a.files["ast.json"]))
	if err != nil {
		tb.Fatal(err)
	}
	return m
}
