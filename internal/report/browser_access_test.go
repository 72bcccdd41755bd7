package report

import (
	"os"
	"testing"

	"github.com/thuml/depyf/internal/browser"
)

// faults lists what keeps people from using a page who do not see it, or not well: names, roles, order of headings, ids, contrast.
const faults = `(() => {
	const out = [], seen = e => e.getClientRects().length && getComputedStyle(e).visibility !== "hidden";
	const name = e => (e.getAttribute("aria-label") || (e.labels && [...e.labels].map(l => l.textContent).join(" ")) || e.textContent || e.title || "").trim();
	if (!document.documentElement.lang) out.push("no language");
	if (!document.title) out.push("no title");
	if (document.querySelectorAll("main").length !== 1) out.push("not one main");
	document.querySelectorAll("nav, section[role=region], [role=region]").forEach(e => { if (!e.getAttribute("aria-label")) out.push("a landmark without a name: " + e.outerHTML.slice(0, 80)); });
	document.querySelectorAll("a[href], button, summary, input, [role=button]").forEach(e => { if (seen(e) && !name(e)) out.push("no name: " + e.outerHTML.slice(0, 120)); });
	document.querySelectorAll("svg").forEach(e => { if (!e.closest("[aria-label]") && e.getAttribute("aria-hidden") !== "true") out.push("a picture without a name"); });
	const ids = new Set();
	document.querySelectorAll("[id]").forEach(e => { if (ids.has(e.id)) out.push("twice: #" + e.id); ids.add(e.id); });
	let level = 0;
	document.querySelectorAll("h1, h2, h3, h4, h5, h6").forEach(h => {
		if (!seen(h)) return;
		const n = +h.tagName[1];
		if (n > level + 1) out.push("h" + level + " is followed by h" + n + ": " + h.textContent.slice(0, 60));
		level = n;
	});
	document.querySelectorAll("*").forEach(e => { // what scrolls can be reached by keys
		if (/auto|scroll/.test(getComputedStyle(e).overflowY) && e.scrollHeight > e.clientHeight + 1 && seen(e) && e.tabIndex < 0 && !e.querySelector("a[href], [tabindex], summary, button"))
			out.push("scrolls, and no key reaches it: " + e.outerHTML.slice(0, 80));
	});
	const rgb = c => { const m = c.match(/[\d.]+/g).map(Number); return m.length < 4 ? [...m, 1] : m; };
	const light = c => { const f = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; return 0.2126 * f(c[0]) + 0.7152 * f(c[1]) + 0.0722 * f(c[2]); };
	const over = (a, b) => a.slice(0, 3).map((v, i) => v * a[3] + b[i] * (1 - a[3]));
	const behind = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c[3] > 0) return c[3] < 1 ? over(c, behind(e.parentElement)) : c; } return rgb(getComputedStyle(document.body).backgroundColor); };
	const weak = new Set(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let n; (n = walker.nextNode());) {
		const e = n.parentElement;
		if (!n.data.trim() || !seen(e) || e.closest("svg, script, style")) continue;
		const s = getComputedStyle(e), back = behind(e), a = light(over(rgb(s.color), back)), b = light(back);
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), large = parseFloat(s.fontSize) >= 24 || parseFloat(s.fontSize) >= 18.66 && +s.fontWeight >= 700;
		if (ratio < (large ? 3 : 4.5)) weak.add(e.tagName + "." + e.className + " " + s.color + ": " + ratio.toFixed(2));
	}
	return [...out, ...weak].slice(0, 20);
})()`

// accessible are pages of each kind, in both themes.
func accessible(t *testing.T, each func(t *testing.T, p *browser.Page)) {
	t.Helper()
	b := browser.OfTests(t)
	for name, dir := range map[string]string{"breaks": packedSession(t, "breaks"), "many": chain(t, 60), "limit": written(t, "torch215_limit_eager"), "export": written(t, "torch215_export_eager")} {
		for _, view := range []browser.View{desk, {Width: phone.Width, Height: phone.Height, Dark: true}} {
			t.Run(name, func(t *testing.T) {
				p := tab(t, b, dir, view)
				each(t, p)
			})
		}
	}
}

// Who does not see a page, or not well, can use it: what is opened as well.
func TestAccessible(t *testing.T) {
	accessible(t, func(t *testing.T, p *browser.Page) {
		for _, state := range []string{"at first", "opened"} {
			for _, f := range ask[[]string](t, p, faults) {
				t.Errorf("%s: %s", state, f)
			}
			ask[int](t, p, openAll)
		}
	})
}

// The same by axe-core, the checker that others use; scripts/axe.sh fetches it.
func TestAxe(t *testing.T) {
	path := os.Getenv("AXE")
	if path == "" {
		t.Skip("by hand: scripts/axe.sh")
	}
	axe, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	accessible(t, func(t *testing.T, p *browser.Page) {
		if err := p.Do(string(axe)+"; true", nil); err != nil {
			t.Fatal(err)
		}
		for _, f := range ask[[]string](t, p, `axe.run().then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ": " + n.html.slice(0, 120) + " " + n.failureSummary.slice(0, 200))).slice(0, 12))`) {
			t.Error(f)
		}
	})
}
