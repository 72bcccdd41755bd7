package report

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

func pageOf(t *testing.T, session string) string {
	t.Helper()
	m, err := explain.Replay(filepath.Join(sessions, session))
	if err != nil {
		t.Fatal(err)
	}
	facts := answers.For(explain.Link(m))
	text, err := htmlPage(facts, textsOf(facts, "").artefactFile, guardTexts{})
	if err != nil {
		t.Fatal(err)
	}
	return text.String()
}

var (
	ids      = regexp.MustCompile(` id="([^"]*)"`)
	internal = regexp.MustCompile(` href="#([^"]*)"`)
	outside  = regexp.MustCompile(`(?i)<(?:script|link|img|iframe)[^>]+(?:src|href)=|@import|url\(`)
)

// Every page stands alone, its ids are unique and its links lead somewhere.
func TestPageStandsAlone(t *testing.T) {
	dirs, err := os.ReadDir(sessions)
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, d := range dirs {
		text := pageOf(t, d.Name())
		if m := outside.FindString(text); m != "" {
			t.Errorf("%s: the page loads something: %s", d.Name(), m)
		}
		seen := map[string]bool{}
		for _, m := range ids.FindAllStringSubmatch(text, -1) {
			if seen[m[1]] {
				t.Errorf("%s: two ids %q", d.Name(), m[1])
			}
			seen[m[1]] = true
		}
		for _, m := range internal.FindAllStringSubmatch(text, -1) {
			links++
			if !seen[m[1]] {
				t.Errorf("%s: a link to %q, which is not there", d.Name(), m[1])
			}
		}
	}
	if links < 20 {
		t.Errorf("only %d links", links)
	}
}

// What the session holds is text, whatever it looks like.
func TestPageEscapes(t *testing.T) {
	m, err := explain.Replay(filepath.Join(sessions, "torch215_toy_inductor"))
	if err != nil {
		t.Fatal(err)
	}
	const evil = `<script>alert(1)</script>"'`
	for _, c := range m.Codes {
		c.Func, c.Source, c.Decompiled.Source = evil, evil, evil
	}
	for _, list := range [][]*explain.Artefact{m.Graphs, m.Kernels} {
		for _, a := range list {
			a.Text = "# File: " + evil + ":1 in f, code: x\n" + evil
		}
	}
	for _, c := range m.Compiles {
		c.Func, c.Failure = evil, evil
		for i := range c.Breaks {
			c.Breaks[i].Reason, c.Breaks[i].Explanation, c.Breaks[i].Link = evil, evil, "javascript:alert(1)"
		}
	}
	m.Notes = append(m.Notes, evil+"`"+evil+"`")
	facts := answers.For(explain.Link(m))
	made, err := htmlPage(facts, textsOf(facts, "").artefactFile, guardTexts{})
	if err != nil {
		t.Fatal(err)
	}
	text := made.String()
	if strings.Contains(text, "<script>alert") || strings.Contains(text, `href="javascript:`) {
		t.Error("markup of the session reached the page")
	}
	if !strings.Contains(text, "&lt;script&gt;") {
		t.Error("the text itself is not shown")
	}
}

// The page shows what a user looks for: the line that breaks the graph, the
// chart with both ways on, and the graph's lines joined to the source's.
func TestPageOfToy(t *testing.T) {
	text := pageOf(t, "torch215_toy_inductor")
	for _, want := range []string{
		`<span class="l break" id="line-toy`,
		"<b>Graph break</b> at",
		`class="node function"`,
		"runs graph __compiled_fn_1",
		"Captured_Graph.0",
		"versions run as proven source",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	if n := strings.Count(text, `class="node version"`); n != 3 {
		t.Errorf("%d versions in the chart, not 3", n)
	}
	lines := map[string]int{}
	for _, m := range regexp.MustCompile(`<span class="l(?: break)?" id="[^"]*" data-s="(toy[^"]*:\d+)">`).FindAllStringSubmatch(text, -1) {
		lines[m[1]]++
	}
	places, packed := unpack(t, text)
	for _, p := range packed {
		for i := 1; i < len(p.From); i += 2 {
			if p.From[i] >= 0 && lines[places[p.From[i]]] > 0 {
				lines[places[p.From[i]]]++
			}
		}
	}
	joined := 0
	for _, n := range lines {
		if n > 1 {
			joined++
		}
	}
	if joined < 2 {
		t.Errorf("only %d lines of the source are joined to lines of graphs: %v", joined, lines)
	}
}

func TestSplitCondition(t *testing.T) {
	for _, c := range [][3]string{
		{"L['x'].shape == (2,)", "L['x'].shape", "(2,)"},
		{"2 <= L['x'].shape[0]", "L['x'].shape[0]", ">= 2"},
		{"not L['x'].requires_grad", "L['x'].requires_grad", "no"},
		{"L['x'].requires_grad", "L['x'].requires_grad", "yes"},
		{"L['a'] is not L['b']", "L['a']", "is not L['b']"},
	} {
		what, value := splitCondition(c[0])
		if what != c[1] || value != c[2] {
			t.Errorf("%s: %q, %q", c[0], what, value)
		}
	}
}

func TestCacheText(t *testing.T) {
	for in, want := range map[string]string{
		"fx_graph_cache_hit":       "taken from Inductor's cache",
		"aotautograd_cache_miss":   "not in AOTAutograd's cache before",
		"aotautograd_cache_bypass": "AOTAutograd's cache cannot hold it",
		"fx_graph_cache_odd":       "fx_graph_cache_odd",
	} {
		if got := cacheText(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

// unpack reads the packed texts of a page as the script does.
func unpack(t *testing.T, page string) (places []string, out []packedText) {
	t.Helper()
	if m := regexp.MustCompile(`<script type="application/json" id="places">(.*?)</script>`).FindStringSubmatch(page); m != nil {
		if err := json.Unmarshal([]byte(m[1]), &places); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range packedTexts.FindAllStringSubmatch(page, -1) {
		packed, err := base64.StdEncoding.DecodeString(m[1])
		if err != nil {
			t.Fatal(err)
		}
		var list []packedText
		if err := json.NewDecoder(flate.NewReader(bytes.NewReader(packed))).Decode(&list); err != nil {
			t.Fatal(err)
		}
		out = append(out, list...)
	}
	return places, out
}

var packedTexts = regexp.MustCompile(`<script type="text/plain" id="texts-\d+">(.*?)</script>`)

// Every text of the session is in the page, and each stands where the page says.
func TestPackedTexts(t *testing.T) {
	page := pageOf(t, "torch215_toy_inductor")
	_, packed := unpack(t, page)
	refs := regexp.MustCompile(` data-t="0\.(\d+)"`).FindAllStringSubmatch(page, -1)
	if len(refs) < 10 || len(packed) < 10 {
		t.Fatalf("%d references to %d texts", len(refs), len(packed))
	}
	used := map[string]bool{}
	for _, m := range refs {
		used[m[1]] = true
	}
	if len(used) != len(packed) {
		t.Errorf("%d texts, of which %d are used", len(packed), len(used))
	}
	for _, p := range packed {
		n := 0
		for i := 0; i < len(p.From); i += 2 {
			n += p.From[i]
		}
		if lines := strings.Count(p.Text, "\n") + 1; p.From != nil && n != lines {
			t.Errorf("places of %d lines for %d", n, lines)
		}
	}
}
