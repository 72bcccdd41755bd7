package live

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/browser"
)

func ask[T any](t *testing.T, p *browser.Page, script string) T {
	t.Helper()
	var out T
	if err := p.Do(script, &out); err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return out
}

// run runs statements in the page.
func run(t *testing.T, p *browser.Page, script string) {
	t.Helper()
	if err := p.Do(script, nil); err != nil {
		t.Fatalf("%s: %v", script, err)
	}
}

// until waits until an expression is true in the page.
func until(t *testing.T, p *browser.Page, what string) {
	t.Helper()
	if !ask[bool](t, p, `(async () => {
		for (let i = 0; i < 600; i++) {
			if (`+what+`) return true;
			await new Promise(r => setTimeout(r, 50));
		}
		return false;
	})()`) {
		t.Fatalf("it never comes to %s:\n%s", what, ask[string](t, p, "document.body.innerText"))
	}
}

func TestMain(m *testing.M) { os.Exit(browser.Main(m)) }

// The page follows a program: what it compiles, its answers as they come, and the whole report at the end.
func TestLivePage(t *testing.T) {
	b := browser.OfTests(t)
	for _, view := range []browser.View{{Width: 1100, Height: 900}, {Width: 700, Height: 900, Dark: true}} {
		dir := t.TempDir()
		s := serving(t, dir)
		p, err := b.OpenURL(s.URL(), view)
		if err != nil {
			t.Fatal(err)
		}
		shoot := func(state string) {
			folder := os.Getenv("PICTURES")
			if folder == "" {
				return
			}
			data, err := p.Picture()
			if err == nil {
				err = os.WriteFile(filepath.Join(folder, "live-"+map[bool]string{true: "dark", false: "light"}[view.Dark]+"-"+state+".png"), data, 0o644)
			}
			if err != nil {
				t.Error(err)
			}
		}
		const text = `document.body.innerText`
		until(t, p, `document.getElementById("link").textContent === "followed live" && !document.getElementById("none").hidden`)
		shoot("none")
		r := record(t, "torch215_limit_eager", dir)
		r.log = []byte(strings.Replace(string(r.log), `"pid": 1`, `"pid": `+ownPID(), 1))
		r.write(t, r.until(t, "dynamo_start"))
		until(t, p, text+`.includes("compiling named (limit.py:4), 0/0, for ")`)
		until(t, p, `document.getElementById("none").hidden`)
		r.write(t, len(r.log)/2)
		until(t, p, text+`.includes("a Python value varies: name")`)
		shoot("running")
		if state := ask[string](t, p, `document.querySelector(".state").textContent`); state != "running" {
			t.Errorf("the state is %q", state)
		}
		// What a reader folds stays folded when more comes.
		run(t, p, `document.querySelector(".recompilations").open = false`)
		r.write(t, len(r.log))
		until(t, p, `document.querySelector(".state").textContent === "ended"`)
		until(t, p, text+`.includes("7 recompilations")`)
		if ask[bool](t, p, `document.querySelector(".recompilations").open`) {
			t.Error("what was folded has been opened")
		}
		until(t, p, `document.querySelector(".whole iframe[data-loaded]") && document.querySelector(".whole").open`)
		if wide := ask[int](t, p, "document.scrollingElement.scrollWidth - document.documentElement.clientWidth"); wide > 0 {
			t.Errorf("%d too wide", wide)
		}
		shoot("ended")
		run(t, p, `document.querySelector(".whole").scrollIntoView()`)
		ask[bool](t, p, `new Promise(r => setTimeout(() => requestAnimationFrame(() => r(true)), 300))`)
		shoot("page")
		for _, s := range p.Problems(s.URL()) {
			t.Error(s)
		}
		// The report by itself is drawn, and its script runs.
		report, err := b.OpenURL(s.URL()+"page?of=.", view)
		if err != nil {
			t.Fatal(err)
		}
		until(t, report, `document.getElementById("filter") && !document.getElementById("filter").closest("p").hidden`)
		for _, s := range report.Problems(s.URL() + "page") {
			if !strings.Contains(s, "favicon.ico") {
				t.Error(s)
			}
		}
	}
}
