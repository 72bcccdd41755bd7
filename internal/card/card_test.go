package card

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/report"
)

var update = flag.Bool("update", false, "rewrite the wanted cards")

const sessions = "../../testdata/sessions"

func factsOf(t *testing.T, name string) *answers.Facts {
	t.Helper()
	m, err := explain.Replay(filepath.Join(sessions, name))
	if err != nil {
		t.Fatal(err)
	}
	return answers.For(explain.Link(m))
}

func pageOf(t *testing.T, name string) (*answers.Facts, string) {
	t.Helper()
	f := factsOf(t, name)
	whole, err := report.Page(f, filepath.Join(sessions, name))
	if err != nil {
		t.Fatal(err)
	}
	return f, whole
}

// What a card says of some sessions, as text and as HTML: breaks, recompilations and a limit, a failure, and nothing at all.
func TestCards(t *testing.T) {
	for name, told := range map[string]Told{
		"torch215_toy_inductor":    {Dump: "dump"},
		"torch215_limit_eager":     {Dump: "dump", Called: true},
		"torch215_refused_eager":   {Dump: "dump", Raised: "Unsupported: <b>no</b>", Called: true},
		"torch215_skipped_eager":   {Dump: "dump", Called: true},
		"torch215_joined_inductor": {Dump: "dump"},
	} {
		f := factsOf(t, name)
		html, err := Sections(f, told)
		if err != nil {
			t.Fatal(err)
		}
		got := Text(f, told) + "\n" + strings.Repeat("=", 80) + "\n" + html
		path := filepath.Join("testdata", name+".golden")
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil || got != string(want) {
			t.Errorf("%s is not as wanted (%v):\n%s", path, err, got)
		}
	}
	files, _ := filepath.Glob("testdata/*.golden")
	if len(files) != 5 {
		t.Errorf("%d goldens for 5 cards", len(files))
	}
}

// Of every session there is a card that is small, loads nothing and holds the page, which is what report.html is.
func TestHTML(t *testing.T) {
	dirs, err := os.ReadDir(sessions)
	if err != nil {
		t.Fatal(err)
	}
	outside := regexp.MustCompile(`(?i)<(?:script|link|img|object|embed)[\s>]|@import|url\(|\son[a-z]+=`)
	for _, d := range dirs {
		f, whole := pageOf(t, d.Name())
		text, err := HTML(f, Told{Dump: "dump"}, whole)
		if err != nil {
			t.Fatal(err)
		}
		before, after, ok := strings.Cut(text, ` srcdoc="`)
		if !ok {
			t.Fatalf("%s: there is no page in the card", d.Name())
		}
		if m := outside.FindString(before); m != "" {
			t.Errorf("%s: %q in the card", d.Name(), m)
		}
		if !strings.Contains(before, `sandbox="allow-scripts"`) {
			t.Errorf("%s: the page is in no sandbox", d.Name())
		}
		// Nothing in the page ends the attribute that it stands in.
		if end := strings.IndexByte(after, '"'); after[end:] != `"></iframe></details>`+"\n</div>\n" {
			t.Errorf("%s: behind the page: %.200q", d.Name(), after[end:])
		}
		if n := len(before); n > 16<<10 {
			t.Errorf("%s: the card has %d bytes", d.Name(), n)
		}
	}
}

// A page that is too large for a notebook is named.
func TestLargePage(t *testing.T) {
	f := factsOf(t, "torch215_toy_eager")
	text, err := HTML(f, Told{Dump: "/dumps/<a>"}, strings.Repeat("x", 3_200_000))
	if err != nil || strings.Contains(text, "xxx") || !strings.Contains(text, "3.2 MB: <code>/dumps/&lt;a&gt;/report.html</code>") {
		t.Errorf("%v:\n%.3000s", err, text)
	}
}

// Whatever a program calls its things, it is text in the card.
func TestHostileNames(t *testing.T) {
	const bad = `</code><script>alert(1)</script><img src=x onerror=alert(1)>`
	f := factsOf(t, "torch215_limit_eager")
	p := f.Program
	for _, fn := range p.Functions {
		fn.Title, fn.File = bad, "/x/"+bad+".py"
	}
	for _, c := range p.Model.Compiles {
		c.Func, c.File = bad, "/x/"+bad+".py"
		for i := range c.Recompile {
			c.Recompile[i] += bad
		}
	}
	text, err := HTML(answers.For(p), Told{Dump: bad, Raised: bad}, "")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text, "<script") || strings.Contains(text, "<img") || !strings.Contains(text, "&lt;script&gt;") {
		t.Errorf("markup of the program's:\n%s", text)
	}
}

// A block may hold the backward pass alone of what was compiled before it.
func TestBackwardAlone(t *testing.T) {
	f := factsOf(t, "torch215_toy_inductor")
	m := f.Program.Model
	m.Codes, m.Graphs, m.Kernels = nil, nil, nil
	for _, c := range m.Compiles {
		c.Func, c.Seconds, c.Breaks = "", 0, nil
	}
	text := Text(answers.For(explain.Link(m)), Told{Dump: "dump"})
	if !strings.HasPrefix(text, "Only backward passes, of functions that had been compiled before, in 2.7 s.\n\nWhat failed") {
		t.Errorf("%.300s", text)
	}
}
