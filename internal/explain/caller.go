package explain

import (
	"slices"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/cfg"
)

// breakStack is the user's stack in the text of a graph break, outermost frame first. It is cut off before the traceback of torch
// itself. Before torch 2.9 it begins with the function that is compiled, from then on with the program.
func breakStack(text string) []Frame {
	user, _, _ := strings.Cut(text, "Traceback (most recent call last)")
	return stackIn(user)
}

// caller is the nearest line of the user's that leads to a break in a library; nil for a break in the user's own code, and where
// no such line is known. outer is the stack on which the compilation began. While transformed code runs, the lines of that are
// those of breaks before: of a line that only it has, the function alone is told.
func (b Break) caller(outer []Frame) *Frame {
	if !LibraryFile(b.File) {
		return nil
	}
	if at, ok := UsersLine(breakStack(b.Raw)); ok && !LibraryFile(at.File) {
		return &Frame{File: at.File, Line: at.Line, Name: resumedName(at.Name), Code: at.Code}
	}
	return callerIn(outer)
}

// through are the calls between the function that is compiled and the line that breaks. What is further out is the program's, or
// transformed code, of which a stack has the lines of breaks before.
func (b Break) through(function, file string) []Frame {
	stack := breakStack(b.Raw)
	for i, fr := range stack {
		if fr.Name == function && (file == "" || fr.File == file) {
			return slices.DeleteFunc(stack[i:], func(fr Frame) bool { return fr.File == b.File && fr.Line == b.Line })
		}
	}
	return nil
}

// callerIn is the user's function that is nearest to the end of a stack on which a compilation began.
func callerIn(outer []Frame) *Frame {
	if at, ok := UsersLine(outer); ok && !LibraryFile(at.File) {
		return &Frame{File: at.File, Name: resumedName(at.Name)}
	}
	return nil
}

// Caller is the user's function that leads to this compilation of a library's code; nil where none is known.
func (c *Compile) Caller() *Frame { return callerIn(c.Stack) }

// ResumedAt is the function that a resume function goes on with, and the line in its name; not ok where that has none.
func ResumedAt(name string) (function string, line int, ok bool) {
	at := strings.LastIndex(name, "_at_")
	if at < 0 || !cfg.ResumeName(name) {
		return "", 0, false
	}
	n, err := strconv.Atoi(strings.TrimSuffix(name[at+len("_at_"):], ">"))
	return resumedName(name), n, err == nil
}
