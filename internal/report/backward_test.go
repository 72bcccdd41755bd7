package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The version itself was compiled, and the error is another caller's: whoever asked for gradients.
func TestBackwardPassThatDoesNotCompile(t *testing.T) {
	s, dir := session(t, nil)
	send(t, s, "bytecode", map[string]any{
		"key": "k1", "old_key": "c1", "func": "f", "compile_id": "0/0", "old": codeObject("f", 1), "new": codeObject("f", 1),
		"source": "def f(x):\n    return x\n", "source_file": "/p/model.py", "source_line": int64(7),
	})
	metrics := func(kind, fields string) {
		send(t, s, "trace", map[string]any{
			"compile_id": "0/0", "envelope": `{"` + kind + `": {"co_name": "f", "co_filename": "/p/model.py", "co_firstlineno": 7, ` + fields + `}, "frame_id": 0, "frame_compile_id": 0}`,
		})
	}
	metrics("compilation_metrics", `"fail_type": null, "fail_reason": null`)
	metrics("bwd_compilation_metrics", `"fail_type": null, "fail_reason": null`)
	for range 2 {
		metrics("bwd_compilation_metrics", `"fail_type": "RuntimeError", "fail_reason": "no __backward__ here"`)
	}
	if _, err := s.End(nil); err != nil {
		t.Fatal(err)
	}
	index, _ := os.ReadFile(filepath.Join(dir, indexName))
	for _, want := range []string{
		"- Compiling a **backward pass raised an error** 2 times: see [below](#what-failed).",
		"- `f` (model.py:7), compile id 0/0: compiling its backward pass raised `RuntimeError`, 2 times: no \\__backward_\\_ here. Nothing ran instead: whoever asked for gradients got the error.",
	} {
		if !strings.Contains(string(index), want) {
			t.Errorf("%s is missing in:\n%s", want, index)
		}
	}
	if strings.Contains(string(index), "call raised") || strings.Contains(string(index), "runs as ordinary Python") {
		t.Errorf("a call is blamed:\n%s", index)
	}
	page, _ := os.ReadFile(filepath.Join(dir, htmlName))
	if !strings.Contains(string(page), "compiling its backward pass raised <code>RuntimeError</code>, 2 times: no __backward__ here") {
		t.Error("the page does not say it")
	}
	sameFolder(t, dir)
}
