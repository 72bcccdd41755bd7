package explain

import (
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
	"github.com/thuml/depyf/internal/torchlog"
)

// What torch 2.0 to 2.3 words in another way is put into the words of later versions here.
var (
	// ('Recompiling function f in a.py', "triggered by the following guard failure: L['n'] == 3")
	logTuple = lazyregexp.New(`^\('(Recompiling function .*?)', (?:"(.*)"|'(.*)')\)$`)
	// Recompiling function f in a.py:3 triggered by the following guard failure(s): - 0/0: L['n'] == 3, as a page shows it
	logOneLine = lazyregexp.New(`^(Recompiling function \S+ in \S+) +triggered by the following guard failure\(s\): +- `)
	// Graph break: why from user code at   File "a.py", line 3, in f
	logInline = lazyregexp.New(`^(Graph break: .*from user code at) +(File ".*)$`)
)

// today is a message of torch 2.0 and 2.1 in the words of later versions.
func today(text string) string {
	text = strings.Replace(text, "torchdynamo hit config.", "torch._dynamo hit config.", 1) // before torch 2.0
	text = logOneLine.ReplaceAllString(text, "$1\n    triggered by the following guard failure(s):\n    - ")
	head, rest, more := strings.Cut(text, "\n")
	if more {
		rest = "\n" + rest
	}
	if g := logInline.FindStringSubmatch(head); g != nil {
		return g[1] + ":\n  " + g[2] + rest
	}
	if g := logTuple.FindStringSubmatch(head); g != nil {
		_, why, _ := strings.Cut(g[2]+g[3], ": ")
		return g[1] + "\n    - " + strings.Join(reprList(why), "\n    - ") + rest
	}
	return text
}

// reprList is the strings of a list as Python prints it in a string of its own, or the text where it is none.
func reprList(text string) []string {
	text = strings.ReplaceAll(text, `\'`, `'`)
	if !strings.HasPrefix(text, "[") {
		return []string{text}
	}
	var list []string
	s := scanPython(text)
	for _, t := range s.tokens {
		if t.kind == tokString {
			list = append(list, strings.Trim(s.text(t)[1:], s.text(t)[:1]))
		}
	}
	return list
}

// guard takes in what belongs to a list of guards that torch before 2.4 writes: its head, and a message
// for each. It is made the tree of later versions.
func (t *logText) guard(m torchlog.Message, head, rest string) bool {
	if tree := strings.TrimLeft(rest, " \n"); head == "GUARDS:" && (strings.HasPrefix(tree, "|") || strings.HasPrefix(tree, "+-")) {
		t.endGuards()
		m.Text = tree
		return t.headless(m, tree)
	}
	if head == "GUARDS:" {
		t.endGuards()
		t.ofList = m
		for line := range strings.Lines(rest) {
			t.addGuard(line)
		}
		return true
	}
	if t.ofList.Text == "" {
		return false
	}
	if m.Artifact == "guards" && m.ID == t.ofList.ID && head != "" && head != "TREE_GUARD_MANAGER:" && !strings.HasPrefix(head, "|") && !strings.HasPrefix(head, "+-") && !strings.HasSuffix(head, "guard function:") {
		for line := range strings.Lines(m.Text) {
			t.addGuard(line)
		}
		return true
	}
	t.endGuards()
	return false
}

func (t *logText) addGuard(line string) {
	if line = strings.TrimSpace(line); line != "" {
		t.guards = append(t.guards, line)
	}
}

func (t *logText) endGuards() {
	if len(t.guards) > 0 {
		t.told["guards"] = true
		t.identify(&t.ofList)
		t.ended[t.ofList.ID] = "guards"
		t.entry(t.ofList, `"dynamo_cpp_guards_str": {}`, "TREE_GUARD_MANAGER:\n+- RootGuardManager\n| +- GUARD: "+strings.Join(t.guards, "\n| +- GUARD: "))
	}
	t.guards, t.ofList = nil, torchlog.Message{}
}
