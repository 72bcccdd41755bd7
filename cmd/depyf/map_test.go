package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var inDump = regexp.MustCompile(`(?m)(\S+\.py):(\d+)(?: ` + "`" + `(.*?)["` + "`" + `]|[, ]|$)`)

// A line leads to operations and kernels and back, and the places are those of the files in the dump folder.
func TestMap(t *testing.T) {
	dir := t.TempDir()
	recorded := filepath.Join("..", "..", "testdata", "sessions", "torch215_joined_inductor")
	if status, _, errs := call("", "report", "-o", dir, recorded); status != 0 {
		t.Fatal(errs)
	}
	for where, wants := range map[string][]string{
		"toy_example.py:6":               {"toy_example.py:6", "abs_1: \"f32[10][1]cpu\" = torch.ops.aten.abs.default", "cpp_fused_abs_add_div_lt_sum_0: kernel of the forward pass, called at __compiled_fn_1.kernel_0.py:"},
		"abs_1":                          {"toy_example.py:6", "torch.ops.aten.abs.default"},
		"__compiled_fn_1:abs_1":          {"toy_example.py:6"},
		"cpp_fused_abs_add_div_lt_sum_0": {"computes, in this order: abs_1"},
	} {
		status, out, errs := call("", "map", where, recorded)
		if status != 0 {
			t.Errorf("%s: status %d, %s", where, status, errs)
			continue
		}
		for _, want := range wants {
			if !strings.Contains(out, want) {
				t.Errorf("%s: %q is missing:\n%s", where, want, out)
			}
		}
		// Kernels come first: they are what is asked for.
		if kernel, code := strings.Index(out, ": kernel of"), strings.Index(out, "* in transformed code"); kernel < 0 || code < kernel {
			t.Errorf("%s: kernels are not before the rest:\n%s", where, out)
		}
		for _, m := range inDump.FindAllStringSubmatch(out, -1) {
			text, err := os.ReadFile(filepath.Join(dir, m[1]))
			row, _ := strconv.Atoi(m[2])
			if lines := strings.Split(string(text), "\n"); err == nil && (row > len(lines) || !strings.Contains(lines[row-1], m[3])) {
				t.Errorf("%s: %s has no %q at line %d", where, m[1], m[3], row)
			}
		}
	}
	for _, where := range []string{"nothing", "nothing.py:3"} {
		if status, _, errs := call("", "map", where, recorded); status != 1 || !strings.Contains(errs, "nothing") {
			t.Errorf("%s: status %d, %q", where, status, errs)
		}
	}
	if status, _, _ := call("", "map", recorded); status != 2 {
		t.Errorf("no subject: status %d", status)
	}
}
