package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/browser"
)

// joinedSession has kernels of which Inductor has told what they compute, and a graph break.
const joinedSession = "torch215_joined_inductor"

// listedInBar is what the bar lists: for each kind of line, how many there are and the first of them.
func listedInBar(t *testing.T, p *browser.Page) string {
	t.Helper()
	return ask[string](t, p, settled+`.then(() => [...document.querySelectorAll(".joined:not([hidden]) .list")].map(l => [...l.children].map(e => e.textContent.trim()).join("\n")).join("\n\n"))`)
}

// focused is an expression: what has the focus, and whether it can be seen.
const focused = `(() => {
	const e = document.activeElement, box = e.getBoundingClientRect(), bar = document.querySelector(".joined").getBoundingClientRect();
	return e.textContent.trim() + (box.top >= 0 && box.bottom <= (bar.height ? bar.top : innerHeight) ? " is seen" : " is not seen");
})()`

// click clicks on the first element that a selector and a text choose.
func click(t *testing.T, p *browser.Page, selector, text string) {
	t.Helper()
	ok := ask[bool](t, p, fmt.Sprintf(`(() => {
		const e = [...document.querySelectorAll(%q)].find(e => e.textContent.includes(%q));
		if (e) e.click();
		return !!e;
	})()`, selector, text))
	if !ok {
		t.Fatalf("there is no %s with %q", selector, text)
	}
}

// A click on a line of the source keeps it: a bar lists what belongs to it, from texts that nobody has opened.
func TestLineOfSourceLeadsToAll(t *testing.T) {
	p := tab(t, browser.OfTests(t), written(t, joinedSession), desk)
	click(t, p, ".left .l", "x = a / (torch.abs(a) + 1)")
	said := listedInBar(t, p)
	for _, want := range []string{
		"lines of transformed code\ngraph_out_0 = __compiled_fn_1(a, b)", "3 operations as Dynamo recorded them\nabs_1: ", "torch.ops.aten.abs.default(primals_1)",
		"2 kernel calls\ncpp_fused_abs_add_div_lt_sum_0(", "# computes, in this order: neg, abs_1 (again), add (again), ", "1 guard\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	if n := ask[int](t, p, `[...document.querySelectorAll(".right [data-t][open] .l.hit")].filter(e => { const b = e.getBoundingClientRect(); return b.top >= 0 && b.bottom < innerHeight }).length`); n == 0 {
		t.Error("the other pane shows no operation of the line")
	}
	for range 2 { // the first kernel call, and the next
		click(t, p, ".joined .next", "kernel calls")
		ask[bool](t, p, settled)
	}
	if s := ask[string](t, p, focused); !strings.HasPrefix(s, "cpp_fused_abs_add_div_mul_neg_sgn_0(") || !strings.HasSuffix(s, " is seen") {
		t.Errorf("the second kernel call: %s", s)
	}
	click(t, p, ".joined .home", "toy_example.py:6")
	if s := ask[string](t, p, settled+".then(() => "+focused+")"); !strings.HasPrefix(s, "x = a /") || !strings.HasSuffix(s, " is seen") {
		t.Errorf("back at the line: %s", s)
	}
	if err := p.Key("Escape"); err != nil {
		t.Fatal(err)
	}
	if n := ask[int](t, p, `document.querySelectorAll(".hit, .joined:not([hidden])").length`); n != 0 {
		t.Error("Escape keeps the line")
	}
}

// A line of a kernel's call, and of its definition, belongs to exactly the operations that the kernel computes.
func TestKernelLeadsToItsOperations(t *testing.T) {
	p := tab(t, browser.OfTests(t), written(t, joinedSession), desk)
	click(t, p, `details[data-kind="kernel"] > summary`, "(backward)")
	ask[bool](t, p, settled)
	for _, line := range []string{"cpp_fused_abs_add_div_mul_neg_sgn_0(tangents_1", "cpp_fused_abs_add_div_mul_neg_sgn_0 = async_compile"} {
		click(t, p, `details[data-kind="kernel"] .l`, line)
		said := listedInBar(t, p)
		for _, want := range []string{"1 line of source\nx = a / (torch.abs(a) + 1)", "10 operations as compiled\n", "2 operations as Dynamo recorded them\nabs_1: "} {
			if !strings.Contains(said, want) {
				t.Errorf("%s: no %q in\n%s", line, want, said)
			}
		}
		// The graph is opened, and its operations are lit: those of the backward pass, not of the forward one.
		lit := ask[string](t, p, settled+`.then(() => [...document.querySelectorAll('[data-kind="graph"] .l.hit')].map(e => e.closest("details").dataset.pass + " " + e.textContent.trim().split(/\W/)[0]).join(", "))`)
		if lit != "backward neg, backward abs_1, backward add, backward div_1, backward div_2, backward mul, backward div_3, backward sign, backward mul_1, backward add_1" {
			t.Errorf("%s: lit are %s", line, lit)
		}
		if n := ask[int](t, p, `document.querySelectorAll(".left .l.hit").length`); n != 1 {
			t.Errorf("%s: %d lines of the source are lit", line, n)
		}
		click(t, p, ".joined .close", "")
	}
}

// Transformed code leads to the lines that it comes from, and to the operations of these.
func TestTransformedCodeLeadsToLines(t *testing.T) {
	p := tab(t, browser.OfTests(t), written(t, joinedSession), desk)
	click(t, p, "pre.code .l", "return __resume_at_100_2(")
	said := listedInBar(t, p)
	for _, want := range []string{"1 line of source\nif b.sum() < 0:", "operations as Dynamo recorded them\nsum_1: "} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	if s := ask[string](t, p, `[...document.querySelectorAll(".left .l.hit")].map(e => e.dataset.s).join(" ")`); s != "toy_example.py:7" {
		t.Errorf("lit are %s", s)
	}
}

// A mark beside a line leads to the first thing that it counts, pressed again to the next, and then to the first again.
func TestMarksLead(t *testing.T) {
	p := tab(t, browser.OfTests(t), written(t, joinedSession), desk)
	for _, c := range []struct{ mark, want string }{
		{"kernel call", "cpp_fused_abs_add_div_lt_sum_0("},
		{"operation", "sum_1: "},
		{"operation", "lt: "},
		{"operation", "sum_1: "},
		{"breaks the graph", "toy_example.py:7 if b.sum() < 0:"},
		{"breaks the graph", "Graph break at toy_example.py:7"},
	} {
		click(t, p, `[id="line-toy_example.py:7"] button`, c.mark)
		ask[bool](t, p, settled)
		if s := ask[string](t, p, focused); !strings.HasPrefix(s, c.want) || !strings.HasSuffix(s, " is seen") {
			t.Errorf("%s: %.200s, not %s", c.mark, s, c.want)
		}
	}
	// As many as the mark says are there.
	bad := ask[[]string](t, p, `(async () => {
		const out = [];
		for (const b of document.querySelectorAll('button[data-go="kernel"], button[data-go="dynamo"], button[data-go="guards"]')) {
			b.click();
			await `+settled+`;
			if (!b.title.endsWith(" of " + parseInt(b.textContent))) out.push(b.closest(".l").id + " " + b.textContent + ": " + b.title);
		}
		return out;
	})()`)
	if len(bad) > 0 {
		t.Errorf("marks that lead to others: %q", bad)
	}
}

// The keyboard does what a pointer does: arrows go from line to line, Enter keeps one, Tab goes to the bar and back. A text is one
// stop of Tab, however many lines it has.
func TestKeyboardKeepsLines(t *testing.T) {
	p := tab(t, browser.OfTests(t), written(t, joinedSession), desk)
	if n := ask[int](t, p, `document.querySelectorAll('.l[tabindex="0"], .l button:not([tabindex="-1"])').length`); n != 0 {
		t.Errorf("%d lines and marks are stops of Tab", n)
	}
	ask[bool](t, p, `document.querySelector("pre.source").focus() || true`)
	for _, step := range []struct{ key, want string }{
		{"ArrowDown", "@torch.compile"},
		{"ArrowDown", "def toy_example"},
		{"ArrowDown", "x = a /"},
		{"ArrowRight", "1 guard"},
		{"ArrowRight", "3 operations"},
		{"ArrowLeft", "1 guard"},
		{"ArrowLeft", "x = a /"},
		{"Enter", "x = a /"},
		{"Tab", "↩ toy_example.py:6"},
		{"Escape", "x = a /"},
		{"ArrowUp", ""},
	} {
		if err := p.Key(step.key); err != nil {
			t.Fatal(err)
		}
		ask[bool](t, p, settled)
		if s := ask[string](t, p, `document.activeElement.textContent.trim()`); !strings.HasPrefix(s, step.want) {
			t.Fatalf("%s leads to %.80q, not %q", step.key, s, step.want)
		}
		if open := ask[bool](t, p, `!document.querySelector(".joined").hidden`); open != (step.key == "Enter" || step.key == "Tab") {
			t.Errorf("after %s the bar is there: %v", step.key, open)
		}
	}
}

// On a phone the panes are one below the other: the bar says what belongs to a line, leads there, and back.
func TestLinesOnAPhone(t *testing.T) {
	p := tab(t, browser.OfTests(t), written(t, joinedSession), phone)
	click(t, p, ".left .l", "x = a / (torch.abs(a) + 1)")
	if said := listedInBar(t, p); !strings.Contains(said, "2 kernel calls\n") {
		t.Errorf("the bar says\n%s", said)
	}
	if share := ask[float64](t, p, `document.querySelector(".joined").offsetHeight / innerHeight`); share > 0.4 {
		t.Errorf("the bar takes %.0f %% of the screen", 100*share)
	}
	if wide := ask[[]string](t, p, tooWide); len(wide) > 0 {
		t.Errorf("a reader has to scroll sideways: %q", wide)
	}
	click(t, p, ".joined .to", "cpp_fused_abs_add_div_lt_sum_0(")
	if s := ask[string](t, p, settled+".then(() => "+focused+")"); !strings.HasPrefix(s, "cpp_fused_abs_add_div_lt_sum_0(") || !strings.HasSuffix(s, " is seen") {
		t.Errorf("at the kernel call: %s", s)
	}
	click(t, p, ".joined .home", "toy_example.py:6")
	if s := ask[string](t, p, settled+".then(() => "+focused+")"); !strings.HasPrefix(s, "x = a /") || !strings.HasSuffix(s, " is seen") {
		t.Errorf("back at the line: %s", s)
	}
}
