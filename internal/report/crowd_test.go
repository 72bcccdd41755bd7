package report

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// layers makes a session of n functions that each break once, for one reason, and one
// that breaks for another.
func layers(t *testing.T, n int) (dir string) {
	t.Helper()
	s, dir := session(t, nil)
	settings := strings.Repeat("torch.some.setting = True\n", 1000)
	for i := range n {
		name, reason := fmt.Sprintf("layer%d", i), "CALL: a function call"
		if i == n/2 {
			reason = "LOAD_ATTR: something else"
		}
		graph, resume := fmt.Sprintf("__compiled_fn_%d", 2*i), fmt.Sprintf("__resume_at_%d_%d", 8, i)
		first, second := fmt.Sprintf("%d/0", 2*i), fmt.Sprintf("%d/0", 2*i+1)
		trace := func(envelope map[string]any, payload any) {
			envelope["frame_id"], envelope["frame_compile_id"] = 2*i, 0
			text, _ := json.Marshal(envelope)
			fields := map[string]any{"envelope": string(text), "payload": payload}
			if i == 0 {
				fields["settings"] = map[string]any{"x_config": settings}
			}
			send(t, s, "trace", fields)
		}
		trace(map[string]any{"dynamo_start": map[string]any{"stack": []any{map[string]any{"line": 10 * i, "name": name, "filename": "/project/a.py"}}}}, nil)
		trace(map[string]any{"artifact": map[string]any{"name": "dynamo_graph_break_reason"}},
			fmt.Sprintf("Graph break in user code at /project/a.py:%d\nGraph Break Reason: %s\n  Explanation: no way to trace it\n  Hint: do without\n\nUser code traceback:\n  File \"/project/a.py\", line %d, in %s\n    print(%d)\n", 10*i+2, reason, 10*i+2, name, i))
		send(t, s, "graph", map[string]any{"compile_id": first, "graph": graph, "stage": "Captured_Graph", "text": "def forward(self):\n    return ()\n"})
		send(t, s, "bytecode", map[string]any{
			"compile_id": first, "key": "k" + name, "old_key": "c" + name, "func": name, "source_file": "/project/a.py", "source_line": int64(10 * i),
			"old": codeObject(name, 1), "new": codeObject(name, 1, graph, resume),
		})
		rest := codeObject("torch_dynamo_resume_in_"+name+"_at_2", 1)
		send(t, s, "bytecode", map[string]any{
			"compile_id": second, "key": "r" + name, "old_key": "d" + name, "func": rest.Name, "is_resume": true, "old": rest, "new": rest,
		})
		send(t, s, "global", map[string]any{"key": "k" + name, "name": graph, "kind": "graph", "graph": graph})
		send(t, s, "global", map[string]any{"key": "k" + name, "name": resume, "kind": "resume", "resume_key": "d" + name})
		var parts []any
		for j := range 60 {
			parts = append(parts, map[string]any{"text": fmt.Sprintf("___check_type_id(L['self'].part%d, 94%06d)", j, i), "source": "L['self']", "fail_count": int64(0)})
		}
		send(t, s, "guards", map[string]any{"key": "c" + name, "entries": []any{map[string]any{"compile_id": first, "key": "k" + name, "order": int64(0), "parts": parts}}})
	}
	if _, err := s.End(nil); err != nil {
		t.Fatal(err)
	}
	return dir
}

func folderSize(t *testing.T, dir string) (files int, bytes int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		files, bytes = files+1, bytes+info.Size()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, bytes
}

func TestManyFunctionsAlike(t *testing.T) {
	const n = 300
	dir := layers(t, n)
	data, err := os.ReadFile(filepath.Join(dir, indexName))
	if err != nil {
		t.Fatal(err)
	}
	index := string(data)
	if len(index) > 90_000 {
		t.Errorf("the index has %d bytes", len(index))
	}
	// The first of each kind has a section, with what helps, and above it is said of each cause; the others have a line.
	if got := strings.Count(index, "hint: do without"); got != 4 {
		t.Errorf("%d hints", got)
	}
	for _, want := range []string{"## `layer0`\n", "## `layer150`\n", "LOAD_ATTR: something else", "## 298 more functions like these\n", "`__compiled_fn_598`"} {
		if !strings.Contains(index, want) {
			t.Errorf("the index lacks %q", want)
		}
	}
	for i := range n {
		if want := fmt.Sprintf("(full_code_for_layer%d_0.py)", i); !strings.Contains(index, want) {
			t.Fatalf("the index lacks %s", want)
		}
		if want := fmt.Sprintf("a.py:%d `print(%d)`", 10*i+2, i); !strings.Contains(index, want) {
			t.Fatalf("the index lacks %s", want)
		}
	}
	// A function has its code, its resume function's, its graph and full_code; the rest are six files.
	files, size := folderSize(t, dir)
	if files > 4*n+6 || size > 16_000_000 {
		t.Errorf("%d files, %d bytes", files, size)
	}
	pack, err := os.Stat(filepath.Join(dir, ".blobs", "pack"))
	if err != nil || pack.Size() > 800_000 {
		t.Errorf("the blobs: %v, %v", pack.Size(), err)
	}
	sameFolder(t, dir)
}

func TestFewFunctionsAlike(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(layers(t, 5), indexName))
	if err != nil {
		t.Fatal(err)
	}
	index := string(data)
	for i := range 5 {
		for _, want := range []string{fmt.Sprintf("## `layer%d`\n", i), fmt.Sprintf("[`__transformed_code_0_for_layer%d.py`]", i)} {
			if !strings.Contains(index, want) {
				t.Errorf("the index lacks %q", want)
			}
		}
	}
	if got := strings.Count(index, "as at a.py:2 `print(0)`"); got != 3 {
		t.Errorf("%d times: %s", got, index)
	}
}

func TestCommon(t *testing.T) {
	for _, c := range []struct{ want, a, b string }{
		{"same", "same", "same"},
		{"f (a.py:…) in", "f (a.py:10) in", "f (a.py:2) in"},
		{"aa…", "aa", "aaa"},
		{"…", "x", "y"},
	} {
		if got := common([]string{c.a, c.b}); got != c.want {
			t.Errorf("common(%q, %q) = %q, want %q", c.a, c.b, got, c.want)
		}
	}
	if got := pattern([]string{"__compiled_fn_2.Captured_Graph.0.py", "__compiled_fn_18.Captured_Graph.0.py"}); got != "__compiled_fn_*.Captured_Graph.0.py" {
		t.Errorf("got %s", got)
	}
}
