package report

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/browser"
	"github.com/thuml/depyf/internal/explain"
)

// packedSession is the dump folder of a real program's session, of those in testdata/pages.
func packedSession(t *testing.T, name string) string {
	t.Helper()
	z, err := zip.OpenReader(filepath.Join("..", "..", "testdata", "pages", name+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	in := t.TempDir()
	if err := os.CopyFS(in, z); err != nil {
		t.Fatal(err)
	}
	m, err := explain.Replay(in)
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	if _, err := Write(m, in, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// deep makes a session of one function whose graph, guards and kernels are those of n layers that are alike, as large as those of a
// transformer's training step with Inductor: for each layer some forty operations, a hundred guards and six C++ kernels of 2 kB.
func deep(t *testing.T, n int) string {
	t.Helper()
	s, dir := session(t, nil)
	var graph, code, calls strings.Builder
	graph.WriteString("class GraphModule(torch.nn.Module):\n    def forward(self, x):\n")
	code.WriteString("# AOT ID: ['0_forward']\n")
	body := strings.Repeat("    for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(512L); x0+=static_cast<int64_t>(8L))\n", 20)
	var guards []any
	for i := range n {
		for j := range 40 {
			fmt.Fprintf(&graph, "        # File: /project/a.py:%d in forward, code: x = self.part%d(x)\n        part%d_%d = torch.ops.aten.part%d(x, %d)\n", 3+j%10, j%10, i, j, j%10, i)
		}
		for j := range 6 {
			fmt.Fprintf(&code, "cpp_fused_part_%d_%d = async_compile.cpp_pybinding(['float*'], r'''\n%s''')\n", i, j, body)
			fmt.Fprintf(&calls, "    cpp_fused_part_%d_%d(buf%d)\n", i, j, i)
		}
		for j := range 100 {
			guards = append(guards, map[string]any{"text": fmt.Sprintf("___check_type_id(L['self']._modules['blocks']._modules['%d'].part%d, 94000000)", i, j), "source": "L['self']", "fail_count": int64(0)})
		}
	}
	graph.WriteString("        return (x,)\n")
	source := "def forward(self, x):\n    for block in self.blocks:\n"
	for j := range 10 {
		source += fmt.Sprintf("        x = self.part%d(x)\n", j)
	}
	send(t, s, "graph", map[string]any{"compile_id": "0/0", "graph": "__compiled_fn_1", "stage": "Captured_Graph", "text": graph.String()})
	send(t, s, "graph", map[string]any{"compile_id": "0/0", "graph": "__compiled_fn_1", "stage": "AFTER_POST_GRAD", "text": graph.String()})
	send(t, s, "bytecode", map[string]any{
		"compile_id": "0/0", "key": "k", "old_key": "c", "func": "forward", "source_file": "/project/a.py", "source_line": int64(1), "source": source,
		"old": codeObject("forward", 2), "new": codeObject("forward", 2, "__compiled_fn_1"),
	})
	send(t, s, "global", map[string]any{"key": "k", "name": "__compiled_fn_1", "kind": "graph", "graph": "__compiled_fn_1"})
	send(t, s, "kernel", map[string]any{"compile_id": "0/0", "graph": "__compiled_fn_1", "language": "python", "text": code.String() + "def call(args):\n" + calls.String()})
	send(t, s, "guards", map[string]any{"key": "c", "entries": []any{map[string]any{"compile_id": "0/0", "key": "k", "order": int64(0), "parts": guards}}})
	if _, err := s.End(nil); err != nil {
		t.Fatal(err)
	}
	return dir
}

// hostile makes a session of a program that has markup wherever it can: names, files, source, texts of graphs and kernels, reasons, errors.
func hostile(t *testing.T) string {
	t.Helper()
	nth := 0
	evil := func() string {
		nth++
		return fmt.Sprintf(`</pre></code></script></style></title><script>window.pwned=%d</script><img src=x onerror="window.pwned=%d"><svg onload='window.pwned=%d'>`, nth, nth, nth)
	}
	s, dir := session(t, map[string]any{"argv": []any{evil() + ".py"}, "torch": evil()})
	file, name := "/project/"+strings.ReplaceAll(evil(), "/", "")+".py", evil()
	for i := range 2 {
		id := fmt.Sprintf("0/%d", i)
		send(t, s, "trace", map[string]any{"compile_id": id, "envelope": fmt.Sprintf(`{"artifact": {"name": "dynamo_graph_break_reason"}, "frame_id": 0, "frame_compile_id": %d}`, i), "payload": fmt.Sprintf(
			"Graph break in user code at %s:2\nGraph Break Reason: %s\n  Explanation: %s\n  Hint: %s\n\nUser code traceback:\n  File \"%s\", line 2, in %s\n    %s\n", file, evil(), evil(), evil(), file, name, evil())})
		if i > 0 {
			send(t, s, "trace", map[string]any{"compile_id": id, "envelope": `{"artifact": {"name": "recompile_reasons"}, "frame_id": 0, "frame_compile_id": 1}`, "payload": `["0/0: L['key'] == '` + strings.ReplaceAll(evil(), `"`, `\"`) + `'"]`})
		}
		for _, stage := range []string{"Captured_Graph", "AFTER_POST_GRAD"} {
			send(t, s, "graph", map[string]any{"compile_id": id, "graph": fmt.Sprintf("__compiled_fn_%d", i), "stage": stage, "text": fmt.Sprintf("# %s\ndef forward(self, x):\n    # File: %s:2 in f, code: %s\n    y = %q\n    return (y,)\n", evil(), file, evil(), evil())})
		}
		send(t, s, "kernel", map[string]any{"compile_id": id, "graph": fmt.Sprintf("__compiled_fn_%d", i), "language": "python", "text": "# " + evil() + "\ndef call(args):\n    return '''" + evil() + "\n'''\n"})
		old, made := codeObject(name, 1), codeObject(name, 1, fmt.Sprintf("__compiled_fn_%d", i))
		old.Filename = file
		send(t, s, "bytecode", map[string]any{
			"compile_id": id, "key": fmt.Sprint("k", i), "old_key": "c", "func": name, "source_file": file, "source_line": int64(1),
			"source": "def f(x):\n    print(\"" + evil() + "\")\n    return x  # " + evil() + "\n", "old": old, "new": made,
		})
	}
	parts := []any{map[string]any{"text": "L['" + evil() + "'] == '" + evil() + "'", "source": evil(), "fail_count": int64(1)}}
	send(t, s, "guards", map[string]any{"key": "c", "entries": []any{
		map[string]any{"compile_id": "0/0", "key": "k0", "order": int64(0), "parts": parts}, map[string]any{"compile_id": "0/1", "key": "k1", "order": int64(1), "parts": parts},
	}})
	send(t, s, "outcome", map[string]any{"compile_id": "1/0", "func": evil(), "file": file, "line": int64(9), "raised": true, "error_type": evil(), "error": evil()})
	send(t, s, "raised", map[string]any{"block": true, "error_type": evil(), "error": evil()})
	send(t, s, "note", map[string]any{"text": evil()})
	send(t, s, "problem", map[string]any{"where": evil(), "error": evil(), "traceback": evil(), "lost": evil()})
	if _, err := s.End(nil); err != nil {
		t.Fatal(err)
	}
	return dir
}

// everyView is both widths in both themes.
var everyView = []browser.View{desk, phone, {Width: desk.Width, Height: desk.Height, Dark: true}, {Width: phone.Width, Height: phone.Height, Dark: true}}

// mostBusy is for how long, in seconds of a processor, a page may be busy until it can be read: some times what is promised of a good machine.
const mostBusy = 3

// The pages of real and of large programs, in both themes and widths: nothing goes wrong, nothing is asked for or executed, nobody scrolls sideways on a
// phone, and they are of bounded size and soon there.
func TestRealPagesInBrowser(t *testing.T) {
	b := browser.OfTests(t)
	for _, c := range []struct {
		name string
		dir  string
		most int64 // bytes
		has  []string
	}{
		{"breaks", packedSession(t, "breaks"), 1_000_000, []string{"Lines that break the graph", "helpers.py:", "Why code was compiled again"}},
		{"gpt2", packedSession(t, "gpt2"), 1_000_000, []string{"Your source", "modeling_gpt2.py"}},
		{"48 layers", deep(t, 48), 6_000_000, []string{"forward", "a.py"}},
		{"300 breaks", chain(t, 300), 1_500_000, []string{"300 lines break the graph"}},
		{"hostile", hostile(t), 1_000_000, []string{"<script>window.pwned="}},
	} {
		info, err := os.Stat(filepath.Join(c.dir, htmlName))
		if err != nil {
			t.Fatal(c.name, err)
		}
		if t.Logf("%s: %d bytes", c.name, info.Size()); info.Size() > c.most {
			t.Errorf("%s is larger than %d", c.name, c.most)
		}
		for i, view := range everyView {
			t.Run(fmt.Sprintf("%s, %d wide, dark %v", c.name, view.Width, view.Dark), func(t *testing.T) {
				p := tab(t, b, c.dir, view)
				if busy, err := p.Busy(); err != nil || busy > mostBusy {
					t.Errorf("the page takes %.1f s of a processor to open: %v", busy, err)
				} else {
					t.Logf("%.2f s", busy)
				}
				text := ask[string](t, p, "document.body.textContent")
				for _, want := range c.has {
					if !strings.Contains(text, want) {
						t.Errorf("no %q", want)
					}
				}
				sideways(t, p, view)
				if i == 0 || i == 3 || c.name == "hostile" { // else it is seen with its folds closed
					if left := ask[int](t, p, openAll); left > 0 {
						t.Errorf("%d texts are not there", left)
					}
					sideways(t, p, view)
				}
				if run := ask[string](t, p, `typeof window.pwned + " " + document.title`); run != "undefined What torch.compile did" {
					t.Errorf("something of the program's was executed: %s", run)
				}
			})
		}
	}
}

// sideways says what a reader has to scroll sideways for: on a phone nothing, on a desk no more than what is wide by itself.
func sideways(t *testing.T, p *browser.Page, view browser.View) {
	t.Helper()
	if wide := ask[[]string](t, p, tooWide); len(wide) > 0 && (view.Width < 600 || !strings.HasPrefix(wide[0], "in ")) {
		t.Errorf("a reader has to scroll sideways: %q", wide)
	}
}

// On a page of a real program the chart and the filter lead to their places.
func TestClicksOnARealPage(t *testing.T) {
	p := tab(t, browser.OfTests(t), packedSession(t, "breaks"), desk)
	bad := ask[[]string](t, p, `(async () => {
		const out = [], links = [...document.querySelectorAll(".chart a")];
		if (links.length < 5) out.push("only " + links.length + " links in charts");
		for (const a of links.slice(0, 40)) {
			const href = a.getAttribute("href") || a.getAttributeNS("http://www.w3.org/1999/xlink", "href");
			a.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true, view: window}));
			await `+settled+`;
			const e = document.getElementById(decodeURIComponent(href.slice(1))), box = e && e.getBoundingClientRect();
			if (!e || !e.getClientRects().length || box.bottom < 0 || box.top > innerHeight) out.push(href);
		}
		return out;
	})()`)
	if len(bad) > 0 {
		t.Errorf("clicks in the chart lead nowhere: %q", bad)
	}
	for _, err := range []error{p.Key("/"), p.Type("helpers.py"), p.Do(settled, nil), p.Do(settled, nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	shown := ask[[]string](t, p, `[...document.querySelectorAll("[data-f]")].filter(e => e.getClientRects().length).map(e => e.textContent)`)
	all := ask[int](t, p, `document.querySelectorAll("[data-f]").length`)
	if len(shown) == 0 || len(shown) >= all {
		t.Errorf("%d of %d things are shown", len(shown), all)
	}
}

// The page of several ranks leads to their reports, and is read like any other.
func TestPageOfRanksInBrowser(t *testing.T) {
	top := t.TempDir()
	for rank := range 4 {
		s, _ := session(t, map[string]any{"dir": filepath.Join(top, fmt.Sprintf("rank_%d", rank)), "rank": int64(rank), "run": "r"})
		for i := range 1 + rank/3 {
			id := fmt.Sprintf("0/%d", i)
			send(t, s, "bytecode", map[string]any{"compile_id": id, "key": fmt.Sprint("k", i), "old_key": "c", "func": "step", "source_file": "/project/a.py", "source_line": int64(1), "source": "def step(x):\n    return x\n", "old": codeObject("step", 1), "new": codeObject("step", 1)})
		}
		if rank == 2 {
			send(t, s, "trace", map[string]any{"compile_id": "0/0", "envelope": `{"artifact": {"name": "dynamo_graph_break_reason"}, "frame_id": 0, "frame_compile_id": 0}`, "payload": "Graph break in user code at /project/a.py:2\nGraph Break Reason: It prints </li><script>window.pwned=1</script>\n"})
		}
		if _, err := s.End(nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := processes(top); err != nil {
		t.Fatal(err)
	}
	b := browser.OfTests(t)
	for _, view := range everyView {
		p, err := b.Open(filepath.Join(top, processesHTMLName), view)
		if err != nil {
			t.Fatal(err)
		}
		sideways(t, p, view)
		text := ask[string](t, p, "document.body.innerText")
		for _, want := range []string{"rank_0", "rank_3", "only rank_2", "a.py:2", "seconds of compiling"} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%.2000s", want, text)
			}
		}
		if n := ask[int](t, p, `[...document.querySelectorAll("a[href]")].filter(a => /rank_\d\/report\.html/.test(a.getAttribute("href"))).length`); n < 4 {
			t.Errorf("%d links to reports", n)
		}
		if run := ask[string](t, p, "typeof window.pwned"); run != "undefined" {
			t.Error("something of the program's was executed")
		}
		for _, s := range p.Problems() {
			t.Errorf("in the page: %s", s)
		}
	}
}
