package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/browser"
	"github.com/thuml/depyf/internal/explain"
)

func TestMain(m *testing.M) { os.Exit(browser.Main(m)) }

// tab opens the page of a dump folder; what goes wrong in it fails the test.
func tab(t *testing.T, b *browser.Browser, dir string, v browser.View) *browser.Page {
	t.Helper()
	p, err := b.Open(filepath.Join(dir, htmlName), v)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, s := range p.Problems() {
			t.Errorf("in the page: %s", s)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// ask evaluates an expression in the page.
func ask[T any](t *testing.T, p *browser.Page, script string) T {
	t.Helper()
	var out T
	if err := p.Do(script, &out); err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return out
}

// settled lets the page do what an event has begun.
const settled = `new Promise(r => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => r(true))), 100))`

// openAll opens what is folded until nothing is, and waits for the texts.
const openAll = `(async () => {
	for (let n = -1, closed; (closed = document.querySelectorAll("details:not([open])")).length && closed.length !== n; n = closed.length) {
		closed.forEach(d => { d.open = true });
		await ` + settled + `;
	}
	for (let i = 0; i < 100 && [...document.querySelectorAll("[data-t] > pre")].some(p => !p.firstChild); i++) await ` + settled + `;
	return document.querySelectorAll("[data-t]:not([data-done])").length;
})()`

var (
	desk  = browser.View{Width: 1440, Height: 900}
	phone = browser.View{Width: 390, Height: 844}
)

// written is a recorded session's dump folder.
func written(t *testing.T, name string) string {
	t.Helper()
	m, err := explain.Replay(filepath.Join(sessions, name))
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	if _, err := Write(m, filepath.Join(sessions, name), out); err != nil {
		t.Fatal(err)
	}
	return out
}

// chain makes a session of one function that breaks n times in a row.
func chain(t *testing.T, n int) (dir string) {
	t.Helper()
	s, dir := session(t, nil)
	text := "def a_function_that_breaks_many_times(x):\n"
	for i := range n {
		text += fmt.Sprintf("    x = x.sin() + %d\n    torch._dynamo.graph_break()\n", i)
	}
	name := func(i int) string {
		if i == 0 {
			return "a_function_that_breaks_many_times"
		}
		return fmt.Sprintf("torch_dynamo_resume_in_a_function_that_breaks_many_times_at_%d", 2*i+1)
	}
	for i := range n {
		id, graph, resume := fmt.Sprintf("%d/0", i), fmt.Sprintf("__compiled_fn_%d", i), fmt.Sprintf("__resume_at_%d_%d", 2*i, i+1)
		envelope, _ := json.Marshal(map[string]any{"artifact": map[string]any{"name": "dynamo_graph_break_reason"}, "frame_id": i, "frame_compile_id": 0})
		send(t, s, "trace", map[string]any{"envelope": string(envelope), "payload": fmt.Sprintf(
			"Graph break in user code at /project/a.py:%d\nGraph Break Reason: a print\n  Explanation: no way to trace it\n  Hint: do without\n\nUser code traceback:\n  File \"/project/a.py\", line %d, in many\n    torch._dynamo.graph_break()\n", 2*i+3, 2*i+3)})
		send(t, s, "graph", map[string]any{"compile_id": id, "graph": graph, "stage": "Captured_Graph", "text": fmt.Sprintf("def forward(self, x):\n    # File: /project/a.py:%d in many, code: x = x.sin() + %d\n    sin = x.sin()\n    return (sin,)\n", 2*i+2, i)})
		made, old := codeObject(name(i), 1, graph, resume), codeObject(name(i), 1)
		old.FirstLine = 2*i + 1
		event := map[string]any{"compile_id": id, "key": "k" + name(i), "old_key": "c" + name(i), "func": name(i), "old": old, "new": made}
		if i == 0 {
			event["source_file"], event["source_line"], event["source"] = "/project/a.py", int64(1), text
		} else {
			event["is_resume"] = true
		}
		send(t, s, "bytecode", event)
		send(t, s, "global", map[string]any{"key": "k" + name(i), "name": graph, "kind": "graph", "graph": graph})
		send(t, s, "global", map[string]any{"key": "k" + name(i), "name": resume, "kind": "resume", "resume_key": "c" + name(i+1)})
	}
	if _, err := s.End(nil); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Every recorded session's page, and that of many graph breaks: nothing goes wrong, nothing is asked for, and on
// no screen has a reader to scroll sideways, whatever is opened.
func TestPagesInBrowser(t *testing.T) {
	b := browser.OfTests(t)
	dirs := map[string]string{"chain": chain(t, 40), "layers": layers(t, 30)}
	list, err := os.ReadDir(sessions)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		dirs[d.Name()] = written(t, d.Name())
	}
	for name, dir := range dirs {
		for _, view := range []browser.View{desk, {Width: phone.Width, Height: phone.Height, Dark: true}} {
			t.Run(fmt.Sprintf("%s, %d wide", name, view.Width), func(t *testing.T) {
				p := tab(t, b, dir, view)
				for _, state := range []string{"at first", "opened"} {
					if wide := ask[[]string](t, p, tooWide); len(wide) > 0 && (view.Width < 600 || !strings.HasPrefix(wide[0], "in ")) {
						t.Errorf("%s a reader has to scroll sideways: %q", state, wide)
					}
					if left := ask[int](t, p, openAll); left > 0 {
						t.Errorf("%d texts are not there", left)
					}
				}
			})
		}
	}
}

// tooWide lists what is wider than its place: the page, and what scrolls by itself.
const tooWide = `(() => {
	const out = [], page = document.scrollingElement;
	if (page.scrollWidth > document.documentElement.clientWidth) out.push("the page: " + page.scrollWidth);
	document.querySelectorAll("pre, .chart, .guards, table").forEach(e => {
		if (e.getClientRects().length && e.scrollWidth > e.clientWidth + 1) out.push("in " + e.tagName + "." + e.className + ": " + e.scrollWidth + " > " + e.clientWidth);
	});
	return out;
})()`

// Each link on the page leads to something that can be seen then.
func TestLinksReachTheirPlace(t *testing.T) {
	b := browser.OfTests(t)
	for name, dir := range map[string]string{"chain": chain(t, 12), "toy": written(t, "torch215_toy_inductor"), "limit": written(t, "torch215_limit_eager")} {
		p := tab(t, b, dir, desk)
		bad := ask[[]string](t, p, `(async () => {
			const out = [], all = [...new Set([...document.querySelectorAll('a[href^="#"]')].map(a => a.getAttribute("href")))];
			if (all.length < 5) out.push("only " + all.length + " links");
			for (const href of all) {
				document.querySelectorAll("main details").forEach(d => { d.open = false });
				location.hash = href;
				await `+settled+`;
				const e = document.getElementById(href.slice(1)), box = e && e.getBoundingClientRect();
				if (!e || !e.getClientRects().length || box.bottom < 0 || box.top > innerHeight) out.push(href);
			}
			return out;
		})()`)
		if len(bad) > 0 {
			t.Errorf("%s: these links lead nowhere: %q", name, bad)
		}
		// What the answers name is a link wherever it is shown.
		if n := ask[int](t, p, `[...document.querySelectorAll(".answer#breaks li > b")].filter(b => !b.querySelector("a")).length`); n > 0 {
			t.Errorf("%s: %d broken lines lead nowhere", name, n)
		}
	}
}

// The filter leaves what has the words and says how many there are; Escape takes it away.
func TestFilter(t *testing.T) {
	p := tab(t, browser.OfTests(t), chain(t, 40), desk)
	const visible = `[...document.querySelectorAll("[data-f]")].filter(e => e.getClientRects().length).length`
	before := ask[int](t, p, visible)
	// By the keyboard alone: "/" goes to the filter.
	for _, err := range []error{p.Key("/"), p.Type("a.py:27"), p.Do(settled, nil), p.Do(settled, nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if id := ask[string](t, p, "document.activeElement.id"); id != "filter" {
		t.Errorf("the focus is at %q", id)
	}
	shown := ask[[]string](t, p, `[...document.querySelectorAll("[data-f]")].filter(e => e.getClientRects().length).map(e => e.textContent)`)
	if len(shown) < 2 || len(shown) > 6 {
		t.Errorf("%d things are shown", len(shown))
	}
	for _, s := range shown {
		if !strings.Contains(s, "a.py:27") && !strings.Contains(s, "line 27") {
			t.Errorf("shown: %.200s", s)
		}
	}
	if said := ask[string](t, p, `document.querySelector(".filter small").textContent`); !strings.HasPrefix(said, fmt.Sprint(len(shown))+" of ") {
		t.Errorf("%d are shown, and the page says %q", len(shown), said)
	}
	if err := p.Key("Escape"); err != nil {
		t.Fatal(err)
	}
	if after := ask[int](t, p, visible); after != before {
		t.Errorf("%d things were shown before, %d are after", before, after)
	}
}

// Enter behind a place in the source leads there, and keeps what became of the line.
func TestFilterLeadsToALine(t *testing.T) {
	p := tab(t, browser.OfTests(t), written(t, "torch215_toy_inductor"), desk)
	const said = `document.querySelector(".filter small").textContent`
	for _, step := range []struct {
		do   func() error
		want string // in what the page says beside the filter
	}{
		{func() error { return p.Key("/") }, ""},
		{func() error { return p.Type("toy_example.py:5") }, "; Enter goes to the line"},
		{func() error { return p.Key("Enter") }, ""},
	} {
		for _, err := range []error{step.do(), p.Do(settled, nil), p.Do(settled, nil)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := ask[string](t, p, said); !strings.HasSuffix(got, step.want) || (step.want == "") != (got == "") {
			t.Errorf("the page says %q, not %q", got, step.want)
		}
	}
	got := ask[string](t, p, `(() => {
		const line = document.querySelector(".left .l.hit"), box = line.getBoundingClientRect();
		return line.dataset.s + (box.top >= 0 && box.bottom <= innerHeight ? " is seen" : " is not seen");
	})()`)
	if got != "toy_example.py:5 is seen" {
		t.Error(got)
	}
}

// The texts that are unpacked are those of the files, line for line, with the lines of the user that theirs are from.
func TestTextsInBrowser(t *testing.T) {
	dir := written(t, "torch215_toy_inductor")
	p := tab(t, browser.OfTests(t), dir, desk)
	ask[int](t, p, openAll)
	seen := ask[map[string]string](t, p, `Object.fromEntries([...document.querySelectorAll(".graph [data-t]")].map(d =>
		[d.closest(".graph").querySelector("code").textContent + "." + d.querySelector("summary").firstChild.textContent.trim(),
		[...d.querySelectorAll("pre .l")].map(e => e.textContent).join("")]))`)
	if len(seen) < 5 {
		t.Errorf("only %d texts", len(seen))
	}
	for label, text := range seen {
		name, _, _ := strings.Cut(label, " ")
		data, err := os.ReadFile(filepath.Join(dir, name+".py"))
		if err != nil {
			t.Fatal(err)
		}
		if strings.TrimRight(text, "\n") != strings.TrimRight(string(data), "\n") {
			t.Errorf("%s is not what the file has", label)
		}
	}
	if n := ask[int](t, p, `document.querySelectorAll(".fold:not([open])").length`); n != 0 {
		t.Errorf("%d folds do not open", n)
	}
	if n := ask[int](t, p, `[...document.querySelectorAll(".fold > summary")].filter(s => s.textContent.endsWith("imports")).length`); n == 0 {
		t.Error("the imports of kernels are not folded")
	}
	// A click on a line of the source keeps what became of it, and shows it in the other pane.
	kept := ask[int](t, p, `(() => {
		const line = [...document.querySelectorAll(".left [data-s]")].find(e => document.querySelectorAll('[data-s="' + e.dataset.s + '"]').length > 1);
		line.click();
		document.dispatchEvent(new MouseEvent("mouseover"));
		return document.querySelectorAll(".right .l.hit").length;
	})()`)
	if kept == 0 {
		t.Error("a click on a line shows nothing")
	}
}

// All that answers can be read without the script, and what folds can be opened.
func TestWithoutScript(t *testing.T) {
	dir := written(t, "torch215_toy_inductor")
	p := tab(t, browser.OfTests(t), dir, browser.View{Width: 1440, Height: 900, NoScript: true})
	text := ask[string](t, p, "document.body.innerText")
	for _, want := range []string{"1 line breaks the graph", "toy_example.py:7", "__resume_at_", "def __transformed_code_0_for_toy_example(a, b):", "Folded texts need the script"} {
		if !strings.Contains(text, want) {
			t.Errorf("without script there is no %q", want)
		}
	}
	if ask[bool](t, p, `!document.querySelector(".filter").hidden`) {
		t.Error("a filter that does nothing is shown")
	}
}

// Markup of the program's is text, and the policy keeps the page from asking for anything.
func TestPageIsSealed(t *testing.T) {
	dir := written(t, "torch215_toy_inductor")
	b := browser.OfTests(t)
	p, err := b.Open(filepath.Join(dir, htmlName), desk)
	if err != nil {
		t.Fatal(err)
	}
	blocked := ask[string](t, p, `new Promise(r => {
		document.addEventListener("securitypolicyviolation", e => r(e.violatedDirective));
		const i = new Image();
		i.src = "http://127.0.0.1:9/x.png";
		setTimeout(() => r("nothing"), 5000);
	})`)
	if blocked != "img-src" {
		t.Errorf("a picture from elsewhere: %s is violated", blocked)
	}
	if s := ask[string](t, p, `fetch("http://127.0.0.1:9/").then(() => "fetched", e => "refused")`); s != "refused" {
		t.Error(s)
	}
}

// The keyboard goes where a pointer does: summaries, links and what scrolls.
func TestKeyboard(t *testing.T) {
	p := tab(t, browser.OfTests(t), written(t, "torch215_toy_inductor"), desk)
	reached := map[string]bool{}
	for range 60 {
		if err := p.Key("Tab"); err != nil {
			t.Fatal(err)
		}
		reached[ask[string](t, p, `document.activeElement.tagName`)] = true
	}
	for _, tag := range []string{"A", "SUMMARY", "INPUT", "PRE"} {
		if !reached[tag] {
			t.Errorf("no %s is reached by the keyboard", tag)
		}
	}
	if err := p.Do(`document.querySelector("[data-t] > summary").focus()`, nil); err != nil {
		t.Fatal(err)
	}
	if err := p.Key("Enter"); err != nil {
		t.Fatal(err)
	}
	if n := ask[int](t, p, settled+`.then(() => document.querySelectorAll("[data-t] pre .l").length)`); n == 0 {
		t.Error("Enter on a fold shows no text")
	}
}

// Three hundred graph breaks are three screens at first, and a page of bounded size.
func TestManyBreaksAreFewScreens(t *testing.T) {
	dir := chain(t, 300)
	if info, err := os.Stat(filepath.Join(dir, htmlName)); err != nil || info.Size() > 1_500_000 {
		t.Errorf("%v, %d bytes", err, info.Size())
	}
	if info, err := os.Stat(filepath.Join(dir, indexName)); err != nil || info.Size() > 60<<10 {
		t.Errorf("index.md: %v, %d bytes", err, info.Size())
	}
	p := tab(t, browser.OfTests(t), dir, desk)
	if tall := ask[int](t, p, "document.scrollingElement.scrollHeight"); tall > 3*desk.Height {
		t.Errorf("the page is %d pixels high", tall)
	}
	small := tab(t, browser.OfTests(t), dir, phone)
	if tall := ask[int](t, small, `document.querySelector(".left").offsetHeight`); tall > phone.Height {
		t.Errorf("on a phone the source is %d pixels high: what comes after it is out of reach", tall)
	}
	// All of them have one text, and each is a break.
	if text := ask[string](t, p, "document.body.innerText"); !strings.Contains(text, "300 lines break the graph, 300 times in all") || !strings.Contains(text, "300 graph breaks") {
		t.Errorf("the breaks: %.600s", text)
	}
	if text := ask[string](t, p, `document.querySelector(".flow").textContent`); !strings.Contains(text, "… 297 more of this shape") {
		t.Errorf("the chart: %.300s", text)
	}
}

// On paper stand the answers and the source, without what only a reader at a screen can use.
func TestPrint(t *testing.T) {
	p := tab(t, browser.OfTests(t), written(t, "torch215_toy_inductor"), browser.View{Width: 800, Height: 1100, Print: true})
	if ask[bool](t, p, `["nav", ".chart"].some(s => document.querySelector(s).getClientRects().length)`) {
		t.Error("the contents or the chart are printed")
	}
	if text := ask[string](t, p, "document.body.innerText"); !strings.Contains(text, "1 line breaks the graph") || !strings.Contains(text, "def toy_example") {
		t.Error("the answers or the source are not printed")
	}
}

// A string over several lines is one string, line by line, up to its end or to where lines are left out.
func TestColoursOfStrings(t *testing.T) {
	p := tab(t, browser.OfTests(t), written(t, "torch215_toy_inductor"), desk)
	for _, c := range []struct{ lines, want string }{
		{"def f():|    \"\"\"This or that,|    if not|    both.\"\"\"|    return 'x'", `k:def s:"""This or that, s:    if not s:    both.""" k:return s:'x'`},
		{"r'''a|or''' + \"\" or \"\"\"b\"\"\"|if 1:", `s:r'''a s:or''' s:"" k:or s:"""b""" k:if n:1`},
		{"\"\"\"\"\"\"|not", `s:"""""" k:not`},
		{"'''a|⋯|not", `s:'''a k:not`},
		{"# don't '''|not", `c:# don't ''' k:not`},
	} {
		got := ask[string](t, p, fmt.Sprintf(`(async () => {
			const d = document.createElement("details"), pre = document.createElement("pre");
			pre.dataset.lang = "python";
			for (const line of %q.split("|")) {
				const e = document.createElement(line === "⋯" ? "small" : "span");
				e.className = line === "⋯" ? "gap" : "l";
				e.textContent = line + "\n";
				pre.append(e);
			}
			d.append(document.createElement("summary"), pre);
			document.body.append(d);
			d.open = true;
			await new Promise(r => setTimeout(r, 200));
			return [...pre.querySelectorAll("span:not(.l)")].map(e => e.className + ":" + e.textContent.replace("\n", "")).join(" ");
		})()`, c.lines))
		if got != c.want {
			t.Errorf("%q: got %s\nwant %s", c.lines, got, c.want)
		}
	}
}
