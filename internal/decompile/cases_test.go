package decompile

import (
	"archive/zip"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

var update = flag.Bool("update", false, "rewrite the wanted text of cases")

const casesDir = "../../testdata/cases"

// TestCases decompiles every case of every version and compares the text. The
// wanted text is the section `want.py`, or one for some versions such as
// `want-3.7-3.9.py`, or the source itself when there is none.
func TestCases(t *testing.T) {
	ran := map[string]bool{}
	for minor := 7; minor <= 15; minor++ {
		v := fmt.Sprintf("3.%d", minor)
		z, err := zip.OpenReader(filepath.Join(casesDir, v+".zip"))
		if err != nil {
			t.Errorf("no compiled cases for %s: run gen/cases.py with it: %v", v, err)
			continue
		}
		defer z.Close()
		for _, f := range z.File {
			name := strings.TrimSuffix(f.Name, ".pyc")
			ran[name] = true
			t.Run(v+"/"+name, func(t *testing.T) { runCase(t, minor, name, f) })
		}
	}
	files, _ := filepath.Glob(casesDir + "/*/*.txtar")
	for _, f := range files {
		if *update {
			mergeWants(t, f)
		}
		rel, _ := filepath.Rel(casesDir, f)
		if name := strings.TrimSuffix(filepath.ToSlash(rel), ".txtar"); !ran[name] {
			t.Errorf("case %s is not compiled for any version: run gen/cases.py", name)
		}
	}
}

// mergeWants joins the wanted texts of neighbouring versions where they agree.
func mergeWants(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sec := sections(string(text))
	var body [16]string
	for minor := 7; minor <= 15; minor++ {
		body[minor], _ = wanted(sec, minor)
	}
	for name := range sec {
		if strings.HasPrefix(name, "want") {
			delete(sec, name)
		}
	}
	for a := 7; a <= 15; {
		b := a
		for b < 15 && body[b+1] == body[a] {
			b++
		}
		switch {
		case body[a] == sec["source.py"]:
		case a == 7 && b == 15:
			sec["want.py"] = body[a]
		case a == b:
			sec[fmt.Sprintf("want-3.%d.py", a)] = body[a]
		default:
			sec[fmt.Sprintf("want-3.%d-3.%d.py", a, b)] = body[a]
		}
		a = b + 1
	}
	if err := os.WriteFile(path, []byte(join(sec)), 0o644); err != nil {
		t.Fatal(err)
	}
}

func runCase(t *testing.T, minor int, name string, f *zip.File) {
	path := filepath.Join(casesDir, filepath.FromSlash(name)+".txtar")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("a compiled case without its source: %v", err)
	}
	r, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	file, err := pyc.ReadBytes(data)
	if err != nil {
		t.Fatal(err)
	}
	res, err := Module(file.Code, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range res.Problems {
		t.Errorf("problem: %s", p)
	}
	sec := sections(string(text))
	want, _ := wanted(sec, minor)
	if res.Source == want {
		return
	}
	if *update && !t.Failed() {
		sec[fmt.Sprintf("want-3.%d.py", minor)] = res.Source
		if err := os.WriteFile(path, []byte(join(sec)), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("got:\n%s\nwant:\n%s", res.Source, want)
}

// wanted returns the text that a version must print, and the section to rewrite.
func wanted(sec map[string]string, minor int) (text, key string) {
	if body, ok := sec[fmt.Sprintf("want-3.%d.py", minor)]; ok {
		return body, fmt.Sprintf("want-3.%d.py", minor)
	}
	for name, body := range sec {
		spec, ok := strings.CutPrefix(name, "want-")
		spec, isPy := strings.CutSuffix(spec, ".py")
		if ok && isPy && inVersions(spec, minor) {
			return body, name
		}
	}
	if body, ok := sec["want.py"]; ok {
		return body, "want.py"
	}
	return sec["source.py"], "want.py"
}

// inVersions reports whether 3.minor is in a range such as 3.8-3.10, 3.8- or 3.8.
func inVersions(spec string, minor int) bool {
	low, high, isRange := strings.Cut(spec, "-")
	var a, b int
	fmt.Sscanf(low, "3.%d", &a)
	fmt.Sscanf(high, "3.%d", &b)
	switch {
	case !isRange:
		return minor == a
	case high == "":
		return minor >= a
	}
	return minor >= a && minor <= b
}

// sections splits a txtar file.
func sections(text string) map[string]string {
	out := map[string]string{}
	name := ""
	for _, line := range strings.SplitAfter(text, "\n") {
		if s := strings.TrimSpace(line); strings.HasPrefix(line, "-- ") && strings.HasSuffix(s, " --") {
			name = s[3 : len(s)-3]
			out[name] = ""
			continue
		}
		out[name] += line
	}
	return out
}

func join(sec map[string]string) string {
	var names []string
	for n := range sec {
		if n != "" {
			names = append(names, n)
		}
	}
	rank := map[string]int{"versions": 1, "source.py": 2}
	sort.Slice(names, func(i, j int) bool {
		a, b := rank[names[i]], rank[names[j]]
		if a == 0 {
			a = 3
		}
		if b == 0 {
			b = 3
		}
		if a != b {
			return a < b
		}
		return names[i] < names[j]
	})
	out := sec[""]
	for _, n := range names {
		out += "-- " + n + " --\n" + sec[n]
	}
	return out
}
