package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The language server in a real editor: marks, hover, "go to definition", lenses, and an edit.
func TestNeovim(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("NOT RUN: there is no Neovim; the language server is not tried in an editor")
	}
	top := t.TempDir()
	dumpOf(t, "torch215_joined_inductor", filepath.Join(top, "dump"))
	script, err := filepath.Abs(filepath.Join("testdata", "neovim.lua"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, nvim, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", "luafile "+script)
	seenIn, home := filepath.Join(top, "seen.json"), t.TempDir()
	cmd.Env = append(os.Environ(), "DEPYF="+built(t), "FOLDER="+top, "SEEN="+seenIn,
		"PROGRAM="+sourceIn(t, "torch215_joined_inductor", "toy_example.py", top),
		"HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home, "XDG_STATE_HOME="+home, "XDG_CACHE_HOME="+home)
	out, err := cmd.CombinedOutput()
	data, _ := os.ReadFile(seenIn) // without it the output of Neovim says why
	if err != nil {
		t.Fatalf("%v: %s\n%s", err, data, out)
	}
	type mark struct {
		Line, From, To int
		Text, Source   string
	}
	var seen struct {
		Marks  []mark
		Hover  string
		Places []struct {
			File string
			Line int
			Text string
		}
		Lenses []struct {
			Line  int
			Title string
		}
		Opened, Changed string
	}
	if err := json.Unmarshal(data, &seen); err != nil {
		t.Fatalf("%v: %s\n%s", err, data, out)
	}
	if m := seen.Marks; len(m) != 1 || m[0].Line != 7 || m[0].From != 4 || m[0].To != len("    if b.sum() < 0:") || m[0].Source != "depyf" || !strings.HasPrefix(m[0].Text, "graph break here: Data-dependent branching") {
		t.Errorf("marks: %+v", m)
	}
	if !strings.Contains(seen.Hover, "graph break here: Data-dependent branching") {
		t.Errorf("hover: %s", seen.Hover)
	}
	wants := map[string]string{"__transformed_code_0_for_toy_example.py": "__compiled_fn_1(a, b)", "__compiled_fn_1.Captured_Graph.0.py": "torch.abs(", "__compiled_fn_1.kernel_0.py": "cpp_fused_abs_add_div_lt_sum_0"}
	for _, p := range seen.Places {
		if want := wants[p.File]; strings.Contains(p.Text, want) {
			delete(wants, p.File)
		}
	}
	if len(wants) > 0 {
		t.Errorf("not led to %v, but to %+v", wants, seen.Places)
	}
	if l := seen.Lenses; len(l) != 4 || l[0].Title != "1 version" || l[0].Line != 4 || l[1].Title != "transformed code" {
		t.Errorf("lenses: %+v", l)
	}
	if seen.Opened != "__transformed_code_0_for_toy_example.py" || !strings.HasPrefix(seen.Changed, "this file has changed since it was compiled") {
		t.Errorf("opened %s; changed: %s", seen.Opened, seen.Changed)
	}
}
