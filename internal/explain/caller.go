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

// Function is the function that a frame is of; of a resume function, that which it goes on with.
func (f Frame) Function() string { return resumedName(f.Name) }

// through are the calls between the function that is compiled and the line that breaks, outermost first. outer is the stack on
// which the compilation began, the function last. What is further out is the program's, or transformed code, of which a stack has
// the lines of breaks before.
func (b Break) through(outer []Frame) []Frame {
	if len(outer) == 0 {
		return nil
	}
	function := outer[len(outer)-1]
	same := func(fr Frame) bool {
		return resumedName(fr.Name) == resumedName(function.Name) && fr.File == function.File
	}
	stack := breakStack(b.Raw)
	nth := 1 // of the frames of that name: methods of modules inside others are all called forward
	if slices.ContainsFunc(stack, func(fr Frame) bool { return fr.Name == outer[0].Name && fr.File == outer[0].File }) {
		for i, fr := range outer[:len(outer)-1] {
			if same(fr) && !(cfg.ResumeName(outer[i+1].Name) && same(outer[i+1])) { // which goes on with it
				nth++
			}
		}
	}
	at := -1
	for i, fr := range stack {
		if nth > 0 && same(fr) {
			at = i
			nth--
		}
	}
	if at < 0 {
		return nil
	}
	return slices.DeleteFunc(stack[at:], func(fr Frame) bool { return fr.File == b.File && fr.Line == b.Line })
}

// callerIn is the user's function that is nearest to the end of a stack on which a compilation began.
func callerIn(outer []Frame) *Frame {
	if at, ok := UsersLine(outer); ok && !LibraryFile(at.File) {
		return &Frame{File: at.File, Name: resumedName(at.Name)}
	}
	return nil
}

// ResumedAt is the function that a resume function goes on with, and the line in its name; not ok where that has none.
func ResumedAt(name string) (function string, line int, ok bool) {
	at := strings.LastIndex(name, "_at_")
	if at < 0 || !cfg.ResumeName(name) {
		return "", 0, false
	}
	n, err := strconv.Atoi(strings.TrimSuffix(name[at+len("_at_"):], ">"))
	return resumedName(name), n, err == nil
}
