package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyworker"
)

const equivData = "../../internal/equiv/testdata/"

func verify(t *testing.T, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = runVerify(args, strings.NewReader(stdin), &out, &errs)
	return status, out.String(), errs.String()
}

func TestVerifyCompiled(t *testing.T) {
	a, b := equivData+"3.12/pairs/swap_lines.a.pyc", equivData+"3.12/pairs/swap_lines.b.pyc"
	if status, out, _ := verify(t, "", a, b); status != 0 || !strings.HasPrefix(out, "equal (E2): 2 code objects") {
		t.Errorf("status %d, %q", status, out)
	}
	if status, out, _ := verify(t, "", "-q", a, b); status != 0 || out != "" {
		t.Errorf("-q: status %d, %q", status, out)
	}
	if status, out, _ := verify(t, "", "-effects", a, b); status != 0 || !strings.HasPrefix(out, "equal (effects)") {
		t.Errorf("-effects: status %d, %q", status, out)
	}
	b = equivData + "3.12/pairs/not_in.a.pyc"
	if status, out, _ := verify(t, "", a, b); status != 1 || !strings.HasPrefix(out, "differs at <module>.f") {
		t.Errorf("status %d, %q", status, out)
	}
}

func TestVerifyErrors(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "x.pyc")
	if err := os.WriteFile(broken, []byte("nonsense"), 0o644); err != nil {
		t.Fatal(err)
	}
	good := equivData + "3.12/base.pyc"
	for _, args := range [][]string{{}, {good}, {"-nonsense", good, good}, {broken, good}, {good, broken}, {good, "missing.pyc"}, {good, "missing.py"}} {
		if status, out, errs := verify(t, "", args...); status != 2 || out != "" || errs == "" {
			t.Errorf("%v: status %d, %q, %q", args, status, out, errs)
		}
	}
}

// TestVerifySource needs a CPython of some version.
func TestVerifySource(t *testing.T) {
	version := pyc.Version(0)
	for v := pyc.Newest; v >= pyc.Oldest; v-- {
		if p, err := pyworker.NewPool(v, pyworker.Options{Workers: 1}); err == nil {
			p.Close()
			version = v
			break
		}
	}
	if version == 0 {
		t.Skip("NOT RUN: no CPython at hand")
	}
	orig, source := equivData+version.String()+"/base.pyc", equivData+"src/base.py"
	if status, out, errs := verify(t, "", orig, source); status != 0 {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer("a + b * c", "b * c + a", "n -= 1", "n -= 2").Replace(string(text))
	if status, out, _ := verify(t, changed, "-all", orig, "-"); status != 1 || strings.Count(out, "differs at") != 2 {
		t.Errorf("status %d, %q", status, out)
	}
	if status, out, _ := verify(t, "def", orig, "-"); status != 1 || !strings.Contains(out, "SyntaxError") {
		t.Errorf("status %d, %q", status, out)
	}
}
