package explain

import (
	"regexp"
	"strconv"
	"strings"
)

// Frame is one line of a stack.
type Frame struct {
	File string
	Line int
	Name string
	Code string
}

var stackLine = regexp.MustCompile(`^\s*File "(.*)", line (\d+)(?:, in (.*))?$`)

// stackIn finds the frames of a traceback in a text, outermost first.
func stackIn(text string) []Frame {
	if !strings.Contains(text, `File "`) {
		return nil
	}
	var out []Frame
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		m := stackLine.FindStringSubmatch(strings.TrimRight(l, " \t\r"))
		if m == nil {
			continue
		}
		fr := Frame{File: m[1], Name: m[3]}
		fr.Line, _ = strconv.Atoi(m[2])
		if i+1 < len(lines) && !stackLine.MatchString(lines[i+1]) {
			fr.Code = strings.TrimSpace(lines[i+1])
		}
		out = append(out, fr)
	}
	return out
}

// UsersLine is the frame of a stack that a reader looks for: the innermost one in a file of the user's,
// or the innermost one where all are of libraries. ok is false for an empty stack.
func UsersLine(stack []Frame) (at Frame, ok bool) {
	for i := len(stack) - 1; i >= 0; i-- {
		if !LibraryFile(stack[i].File) {
			return stack[i], true
		}
	}
	if len(stack) == 0 {
		return Frame{}, false
	}
	return stack[len(stack)-1], true
}

var standardLibrary = regexp.MustCompile(`/lib/python3\.\d+/|^<frozen `)

// LibraryFile reports whether a file is torch's, Python's or of another library.
func LibraryFile(file string) bool {
	file = slashes(file)
	return strings.Contains(file, "/site-packages/") || strings.Contains(file, "/dist-packages/") ||
		standardLibrary.MatchString(file)
}

// originComment is the comment with which torch says where operations come from
// (torch/fx/graph.py, CodeGen). In a backward graph it names the line of the forward pass, since 2.13
// in words that say so.
var originComment = regexp.MustCompile(`^\s*# (?:Backward of forward node: )?File: (.+?):(\d+) in ([^,]*)(?:, code: (.*))?`)

// OriginOf reads such a comment.
func OriginOf(line string) (Frame, bool) {
	if !strings.Contains(line, "File: ") {
		return Frame{}, false
	}
	m := originComment.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
	if m == nil {
		return Frame{}, false
	}
	n, _ := strconv.Atoi(m[2])
	return Frame{File: m[1], Line: n, Name: m[3], Code: strings.TrimSpace(m[4])}, true
}
