package torchlog

import (
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

// Message is one message of torch's loggers: TORCH_LOGS writes it with the header before each line.
type Message struct {
	Header
	Text string
}

// heads begin a message, wherever they stand. Lines of two messages may have equal headers,
// and lines that were pasted without their prefixes have none.
var heads = lazyregexp.New(`^\s*(?:Graph break (?:\([^)]*\) )?in user code at |Graph break: |(?:\(')?Recompiling function |(?:ORIGINAL|MODIFIED) BYTECODE |TREE_GUARD_MANAGER:|GUARDS:|` +
	`TRACED GRAPH|Output code: |Output code:$|Output code written to: |torchdynamo start compiling |Step \d: |create_symbol |torch\._dynamo hit config\.|torch\._dynamo\.exc\.\w*Limit(?:Hit|Exceeded): |WON'T CONVERT |` +
	`Guard eval latency|Python shape guard function:|C\+\+ shape guard function:)`)

// isHead reports whether a text begins a message. Most lines are of what TORCH_LOGS=+dynamo traces: a letter or a
// word tells that they do not.
func isHead(text string) bool {
	bare := strings.TrimLeft(text, " \t")
	return bare != "" && strings.IndexByte("CGMOPRSTWct(", bare[0]) >= 0 && !strings.HasPrefix(bare, "TRACE ") && heads.MatchString(bare)
}

// messages puts lines together. Lines of several processes may stand between each other.
type messages struct {
	open   map[string]*Message // by process
	order  []string            // of the processes
	bare   *Message            // of lines without any prefix
	body   bool                // the bare message has come to its indented part
	quoted bool                // its first line has the mark of a quotation
	short  *Message            // has had one line with a prefix so far: those behind it may have none
	done   []Message

	prefix string // of the last line that has one
	last   Header // that it tells
}

// take takes in a line and reports whether it is torch's.
func (m *messages) take(line string) bool {
	line = plain(line)
	h, text, ok := m.header(line)
	if !ok {
		return m.bareLine(line)
	}
	m.closeBare()
	last := m.open[h.Process]
	if last != nil && last.Header == h && !isHead(text) {
		if last != m.short || text != "" { // an empty line tells nothing of how the others are written
			m.short = nil
		}
		last.Text += "\n" + text
		return true
	}
	if last != nil {
		m.done = append(m.done, *last)
	} else {
		if m.open == nil {
			m.open = map[string]*Message{}
		}
		m.order = append(m.order, h.Process)
	}
	m.short = &Message{h, text}
	m.open[h.Process] = m.short
	return true
}

// header parts a line from its prefix. That of the line before is most often the same: comparing takes less
// than reading it.
func (m *messages) header(line string) (h Header, text string, ok bool) {
	if rest, same := strings.CutPrefix(line, m.prefix); same && m.prefix != "" && !strings.HasPrefix(rest, "[") { // which may be a tag
		return m.last, rest, true
	}
	h, text, ok = header(line)
	if prefix := line[:len(line)-len(text)]; ok && strings.HasSuffix(prefix, " ") {
		m.prefix, m.last = prefix, h
	}
	return h, text, ok
}

// bareLine takes in a line that has no prefix: it is torch's from a head on, as long as it
// can belong to such a message. Behind the one line of a message that has a prefix it may be torch's, too:
// torch before 2.2 and Python's own formatters write a prefix once for a message.
func (m *messages) bareLine(line string) bool {
	plain := unquoted(line)
	if bare := isHead(line); bare || isHead(plain) {
		m.closeBare()
		h := Header{At: "bare"}
		if strings.HasPrefix(strings.TrimLeft(plain, " \t"), "torch._dynamo.exc.") {
			m.closeAll() // what Python writes of an error stands behind what torch has told of it, and is of the same process
			h.Process, h.Rank = m.last.Process, m.last.Rank
		}
		m.short, m.quoted = nil, !bare
		m.bare = &Message{h, strings.TrimLeft(plain, " \t")}
		m.body = false
		return true
	}
	if m.short != nil {
		if !behind.MatchString(line) {
			line = plain
		}
		blank := strings.TrimSpace(line) == "" && blanks.MatchString(m.short.Text)
		if (blank || behind.MatchString(line)) && isHead(m.short.Text) && !strings.HasPrefix(m.short.Text, "Output code") {
			m.short.Text += "\n" + line
			return true
		}
		m.short = nil
	}
	if m.quoted {
		line = plain
	}
	if m.bare == nil || !m.goesOn(line) {
		m.closeBare()
		return false
	}
	m.bare.Text += "\n" + line
	return true
}

// behind begins a line without a prefix that may belong to a message whose first line has one. Other
// programs write lines, too: theirs are seldom indented.
var behind = lazyregexp.New(`^(?:\s+\S|\+- |Reason: |Graph Break Reason: |User code traceback:|Traceback \(|due to:)`)

// blanks matches a message that has begun and may have empty lines: a graph, or a listing of bytecode.
var blanks = lazyregexp.New(`^\s*(?:TRACED GRAPH|(?:ORIGINAL|MODIFIED) BYTECODE ).*\n`)

var bytecodeLine = lazyregexp.New(`^\s*(?:\d+\s|L\d+(?::| to )|>>|-->|[A-Z][A-Z_]+\b|Disassembly of |ExceptionTable|--\s)`)

// goesOn reports whether a line without a prefix can belong to the message before it.
func (m *messages) goesOn(line string) bool {
	head := m.bare.Text
	blank := strings.TrimSpace(line) == ""
	indented := blank || line[0] == ' ' || line[0] == '\t'
	switch {
	case strings.HasPrefix(head, "Graph break"):
		// It ends with the user's traceback.
		m.body = m.body || strings.Contains(line, `File "`)
		return !m.body || indented && !blank
	case strings.HasPrefix(head, "TREE_GUARD"):
		return strings.HasPrefix(line, "+-") || strings.HasPrefix(line, "|")
	case strings.HasPrefix(head, "TRACED GRAPH"):
		was := m.body
		m.body = m.body || strings.Contains(line, "class ") && strings.HasSuffix(strings.TrimRight(line, " "), ":")
		return !was || indented
	case strings.Contains(head, "BYTECODE "):
		return blank || bytecodeLine.MatchString(line)
	case strings.HasPrefix(head, "Output code:"):
		return true
	case strings.HasPrefix(head, "WON'T CONVERT"):
		return indented || strings.HasPrefix(line, "due to:") || strings.HasPrefix(line, "Traceback ") || strings.Contains(line, "Error")
	}
	return indented && !blank
}

func (m *messages) closeBare() {
	if m.bare != nil {
		m.done = append(m.done, *m.bare)
		m.bare = nil
	}
}

// end closes what is open.
func (m *messages) end() {
	m.closeBare()
	m.closeAll()
}

// closeAll closes the open messages that have prefixes.
func (m *messages) closeAll() {
	for _, p := range m.order {
		m.done = append(m.done, *m.open[p])
	}
	m.open, m.order = nil, nil
}

// next is the first message that is complete.
func (m *messages) next() (Message, bool) {
	if len(m.done) == 0 {
		return Message{}, false
	}
	first := m.done[0]
	m.done = slices.Delete(m.done, 0, 1)
	return first, true
}
