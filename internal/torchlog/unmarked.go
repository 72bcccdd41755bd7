package torchlog

import (
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

// unmarked is a message whose lines behind the first have no prefix. Which of those that follow are its own shows in
// how torch writes a message of its kind: other programs write lines, too.
type unmarked struct {
	*Message
	before string // what stands before its first line, and may before the others: an indentation, the mark of a quotation
	form   form
	body   bool // it has come to its main part
}

// form is how a kind of message is written.
type form struct {
	heads  []string
	goesOn func(m *unmarked, line string) bool // whether a line belongs to it
}

var forms = []form{
	{[]string{"Graph break"}, breakGoesOn},
	{[]string{"TREE_GUARD_MANAGER:"}, func(_ *unmarked, line string) bool {
		return strings.HasPrefix(line, "+-") || strings.HasPrefix(line, "|")
	}},
	{[]string{"GUARDS:"}, func(_ *unmarked, line string) bool { return guardLine.MatchString(line) }},
	{[]string{"TRACED GRAPH"}, graphGoesOn},
	{[]string{"ORIGINAL BYTECODE ", "MODIFIED BYTECODE "}, func(_ *unmarked, line string) bool {
		return blank(line) || bytecodeLine.MatchString(line)
	}},
	{[]string{"Output code written to: ", "Guard eval latency", "Step ", "create_symbol "}, func(*unmarked, string) bool { return false }},
	{[]string{"Output code:"}, func(*unmarked, string) bool { return true }},
	{[]string{"torch._dynamo hit config.", "torchdynamo hit config."}, func(_ *unmarked, line string) bool {
		return indented(line) || limitLine.MatchString(line)
	}},
	{[]string{"torch._dynamo.exc."}, func(_ *unmarked, line string) bool {
		return blank(line) || indented(line) || aboutError.MatchString(line) || errorLine.MatchString(line) && !strings.HasPrefix(line, "Traceback ")
	}},
	{[]string{"WON'T CONVERT "}, func(_ *unmarked, line string) bool {
		return blank(line) || indented(line) || errorLine.MatchString(line)
	}},
	{[]string{""}, func(_ *unmarked, line string) bool { return indented(line) }},
}

var (
	bytecodeLine = lazyregexp.New(`^\s*(?:\d+\s|L\d+(?::| to )|>>|-->|[A-Z][A-Z_]+\b|Disassembly of |ExceptionTable|--\s)`)
	guardLine    = lazyregexp.New(`\b[LG]\[|___|check_tensor\(|utils_device\.|\.Generator`)
	errorLine    = lazyregexp.New(`^(?:due to:|Traceback |from user code:|[\w.]*(?:Error|Exception|Failed|Unsupported)\b)`)
	breakLine    = lazyregexp.New(`^(?:Graph Break Reason: |Reason: |User code traceback:)`)
	limitLine    = lazyregexp.New(`^(?:function|last reason|reasons): |^[Tt]o (?:log all recompilation|diagnose recompilation)`)
	aboutError   = lazyregexp.New(`^(?:from user code:|Set TORCH|You can suppress|For more)`)
)

func blank(line string) bool { return strings.TrimSpace(line) == "" }

func indented(line string) bool {
	return !blank(line) && (line[0] == ' ' || line[0] == '\t')
}

// breakGoesOn: a graph break ends with the user's traceback, or the error behind it. One that torch has told of before has none.
func breakGoesOn(m *unmarked, line string) bool {
	if strings.Contains(line, `File "`) {
		m.body = true
	}
	switch {
	case !m.body && !strings.Contains(firstLine(m.Text), "suppressed"):
		return true
	case m.body:
		// Until torch 2.5 the error with which torch found it stands behind.
		return indented(line) || breakLine.MatchString(line) || strings.HasPrefix(m.Text, "Graph break:") && errorLine.MatchString(line)
	}
	return blank(line) || indented(line) || breakLine.MatchString(line) || strings.HasSuffix(strings.TrimSpace(m.Text), ":")
}

// graphGoesOn: a graph has a line with its name, one with its class, and its code. A table of its nodes ends with an empty line.
func graphGoesOn(m *unmarked, line string) bool {
	if m.Artifact == "graph" {
		return !blank(line)
	}
	if m.body {
		return blank(line) || indented(line)
	}
	m.body = strings.Contains(line, "class ") && strings.HasSuffix(strings.TrimRight(line, " "), ":")
	return m.body || blank(line) || strings.Contains(line, "=====")
}

func firstLine(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return first
}

// begin is a message that has begun with a line, behind what stands before it.
func begin(m *Message, before string) *unmarked {
	u := &unmarked{Message: m, before: quotes.FindString(before)}
	if ofRank.MatchString(before) {
		u.before = before
	} else if u.before == "" {
		u.before = before[:len(before)-len(strings.TrimLeft(before, " \t"))]
	}
	for _, f := range forms {
		for _, head := range f.heads {
			if u.form.goesOn == nil && strings.HasPrefix(strings.TrimLeft(m.Text, " \t"), head) {
				u.form = f
			}
		}
	}
	return u
}

// take takes in a line, if it belongs to the message.
func (m *unmarked) take(line string) bool {
	own, marked := strings.CutPrefix(line, m.before)
	if !marked && (blank(line) || strings.TrimRight(m.before, " ") == line) {
		own = ""
	}
	if !m.form.goesOn(m, own) {
		return false
	}
	m.Text += "\n" + own
	return true
}
