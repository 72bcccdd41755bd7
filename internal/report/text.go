package report

import (
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

// comment makes comment lines of a text.
func comment(indent, text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		line = strings.TrimRight(strings.ReplaceAll(line, "\r", ""), " \t")
		if line == "" {
			b.WriteString(indent + "#\n")
		} else {
			b.WriteString(indent + "# " + line + "\n")
		}
	}
	return b.String()
}

// oneLine makes a text fit for the end of a line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// pyBytes makes text fit for a Python source file, which has to be UTF-8
// without NUL bytes. Names that come from Python may hold lone surrogates.
func pyBytes(s string) []byte { return []byte(pyText(s)) }

func pyText(s string) string {
	s = pyClean(s)
	if !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	return s
}

// pyClean is pyText for a text that another follows.
func pyClean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// plural is "1 version", "2 versions".
func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// verdictText says in words what a verdict means.
func verdictText(r explain.DecompileResult) string {
	if r.Proven && r.Detail != "" {
		return provenText(r) + "; " + oneLine(r.Detail)
	}
	return provenText(r)
}

func provenText(r explain.DecompileResult) string {
	switch {
	case r.Proven && r.Verdict == "exact":
		return "exact: recompiled, it gives the same instructions"
	case r.Proven && r.Bare:
		return r.Verdict + ": it has the same effects as the bytecode, run without what CPython compiles into a coroutine to turn StopIteration into RuntimeError"
	case r.Proven:
		return r.Verdict + ": it has the same effects as the bytecode"
	case r.Verdict == "":
		return "none: it was not decompiled"
	case r.Detail != "":
		return r.Verdict + ": " + strings.TrimLeft(oneLine(r.Detail), ": ")
	}
	return r.Verdict
}
