package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var inline = regexp.MustCompile("`[^`]+`")

// outline is what two languages of one document have in common: headings, lists, tables
// and code by their order, and in each paragraph what is set as code.
func outline(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	code := false
	for _, line := range strings.Split(string(data), "\n") {
		text := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(text, "```"):
			code = !code
			out = append(out, text)
		case code:
			text, _, _ = strings.Cut(text, "#")
			out = append(out, strings.TrimSpace(text))
		case strings.HasPrefix(text, "#"):
			out = append(out, text[:strings.IndexByte(text, ' ')])
		case strings.HasPrefix(text, "* "), strings.HasPrefix(text, "- "):
			out = append(out, "*")
		case strings.HasPrefix(text, "|"):
			out = append(out, strings.Repeat("|", strings.Count(text, "|")))
		}
		if !code {
			spans := inline.FindAllString(line, -1)
			slices.Sort(spans)
			for _, span := range spans {
				// A second mention may be a pronoun in the other language.
				if !slices.Contains(out, span) {
					out = append(out, span)
				}
			}
		}
	}
	return out
}

// A document and its Chinese twin say the same things in the same order.
func TestTwinsAreInStep(t *testing.T) {
	twins, err := filepath.Glob("../../docs/*.zh-CN.md")
	if err != nil || len(twins) < 2 {
		t.Fatalf("%d twins, %v", len(twins), err)
	}
	for _, twin := range append(twins, "../../README.zh-CN.md") {
		first := strings.Replace(twin, ".zh-CN", "", 1)
		kinds := func(list []string) (shape, spans []string) {
			for _, x := range list {
				if strings.HasPrefix(x, "`") && !strings.HasPrefix(x, "```") {
					spans = append(spans, x)
				} else {
					shape = append(shape, x)
				}
			}
			slices.Sort(spans)
			return shape, spans
		}
		shape, spans := kinds(outline(t, first))
		shapeThere, spansThere := kinds(outline(t, twin))
		for i, x := range shape {
			if i >= len(shapeThere) || shapeThere[i] != x {
				t.Errorf("%s: item %d of the outline is %q in the other language", twin, i, x)
				break
			}
		}
		if len(shapeThere) > len(shape) {
			t.Errorf("%s has %d items more than the other language", twin, len(shapeThere)-len(shape))
		}
		for _, x := range spans {
			if !slices.Contains(spansThere, x) {
				t.Errorf("%s lacks %s", twin, x)
			}
		}
		for _, x := range spansThere {
			if !slices.Contains(spans, x) {
				t.Errorf("%s has %s, which the other language lacks", twin, x)
			}
		}
	}
}
