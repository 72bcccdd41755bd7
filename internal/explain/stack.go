package explain

import (
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

// Frame is one line of a stack.
type Frame struct {
	File string
	Line int
	Name string
	Code string
}

// stackLine reads a line of a traceback that tells a place: File "model.py", line 7, in forward. A log of many graph breaks has
// so many of them that a regular expression took a tenth of the time of its report.
func stackLine(line string) (Frame, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), `File "`)
	for end := len(rest); ok; {
		const mark = `", line `
		if end = strings.LastIndex(rest[:end], mark); end < 0 {
			break
		}
		number, name, named := strings.Cut(rest[end+len(mark):], ", in ")
		if n, err := strconv.ParseUint(number, 10, 31); err == nil && (name != "" || !named) {
			return Frame{File: rest[:end], Line: int(n), Name: name}, true
		}
	}
	return Frame{}, false
}

// stackIn finds the frames of a traceback in a text, outermost first.
func stackIn(text string) []Frame {
	if !strings.Contains(text, `File "`) {
		return nil
	}
	var out []Frame
	before := false // the line before this one tells a place
	for line := range strings.SplitSeq(text, "\n") {
		fr, ok := stackLine(line)
		switch {
		case ok:
			out = append(out, fr)
		case before:
			out[len(out)-1].Code = strings.TrimSpace(line)
		}
		before = ok
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

var standardLibrary = lazyregexp.New(`/lib/python3\.\d+/|^<frozen `)

// torchCheckout matches files of torch itself that runs from its sources: pytorch/torch/_dynamo/…. Its packages that have
// no underscore in front could be a user's.
var torchCheckout = lazyregexp.New(`/torch/(?:_\w+/|nn/modules/\w+\.py$|nn/functional\.py$|utils/_\w+)`)

// LibraryFile reports whether a file is torch's, Python's or of another library.
func LibraryFile(file string) bool {
	file = slashes(file)
	return strings.Contains(file, "/site-packages/") || strings.Contains(file, "/dist-packages/") ||
		standardLibrary.MatchString(file) || strings.Contains(file, "/torch/") && torchCheckout.MatchString(file)
}

// OriginOf reads the comment with which torch says where operations come from (torch/fx/graph.py,
// CodeGen): "# File: model.py:7 in forward, code: return x". In a backward graph it names the line of
// the forward pass, since 2.13 in words that say so. Graphs are mostly read for these comments: a
// regular expression took a twentieth of the time of writing a dump.
func OriginOf(line string) (Frame, bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "# ")
	if !ok {
		return Frame{}, false
	}
	rest, ok = strings.CutPrefix(strings.TrimPrefix(rest, "Backward of forward node: "), "File: ")
	if !ok {
		return Frame{}, false
	}
	rest = strings.TrimRight(rest, "\r\n")
	for at := 1; at < len(rest); at++ { // Behind the drive's letter comes a colon, too.
		if rest[at] != ':' {
			continue
		}
		number := rest[at+1:]
		behind := strings.TrimLeft(number, "0123456789")
		n, err := strconv.ParseUint(number[:len(number)-len(behind)], 10, 31)
		name, named := strings.CutPrefix(behind, " in ")
		if err != nil || !named && !strings.HasPrefix(behind, ", code: ") { // torch before 2.3 names no function
			continue
		}
		name, code, _ := strings.Cut(name, ",")
		code, ok = strings.CutPrefix(code, " code: ")
		if !ok {
			code = ""
		}
		return Frame{File: rest[:at], Line: int(n), Name: name, Code: strings.TrimSpace(code)}, true
	}
	return Frame{}, false
}
