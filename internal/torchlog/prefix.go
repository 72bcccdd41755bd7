package torchlog

import (
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

// Header is what stands before the text of a line that torch's loggers wrote.
type Header struct {
	Process  string // rank and process, as far as the line tells them; "" where it does not
	Rank     string
	Level    byte   // 'V', 'I', 'W', 'E' or 'C'; 0 where the line does not tell
	At       string // when and where: equal for all lines of a message
	ID       string // compile id, "0/1"; "" where the line does not tell
	Attempt  int    // of the compile id
	Artifact string // "guards" of [__guards]; "" for the log of a module
}

var (
	// Of torch 2.3 and newer: V1121 02:37:03.355000 9006 torch/_dynamo/guards.py:2321] [0/0_1] [__guards] text
	glogLine = lazyregexp.New(`(?:\[rank(\d+)\]:\s?)?([VDIWEC])(\d{4} \d\d:\d\d:\d\d\.\d+) (\d+) (\S.*?:\d+)\](?: (.*))?$`)
	// Older: [2024-02-06 10:32:24,334] [0/0] torch._dynamo.guards.__guards: [DEBUG] text
	datedLine = lazyregexp.New(`(?:\[rank(\d+)\]:\s?)?\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d+)\] (?:\[([^\]]*)\] )?(torch[\w.]*?)(?:\.__(\w+))?: \[(DEBUG|INFO|WARNING|ERROR|CRITICAL)\](?: (.*))?$`)
	// Of Python's own formatter, where a program has set up logging: DEBUG:torch._dynamo.guards.__recompiles:text
	namedLine = lazyregexp.New(`^\s*(?:[>#]\s+)*(DEBUG|INFO|WARNING|ERROR|CRITICAL):(torch[\w.]*?)(?:\.__(\w+))?:(.*)$`)
	// A line of which somebody has cut off the time: torch/_dynamo/guards.py:2813] [0/1] [__recompiles] text
	timeless = lazyregexp.New(`^\s*(\S*torch[/\\]\S*\.py:\d+)\](?: (.*))?$`)
	// A line whose prefix somebody has cut off, as far as the tags or to the file's name: [0/0] [__guards] text
	tagsOnly = lazyregexp.New(`^(?:\s*|.*[\]\s.…])(\[[!\d/_]+\] )(\[__[a-z_]+\])(?: (.*))?$|^\s*(\[__[a-z_]+\])(?: (.*))?$`)
	// The same of a message of no kind, which only its head tells from the output of a program that counts: [0/0] create_symbol …
	idOnly     = lazyregexp.New(`^\s*(\[!?\d+/[\d/_]+\] )(.*)$`)
	idTag      = lazyregexp.New(`^\[(!?[\d/]+)(?:_(\d+))?\](?: |$)`)
	artefact   = lazyregexp.New(`^\[__(\w+)\](?: |$)`)
	colours    = lazyregexp.New("\x1b\\[[0-9;?]*[A-Za-z]")
	quotes     = lazyregexp.New(`^\s{0,3}(?:>\s?)+|^\s*#\s(?:\s*\[(?:DEBUG|INFO|WARNING)\] )?|^\s*\[(?:DEBUG|INFO|WARNING)\] `)
	timestamps = lazyregexp.New(`^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)? ?`)
)

// plain is a line without colours, carriage returns and what a server for continuous
// integration writes before it.
func plain(line string) string {
	if strings.IndexByte(line, 0x1b) >= 0 {
		line = colours.ReplaceAllString(line, "")
	}
	line = strings.TrimRight(line, "\r")
	if len(line) > 19 && line[0] == '2' {
		line = timestamps.ReplaceAllString(line, "")
	}
	return line
}

// unquoted is a line without the marks of a quotation, a comment or a level alone.
func unquoted(line string) string {
	return line[len(quotes.FindString(line)):]
}

// level is the letter of a level's name: torch writes V for DEBUG.
func level(name string) byte {
	if name == "DEBUG" {
		return 'V'
	}
	return name[0]
}

// maxPID is the largest number of a process: what is larger is the number of a thread, of
// which a process has several (torch 2.3 and 2.4).
const maxPID = 1 << 22

// header parts a line from its prefix; not ok if it has none.
func header(line string) (h Header, text string, ok bool) {
	if m := glogLine.FindStringSubmatch(line); m != nil {
		h = Header{Rank: m[1], Level: m[2][0], At: m[3] + " " + m[4] + " " + m[5]}
		if n, err := strconv.ParseInt(m[4], 10, 64); err == nil && n <= maxPID {
			h.Process = m[4]
		}
		h.Process = strings.TrimSuffix(h.Rank+" "+h.Process, " ")
		return h, h.tags(m[6]), true
	}
	if m := datedLine.FindStringSubmatch(line); m != nil {
		h = Header{Rank: m[1], Process: m[1], At: m[2] + " " + m[4], Artifact: m[5], Level: level(m[6])}
		h.id("[" + m[3] + "]")
		return h, m[7], true
	}
	if m := namedLine.FindStringSubmatch(line); m != nil {
		h = Header{At: m[2], Artifact: m[3], Level: level(m[1])}
		return h, h.tags(m[4]), true
	}
	if m := timeless.FindStringSubmatch(line); m != nil {
		h.At = m[1]
		return h, h.tags(m[2]), true
	}
	if m := tagsOnly.FindStringSubmatch(line); m != nil {
		h.At = "no prefix"
		return h, h.tags(m[1] + m[2] + m[4] + " " + m[3] + m[5]), true
	}
	if m := idOnly.FindStringSubmatch(line); m != nil && isHead(m[2]) {
		h.At = "no prefix"
		return h, h.tags(m[1] + m[2]), true
	}
	return h, "", false
}

// tags takes the compile id and the artifact's name from the beginning of a text.
func (h *Header) tags(text string) string {
	text = h.id(text)
	if m := artefact.FindStringSubmatch(text); m != nil {
		h.Artifact = m[1]
		text = text[len(m[0]):]
	}
	return text
}

func (h *Header) id(text string) string {
	m := idTag.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	h.ID = m[1]
	h.Attempt, _ = strconv.Atoi(m[2])
	return text[len(m[0]):]
}
