package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCoverageCommand(t *testing.T) {
	run := func(args ...string) (string, int) {
		var out, errs bytes.Buffer
		status := dispatch(append([]string{"coverage"}, args...), nil, &out, &errs)
		return out.String() + errs.String(), status
	}
	dir := filepath.FromSlash("../../testdata/cases")
	out, status := run("-cases", dir)
	if status != 0 || strings.Count(out, "\n") != 9 {
		t.Errorf("status %d:\n%s", status, out)
	}
	if out, status := run("-cases", dir, "-v"); status != 0 || !strings.Contains(out, "BUILD_TEMPLATE: fstring/") || !strings.Contains(out, "CACHE: not counted") {
		t.Errorf("status %d:\n%s", status, out)
	}
	if out, status := run("-cases", dir, "-table"); status != 0 || !strings.Contains(out, "## generic") {
		t.Errorf("status %d:\n%s", status, out)
	}
	if out, status := run("-cases", t.TempDir()); status != 1 {
		t.Errorf("no cases: status %d:\n%s", status, out)
	}
	if out, status := run("something"); status != 2 {
		t.Errorf("an argument: status %d:\n%s", status, out)
	}
	// The cases of one version in place of another's do not show all of it.
	other := t.TempDir()
	for _, v := range []string{"3.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14", "3.15"} {
		from := v
		if v == "3.12" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, from+".zip"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(other, v+".zip"), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if out, status := run("-cases", other); status != 1 {
		t.Errorf("a version without cases: status %d:\n%s", status, out)
	}
}
