package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var inDump = regexp.MustCompile(`(?m)(\S+\.py):(\d+)(?: ` + "`" + `(.*?)["` + "`" + `]|[, ]|$)`)

// Of several ranks each that has what is asked about answers; that the others lack it is said.
func TestMapOfRanks(t *testing.T) {
	top := ranks(t, "torch215_toy_eager", "torch215_limit_eager")
	for where, c := range map[string]struct{ has, lacks string }{
		"limit.py:5":       {"rank_1", "rank_0"},
		"toy_example.py:6": {"rank_0", "rank_1"},
		"toy_example.py:7": {"rank_0", "rank_1"},
	} {
		status, out, errs := call("", "map", where, top)
		if where == "toy_example.py:7" && !strings.Contains(out, " belong together. Because of it: the graph breaks, 2 times; 3 guards.\n") {
			t.Errorf("the break is not told:\n%s", out)
		}
		if status != 0 || !strings.HasPrefix(out, "=== "+c.has+" ===\n") || strings.Contains(out, c.lacks) || !strings.HasPrefix(errs, "depyf map: "+c.lacks+": nothing in ") {
			t.Errorf("%s: status %d, %s\n%s", where, status, errs, out)
		}
		var told struct {
			Form      int
			Processes []struct{ Process string }
		}
		_, out, _ = call("", "map", "--format", "json", where, top)
		if err := json.Unmarshal([]byte(out), &told); err != nil || told.Form != 1 || len(told.Processes) != 1 || told.Processes[0].Process != c.has {
			t.Errorf("%s: %v\n%s", where, err, out)
		}
	}
	if status, out, errs := call("", "map", "nothing.py:3", top); status != 1 || out != "" || strings.Count(errs, "nothing in nothing.py was traced") != 2 {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
	if status, out, errs := call("", "guards", "named", top); status != 0 || !strings.HasPrefix(out, "=== rank_1 ===\n") || !strings.Contains(errs, "rank_0: ") {
		t.Errorf("guards: status %d, %q, %q", status, out, errs)
	}
}

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
	status, out, errs := call("", "map", "toy_example.py:999", recorded)
	want := "nothing is known of toy_example.py:999; the nearest line of which something is known: toy_example.py:"
	if status != 1 || out != "" || !strings.Contains(errs, want) {
		t.Errorf("a line that nothing is known of: status %d, %q, %q", status, out, errs)
	}
	if status, _, _ := call("", "map", recorded); status != 2 {
		t.Errorf("no subject: status %d", status)
	}
}
