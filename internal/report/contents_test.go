package report

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var tags = regexp.MustCompile(`<[^>]*>`)

// The contents answer in brief, so that the first screen of the page does.
func TestContentsAnswerInBrief(t *testing.T) {
	for name, want := range map[string][]string{
		"torch215_joined_inductor": {
			"Lines that break the graph 1 toy_example.py:7\n", "Your source 1 the operations and kernels of each line\n",
			"Where compile time went 1 Dynamo 1.4 s, AOTAutograd 4.8 s, Inductor 67.9 s, kernels 24.2 s; 13.7 s of this for backward passes\n",
		},
		"torch215_limit_eager":   {"Why code was compiled again 1 a Python value varies: name at limit.py:5\n"},
		"torch215_refused_eager": {"Where compile time went 2 __works__ 0.6 s; in all, Dynamo 1.1 s\n"},
	} {
		page, err := os.ReadFile(filepath.Join(written(t, name), htmlName))
		if err != nil {
			t.Fatal(err)
		}
		_, nav, _ := strings.Cut(string(page), "<nav")
		nav, _, _ = strings.Cut(nav, "</nav>")
		text := tags.ReplaceAllString(nav, "")
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: %q is not in\n%s", name, w, text)
			}
		}
	}
}
