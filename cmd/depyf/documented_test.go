package main

import (
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/report"
)

// docs/questions.md answers twenty questions: the commands it names are there, so are the files that it
// leads to, and each test that it calls as a witness.
func TestQuestionsAreAnswered(t *testing.T) {
	root := filepath.Join("..", "..")
	data, err := os.ReadFile(filepath.Join(root, "docs", "questions.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	rows := regexp.MustCompile("(?m)^\\| (\\d+) \\| [^|]+\\? \\| ([^|]+) \\| `([^`]+)` `([^`]+)` \\|$").FindAllStringSubmatch(text, -1)
	for i, r := range rows {
		if r[1] != strconv.Itoa(i+1) {
			t.Errorf("question %s is in place %d", r[1], i+1)
		}
		source, err := os.ReadFile(filepath.Join(root, r[3]))
		if err != nil {
			t.Error(err)
		} else if !regexp.MustCompile(`(?m)^\s*(?:func|def) ` + r[4] + `\(`).Match(source) {
			t.Errorf("%s has no %s", r[3], r[4])
		}
	}
	if len(rows) != 20 {
		t.Errorf("%d questions", len(rows))
	}
	commands := regexp.MustCompile("`depyf ([a-z-]+)").FindAllStringSubmatch(text, -1)
	_, list, _ := call("", "help")
	for _, m := range commands {
		if !strings.Contains(list, "\n  "+m[1]+" ") {
			t.Errorf("there is no command %q", m[1])
		}
	}
	if len(commands) < 10 {
		t.Errorf("only %d commands", len(commands))
	}
	for _, m := range regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join(root, "docs", m[1])); err != nil {
			t.Error(err)
		}
	}
	// What the page is said to have, a page of some recorded session shows.
	shown := renderedPages(t, root)
	titles := regexp.MustCompile(`\*([A-Z][^*]+)\*`).FindAllStringSubmatch(text, -1)
	for _, title := range titles {
		if !strings.Contains(shown, title[1]) {
			t.Errorf("no page has a part %q", title[1])
		}
	}
	if len(titles) < 5 {
		t.Errorf("only %d parts of the page are named", len(titles))
	}
}

// renderedPages is what the pages of all recorded sessions have for a reader, without markup, styles, scripts and packed texts.
func renderedPages(t *testing.T, root string) string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(root, "testdata", "sessions", "*"))
	if err != nil || len(dirs) == 0 {
		t.Fatal(dirs, err)
	}
	aside := regexp.MustCompile(`(?s)<(?:script|style)\b.*?</(?:script|style)>|<[^>]*>`)
	var b strings.Builder
	for _, dir := range dirs {
		m, err := explain.Replay(dir)
		if err != nil {
			t.Fatal(err)
		}
		page, err := report.Page(answers.For(explain.Link(m)), dir)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(html.UnescapeString(aside.ReplaceAllLiteralString(page, "")))
	}
	return b.String()
}
