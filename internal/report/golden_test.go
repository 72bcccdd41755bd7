package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/explain"
)

var update = flag.Bool("update", false, "rewrite the wanted files")

const sessions = "../../testdata/sessions"

// Every recorded session is replayed, and what is written has to be what is
// wanted, file for file. tests/torch/record_session.py records them.
func TestSessions(t *testing.T) {
	dirs, err := os.ReadDir(sessions)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		if d.IsDir() {
			t.Run(d.Name(), func(t *testing.T) { t.Parallel(); replay(t, filepath.Join(sessions, d.Name())) })
		}
	}
}

func replay(t *testing.T, dir string) {
	m, err := explain.Replay(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	files, err := Write(m, dir, out)
	if err != nil {
		t.Error(err)
	}
	got := readAll(t, out)
	for _, f := range files {
		if _, ok := got[f.Path]; !ok {
			t.Errorf("%s is listed but was not written", f.Path)
		}
	}
	if len(files) != len(got) {
		t.Errorf("%d files listed, %d written", len(files), len(got))
	}
	for name, text := range got {
		check(t, name, text)
	}
	parse(t, out)
	if filepath.Base(dir) != pageGolden {
		delete(got, htmlName)
	}
	if page, ok := got[htmlName]; ok {
		got[htmlName] = readable(t, string(page))
	}
	compare(t, filepath.Join(dir, "want"), got)
}

// pageGolden is the one session whose page is compared as a whole: the others
// would repeat its style and script.
const pageGolden = "torch215_toy_inductor"

// readable is a page with its packed texts as JSON: what compression makes of them differs from one Go to the next.
func readable(t *testing.T, page string) []byte {
	_, packed := unpack(t, page)
	text, err := json.MarshalIndent(packed, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return append([]byte(packedTexts.ReplaceAllLiteralString(page, "")), append(text, '\n')...)
}

func compare(t *testing.T, want string, got map[string][]byte) {
	if *update {
		if err := os.RemoveAll(want); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(want, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range got {
			if err := os.WriteFile(filepath.Join(want, name), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	old := readAll(t, want)
	for name := range old {
		if _, ok := got[name]; !ok {
			t.Errorf("%s is wanted but was not written", name)
		}
	}
	for name, text := range got {
		if w, ok := old[name]; !ok {
			t.Errorf("%s is not among the wanted files; run the test with -update", name)
		} else if !bytes.Equal(text, w) {
			t.Errorf("%s differs from what is wanted at %s", name, firstDifference(w, text))
		}
	}
}

func firstDifference(want, got []byte) string {
	w, g := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	for i := range g {
		if i >= len(w) || w[i] != g[i] {
			old := "the end"
			if i < len(w) {
				old = w[i]
			}
			return "line\n  want " + old + "\n  got  " + g[i]
		}
	}
	return "the end: lines are missing"
}

func readAll(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	list, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, e := range list {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = data
	}
	return out
}

var (
	uuids     = regexp.MustCompile(`[0-9a-f]{8}[_-][0-9a-f]{4}[_-][0-9a-f]{4}[_-][0-9a-f]{4}[_-][0-9a-f]{12}`)
	addresses = regexp.MustCompile(` at 0x[0-9a-f]{6,}|, \d{14,}\)`)
)

// check is what holds for every file that is meant for reading.
func check(t *testing.T, name string, text []byte) {
	if strings.Contains(name, ".kernel_") || strings.Contains(name, ".runnable.") {
		return
	}
	for _, bad := range []*regexp.Regexp{uuids, addresses} {
		if m := bad.Find(text); m != nil {
			t.Errorf("%s: holds %q", name, m)
		}
	}
	if strings.HasSuffix(name, ".py") {
		if bad := explain.Balanced(string(text)); bad != "" {
			t.Errorf("%s: %s", name, bad)
		}
	}
}

// parse lets Python, where there is one, parse every .py file.
func parse(t *testing.T, dir string) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Log("no python3: files are not parsed")
		return
	}
	const script = `
import ast, pathlib, sys
for p in sorted(pathlib.Path(sys.argv[1]).glob("*.py")):
    try:
        ast.parse(p.read_bytes(), p.name)
    except (SyntaxError, ValueError) as e:
        print(p.name, e)
`
	out, err := exec.Command(python, "-I", "-S", "-c", script, dir).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("not Python: %s %v", out, err)
	}
}

// The table of contents of a full_code file points at the titles.
func TestContentsPointAtSections(t *testing.T) {
	m, err := explain.Replay(filepath.Join(sessions, "torch215_toy_inductor"))
	if err != nil {
		t.Fatal(err)
	}
	p := explain.Link(m)
	text := fullCode(p, p.Functions[0], guardTexts{})
	lines := strings.Split(text, "\n")
	entry := regexp.MustCompile(`^# +(\d+)  (.*)$`)
	n := 0
	for _, l := range lines {
		e := entry.FindStringSubmatch(l)
		if e == nil {
			continue
		}
		n++
		at := 0
		for _, c := range e[1] {
			at = at*10 + int(c-'0')
		}
		if at > len(lines) || lines[at-1] != "# ---- "+e[2] {
			t.Errorf("line %d is not %q", at, e[2])
		}
	}
	if n < 10 {
		t.Errorf("only %d entries", n)
	}
}
