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
	`TRACED GRAPH|Output code: |Output code:$|Output code written to: |torchdynamo start compiling |Step \d: |create_symbol |torch(?:\._)?dynamo hit config\.|WON'T CONVERT |` +
	`Guard eval latency|Python shape guard function:|C\+\+ shape guard function:)`)

// isHead reports whether a text begins a message. Most lines are of what TORCH_LOGS=+dynamo traces: a letter or a
// word tells that they do not.
func isHead(text string) bool {
	bare := strings.TrimLeft(text, " \t")
	return bare != "" && strings.IndexByte("CGMOPRSTWct(", bare[0]) >= 0 && !strings.HasPrefix(bare, "TRACE ") && heads.MatchString(bare)
}

// messages puts lines together. Lines of several processes may stand between each other.
type messages struct {
	open  map[string]*Message // by process
	order []string            // of the processes
	bare  *unmarked           // a message without any prefix
	alone *unmarked           // a message that has had one line with a prefix so far: those behind it may have none
	done  []Message

	frames  int // lines of a traceback, which are torch's if the error at its end is
	claimed int // lines that turned out to be torch's after they were read

	ranks map[string]string // the process of each rank

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
	if h.Rank != "" && m.ranks[h.Rank] != h.Process {
		if m.ranks == nil {
			m.ranks = map[string]string{}
		}
		m.ranks[h.Rank] = h.Process
	}
	last := m.open[h.Process]
	if last != nil && last.Header == h && !isHead(text) {
		if m.alone != nil && (last != m.alone.Message || text != "") { // an empty line tells nothing of how the others are written
			m.alone = nil
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
	begun := &Message{h, text}
	m.alone = &unmarked{Message: begun, before: line[:len(line)-len(text)]}
	m.open[h.Process] = begun
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
		head := strings.TrimLeft(plain, " \t")
		m.alone = nil
		m.bare = begin(&Message{h, head}, line[:len(line)-len(head)])
		return true
	}
	if m.alone != nil {
		if m.alone.form.goesOn == nil && isHead(m.alone.Text) {
			m.alone = begin(m.alone.Message, m.alone.before)
		}
		if m.alone.form.goesOn != nil && m.alone.take(line) {
			return true
		}
		m.alone = nil
	}
	if m.bare != nil && m.bare.take(line) {
		return true
	}
	m.closeBare()
	return m.uncaught(plain)
}

// uncaught takes in a line of what Python writes when an error of Dynamo's ends the program: a traceback, and the error with what
// torch says of it.
func (m *messages) uncaught(line string) bool {
	of, before := m.last, ""
	if g := ofRank.FindStringSubmatch(line); g != nil { // how a program with several ranks prints it
		before, line = g[0], line[len(g[0]):]
		if of.Rank != g[1] {
			of = Header{Process: m.ranks[g[1]], Rank: g[1]}
		}
		if of.Process == "" {
			of.Process = of.Rank
		}
	}
	switch {
	case dynamoError.MatchString(line):
		m.closeAll() // it stands behind what torch has told of it, and is of the same process
		m.bare = begin(&Message{Header{At: "bare", Process: of.Process, Rank: of.Rank}, line}, before)
		m.claimed += m.frames
		m.frames = 0
		return true
	case strings.HasPrefix(line, "Traceback (most recent call last)") || m.frames > 0 && (blank(line) || indented(line) || errorLine.MatchString(line) || chained.MatchString(line)):
		if !blank(line) {
			m.frames++
		}
	default:
		m.frames = 0
	}
	return false
}

var (
	ofRank      = lazyregexp.New(`^\[rank(\d+)\]: ?`)
	dynamoError = lazyregexp.New(`^torch\._dynamo\.exc\.\w+: `)
	chained     = lazyregexp.New(`^(?:The above exception was|During handling of the above)`)
)

func (m *messages) closeBare() {
	if m.bare != nil {
		m.done = append(m.done, *m.bare.Message)
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
