package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/browser"
)

func dumped(t *testing.T, args ...string) (page, out string) {
	t.Helper()
	out = filepath.Join(t.TempDir(), "out.html")
	status, _, errs := call("", append([]string{"decompile", "-verify=false", "--dump-passes=" + out}, args...)...)
	if status != 0 || !strings.Contains(errs, "passes, ") {
		t.Fatalf("status %d: %s", status, errs)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(data), out
}

// TestDumpPasses writes a page for a file's own code and for one function in it.
func TestDumpPasses(t *testing.T) {
	file := filepath.Join("..", "..", "testdata", "dis", "3.12", "classes.pyc")
	page, _ := dumped(t, file)
	for _, want := range []string{"<code>&lt;module&gt;</code> through the passes", "<small>code</small> blocks", "<small>structure</small> statements", "verdict: unproved"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of the file lacks %q", want)
		}
	}
	for name, want := range map[string]string{"m": "g.&lt;locals&gt;.C.m", "A.f": "A.f", "f:4": "A.f"} {
		page, _ := dumped(t, file, name)
		if !strings.Contains(page, "<code>"+want+"</code> through the passes") {
			t.Errorf("%s is not %s", name, want)
		}
	}
}

// TestDumpPassesInBrowser clicks on words, lines and heads of columns, on a wide screen
// and a narrow one.
func TestDumpPassesInBrowser(t *testing.T) {
	b := browser.OfTests(t)
	_, out := dumped(t, filepath.Join("..", "..", "testdata", "dis", "3.12", "classes.pyc"), "A.f")
	for _, v := range []browser.View{{Width: 1440, Height: 900}, {Width: 390, Height: 800, Dark: true}} {
		p, err := b.Open(out, v)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ script, want string }{
			{`String(document.documentElement.scrollWidth <= innerWidth)`, "true"},
			{`(() => { [...document.querySelectorAll(".l b")].find(b => b.textContent === "self").click(); return [...new Set([...document.querySelectorAll(".hit")].map(e => e.textContent))].join() })()`, "self"},
			{`String(new Set([...document.querySelectorAll(".hit")].map(e => e.closest("article"))).size === document.querySelectorAll("article").length)`, "true"},
			{`(() => { document.querySelector('.l[data-at="4"] > i').click(); const l = [...document.querySelectorAll(".hit")]; return String(l.length > 3 && l.every(e => e.dataset.at === "4")) })()`, "true"},
			{`(() => { document.querySelector('.l[data-at="4"] > i').click(); return String(document.querySelectorAll(".hit").length) })()`, "0"},
			{`(() => { const h = document.querySelector("h2 button"); const a = h.closest("article"); const before = a.offsetWidth; h.click(); return String(a.offsetWidth < 60 && before > 200 && h.getAttribute("aria-expanded") === "false") })()`, "true"},
			{`(() => { const d = document.querySelector("details"); d.querySelector("summary").click(); return String(d.open && d.offsetWidth > 100) })()`, "true"},
		} {
			var got string
			if err := p.Do(c.script, &got); err != nil || got != c.want {
				t.Errorf("%d wide: %s is %q, want %q: %v", v.Width, c.script, got, c.want, err)
			}
		}
		for _, s := range p.Problems() {
			t.Errorf("in the page: %s", s)
		}
	}
}

// TestDumpPassesRefuses says what is wrong with the arguments, and writes nothing.
func TestDumpPassesRefuses(t *testing.T) {
	file := filepath.Join("..", "..", "testdata", "dis", "3.12", "classes.pyc")
	out := filepath.Join(t.TempDir(), "out.html")
	text := filepath.Join(t.TempDir(), "text.pyc")
	if err := os.WriteFile(text, []byte("print()\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{nil, 2, "no file is named"},
		{[]string{file, "nothing_like_it"}, 1, "there is no function nothing_like_it; there are "},
		{[]string{filepath.Join(filepath.Dir(file), "comps.pyc"), "<genexpr>"}, 1, "a line behind the name chooses one (<genexpr>:4)"},
		{[]string{file, "f:7"}, 1, "there is no function f:7"},
		{[]string{file, "a", "b"}, 2, "one file and one function, not 3 arguments"},
		{[]string{"-r", file}, 2, "goes without -o, -r and --format"},
		{[]string{"--format", "json", file}, 2, "goes without -o, -r and --format"},
		{[]string{file + "x"}, 1, "no such file"},
		{[]string{text}, 1, text + ": "},
	} {
		status, stdout, errs := call("", append([]string{"decompile", "-verify=false", "--dump-passes=" + out}, c.args...)...)
		if status != c.status || !strings.Contains(errs, c.want) || stdout != "" {
			t.Errorf("%q: status %d, %s%s", c.args, status, errs, stdout)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a page was written")
	}
}
