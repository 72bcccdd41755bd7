package card

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/browser"
)

// notebook is what a notebook is to a card: a page with colours, and a style for what it shows, of its own.
const notebook = `<!DOCTYPE html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>
body { margin: 0; padding: 16px; background: %s; color: %s; color-scheme: %s; font-family: serif; }
code { background: red; } ul { list-style: square; } details { border: 0; }
</style><div id="output">%s</div>`

func TestMain(m *testing.M) { os.Exit(browser.Main(m)) }

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

// contrast is the least contrast between the letters of the card and what is behind them.
const contrast = `(() => {
	const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	const over = (colour, back) => {
		canvas.fillStyle = "rgb(" + back.join() + ")"; canvas.fillRect(0, 0, 1, 1);
		canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
		return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
	};
	const light = (c) => c.map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
	let least = 99;
	const walker = document.createTreeWalker(document.querySelector(".depyf"), NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		const e = walker.currentNode.parentElement;
		if (!walker.currentNode.data.trim() || !e.getClientRects().length) continue;
		const chain = [];
		for (let a = e; a; a = a.parentElement) chain.unshift(getComputedStyle(a).backgroundColor);
		const back = chain.reduce((b, c) => over(c, b), [255, 255, 255]);
		const a = light(over(getComputedStyle(e).color, back)), b = light(back);
		least = Math.min(least, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
	}
	return least;
})()`

// The card can be read in light and dark notebooks, whatever the system's colours are, needs no scrolling sideways and
// opens its page, whose links stay in it.
func TestCardInBrowser(t *testing.T) {
	b := browser.OfTests(t)
	pictures := os.Getenv("PICTURES") // a folder to look at
	for _, name := range []string{"torch215_toy_inductor", "torch215_limit_eager", "torch215_refused_eager"} {
		f, whole := pageOf(t, name)
		text, err := HTML(f, Told{Dump: "/tmp/depyf-explain-abc/dump", Raised: map[bool]string{true: "Unsupported: Unsupported method call"}[strings.Contains(name, "refused")]}, whole)
		if err != nil {
			t.Fatal(err)
		}
		for _, look := range []struct {
			name, back, text string
			width            int
			dark, system     bool
		}{
			{"light", "#fff", "#000000de", 1100, false, false},
			{"dark", "#111", "#fff", 1100, true, false},
			{"dark-system", "#111", "#fff", 1100, true, true},
			{"narrow", "#fff", "#000000de", 700, false, true},
			{"narrow-dark", "#1e1e1e", "#ccc", 390, true, true},
		} {
			t.Run(name+", "+look.name, func(t *testing.T) {
				scheme := map[bool]string{true: "dark", false: "light"}[look.dark]
				file := filepath.Join(t.TempDir(), "notebook.html")
				if err := os.WriteFile(file, []byte(fmt.Sprintf(notebook, look.back, look.text, scheme, text)), 0o644); err != nil {
					t.Fatal(err)
				}
				p, err := b.Open(file, browser.View{Width: look.width, Height: 1000, Dark: look.system})
				if err != nil {
					t.Fatal(err)
				}
				shoot := func(state string) {
					if pictures == "" {
						return
					}
					data, err := p.Picture()
					if err == nil {
						err = os.WriteFile(filepath.Join(pictures, name+"-"+look.name+state+".png"), data, 0o644)
					}
					if err != nil {
						t.Error(err)
					}
				}
				shoot("")
				run(t, p, `document.querySelectorAll("details:not(.page)").forEach(d => { d.open = true })`)
				if least := ask[float64](t, p, contrast); least < 4.5 {
					t.Errorf("letters with a contrast of %.1f", least)
				}
				if wide := ask[int](t, p, "document.scrollingElement.scrollWidth - document.documentElement.clientWidth"); wide > 0 {
					t.Errorf("%d too wide", wide)
				}
				run(t, p, `document.querySelector("details.page").open = true; document.querySelector("iframe").scrollIntoView()`)
				// The frame is closed to scripts around it; that it has been drawn is seen in its size.
				ask[bool](t, p, `new Promise(r => setTimeout(() => requestAnimationFrame(() => r(true)), 300))`)
				if high := ask[int](t, p, `document.querySelector("iframe").clientHeight`); high < 400 {
					t.Errorf("the page is %d high", high)
				}
				shoot("-page")
				for _, s := range p.Problems("about:srcdoc") {
					t.Error(s)
				}
			})
		}
	}
}

// A link within the page leads to its place in the page, and not into the notebook around it.
func TestLinksOfThePageStayInIt(t *testing.T) {
	f, whole := pageOf(t, "torch215_toy_inductor")
	text, err := HTML(f, Told{Dump: "dump"}, whole)
	if err != nil {
		t.Fatal(err)
	}
	// Without the sandbox the test can look into the frame; links are the same.
	text = strings.Replace(text, ` sandbox="allow-scripts"`, "", 1)
	file := filepath.Join(t.TempDir(), "notebook.html")
	if err := os.WriteFile(file, []byte(fmt.Sprintf(notebook, "#fff", "#000", "light", text)), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := browser.OfTests(t).Open(file, browser.View{Width: 1100, Height: 900})
	if err != nil {
		t.Fatal(err)
	}
	got := ask[[]string](t, p, `(async () => {
		document.querySelector("details.page").open = true;
		const frame = document.querySelector("iframe");
		frame.scrollIntoView();
		for (let i = 0; i < 100 && !(frame.contentDocument && frame.contentDocument.getElementById("filter")); i++) await new Promise(r => setTimeout(r, 50));
		const links = [...frame.contentDocument.querySelectorAll('nav a[href^="#"]')], out = [];
		if (links.length < 3) out.push("only " + links.length + " links");
		for (const a of links.slice(-2)) {
			a.click();
			let seen = false;
			for (let i = 0; i < 100 && !seen; i++) {
				await new Promise(r => setTimeout(r, 50));
				const doc = frame.contentDocument, at = doc && doc.getElementById(a.getAttribute("href").slice(1));
				const box = at && at.getBoundingClientRect();
				seen = doc && doc.URL.endsWith(a.getAttribute("href")) && at !== null && box.bottom >= 0 && box.top <= frame.clientHeight;
			}
			if (!seen) out.push(a.getAttribute("href") + " leads to " + (frame.contentDocument ? frame.contentDocument.URL : "another page"));
		}
		return out;
	})()`)
	if len(got) > 0 {
		t.Errorf("%q", got)
	}
	for _, s := range p.Problems("about:srcdoc") {
		t.Error(s)
	}
}
