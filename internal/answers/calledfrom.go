package answers

import (
	"cmp"
	"slices"

	"github.com/thuml/depyf/internal/explain"
)

// CalledFrom is a place that a function was called from when one of its versions was compiled: a line, or a function that was
// compiled itself. While compiled code runs, the lines of that are not what Python tells, so that it goes without.
type CalledFrom struct {
	Function *explain.Function // nil for a line
	Caller
}

// CallersOf lists where a function was called from, each place once. Torch's own code, and other libraries', is passed over.
func CallersOf(p *explain.Program, f *explain.Function) []CalledFrom {
	var out []CalledFrom
	for _, v := range f.Versions {
		if v.Compile == nil || len(v.Compile.Stack) == 0 {
			continue
		}
		stack := v.Compile.Stack
		if last := stack[len(stack)-1]; last.Function() == f.Name && p.Places.Same(last.File, f.File) {
			stack = stack[:len(stack)-1]
		}
		for _, at := range slices.Backward(stack) {
			if explain.LibraryFile(at.File) || at.Line <= 0 {
				continue
			}
			from := CalledFrom{Caller: Caller{Function: at.Name, File: at.File, Line: at.Line, Code: codeOf(p, at)}}
			if g := compiledAround(p, at); g != nil {
				from = CalledFrom{Function: g, Caller: Caller{Function: g.Title, File: at.File}}
			}
			if from.Function != f && !slices.Contains(out, from) {
				out = append(out, from)
			}
			break
		}
	}
	return out
}

// callerOf is the user's line that leads to the compilation of a library's code; the zero value where none is known. Of a function
// that was compiled itself the line is not known.
func callerOf(p *explain.Program, c *explain.Compile) Caller {
	at, ok := explain.UsersLine(c.Stack)
	if !ok || explain.LibraryFile(at.File) {
		return Caller{}
	}
	out := Caller{Function: at.Function(), File: at.File}
	if compiledAround(p, at) == nil {
		out.Line, out.Code = at.Line, codeOf(p, at)
	}
	return out
}

// codeOf is the text of a frame's line. What torch 2.6 tells of a stack does not quote it.
func codeOf(p *explain.Program, at explain.Frame) string {
	return cmp.Or(at.Code, lineOf(p, at.File, at.Line))
}

// compiledAround is the compiled function that a frame is of; nil for one that was not compiled.
func compiledAround(p *explain.Program, at explain.Frame) *explain.Function {
	var found *explain.Function
	for _, f := range p.Functions {
		same := f.Name == at.Function() && p.Places.Same(f.File, at.File) && f.Line <= at.Line
		if same && (found == nil || f.Line > found.Line) {
			found = f
		}
	}
	return found
}
