package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
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
	// What the page is said to have, it has.
	for _, title := range regexp.MustCompile(`\*([A-Z][^*]+)\*`).FindAllStringSubmatch(text, -1) {
		if !inReport(t, root, title[1]) {
			t.Errorf("the page has no part %q", title[1])
		}
	}
}

// inReport looks for words of the page where they are written.
func inReport(t *testing.T, root, words string) bool {
	t.Helper()
	var files []string
	for _, p := range []string{"*.go", "assets/*.html"} {
		more, err := filepath.Glob(filepath.Join(root, "internal", "report", p))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(f, "_test.go") && strings.Contains(string(data), words) {
			return true
		}
	}
	return false
}
