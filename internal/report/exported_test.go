package report

import (
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// A session of torch.export alone says what was exported, and why what was not was not: it is no empty one.
func TestExports(t *testing.T) {
	s, dir := session(t, nil)
	net := map[string]any{"name": "Net", "file": "/project/a.py", "line": int64(3), "strict": true, "begins": true}
	ended := func(of map[string]any, more map[string]any) map[string]any {
		for k, v := range of {
			if k != "begins" {
				more[k] = v
			}
		}
		return more
	}
	send(t, s, "export", net)
	send(t, s, "graph", map[string]any{"compile_id": "0/0", "graph": "__compiled_fn_1", "stage": "Captured_Graph", "text": "def forward(self, x):\n    return (x,)\n"})
	send(t, s, "graph", map[string]any{
		"graph": nil, "stage": explain.StageExported,
		"text": "def forward(self, p_w, x):\n    # File: /project/a.py:4 in forward, code: return x.sin() + self.w\n    sin = x.sin()\n    add = sin + p_w\n    return (add,)\n",
	})
	send(t, s, "export", ended(net, map[string]any{
		"seconds": 1.25, "ranges": []any{[]any{"s0", "2", "64"}, []any{"s1", "0", "int_oo"}},
		"inputs":  []any{[]any{"PARAMETER", "p_w", "w"}, []any{"USER_INPUT", "x", ""}},
		"outputs": []any{[]any{"USER_OUTPUT", "add", ""}, []any{"BUFFER_MUTATION", "b", "count"}},
	}))
	bad := map[string]any{"name": "Bad", "file": "/project/a.py", "line": int64(9), "strict": false, "begins": true}
	send(t, s, "export", bad)
	send(t, s, "export", ended(bad, map[string]any{
		"seconds": 0.5, "error_type": "UserError", "error": "It depends on data\nMore of it.",
		"error_stack": []any{map[string]any{"filename": "/project/a.py", "line": int64(10), "name": "forward"}},
	}))
	if _, err := s.End(nil); err != nil {
		t.Fatal(err)
	}
	m, err := explain.Replay(dir)
	if err != nil {
		t.Fatal(err)
	}
	brief := ""
	for _, x := range InBrief(answers.For(explain.Link(m))) {
		brief += x.Markdown(2)
	}
	index, _ := os.ReadFile(filepath.Join(dir, indexName))
	page, _ := os.ReadFile(filepath.Join(dir, htmlName))
	shown := strings.NewReplacer("<code>", "`", "</code>", "`", "<b>", "**", "</b>", "**").Replace(regexp.MustCompile(`</?a\b[^>]*>`).ReplaceAllLiteralString(html.UnescapeString(string(page)), ""))
	for where, text := range map[string]string{"index.md": string(index), "the page": shown, "explain": brief} {
		for _, want := range []string{
			"1 program, to be saved or run elsewhere: no guard checks it, and nothing is compiled again. 1 call raised.",
			"**Net** (a.py:3), traced by Dynamo (`strict=True`), 1.2 s: graph `exported_Net_0`, 2 operations",
			"takes `x`, and 1 of the module's own (parameters, buffers, constants); returns `add`, and 1 that change the module or its inputs",
			"size `s0` may be 2 to 64",
			"size `s1` may be 0 or more",
			"**Bad** (a.py:9), by running it (`strict=False`), 0.5 s: raised `UserError`",
			"torch.export of `Bad` (a.py:9) raised `UserError`",
			"It depends on data (a.py:10)",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q", where, want)
			}
		}
		if strings.Contains(text, "while depyf watched") || strings.Contains(text, "Nothing failed") {
			t.Errorf("%s calls the session empty", where)
		}
	}
	if !strings.Contains(string(index), "| `__compiled_fn_1` | torch.export of Net (a.py:3) |") {
		t.Errorf("the graph on the way to the export is not called that:\n%s", index)
	}
	if !strings.Contains(string(page), `<section id="exported"><h2>Graphs of exported programs</h2>`) || strings.Contains(string(page), `id="others"`) {
		t.Error("the page does not show the graphs as those of exports")
	}
	sameFolder(t, dir)
}
