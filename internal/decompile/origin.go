package decompile

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyprint"
	"github.com/thuml/depyf/internal/sugar"
)

// Origin says where Dynamo's code comes from, as far as that is known. It only
// serves to name things and to tell the reader where he is.
type Origin struct {
	// Code is what Dynamo took apart: the user's function, or a resume function.
	Code *pyc.Code
	// File is what a person calls its file, where that is not the end of its path.
	File string
	// First and Lines are the text of the user's function.
	First int
	Lines []string
	// Graphs are those that the code calls, by global name.
	Graphs map[string]GraphOrigin
}

// GraphOrigin says what is known of a compiled graph.
type GraphOrigin struct {
	Outputs []string // what its results are called, "" where they have no name
	Lines   []int    // the lines of the user's file that it computes
	Callees bool     // it also computes what other files say
}

// outputs lists the names of the graphs' results.
func (o Origin) outputs() map[string][]string {
	out := map[string][]string{}
	for name, g := range o.Graphs {
		out[name] = g.Outputs
	}
	return out
}

// has reports whether a line is one of the user's function.
func (o Origin) has(line int) bool { return line >= o.First && line < o.First+len(o.Lines) }

// text is a line of the user's function without its indentation.
func (o Origin) text(line int) string { return strings.TrimSpace(o.Lines[line-o.First]) }

// annotator writes comments into the statements of one function.
type annotator struct {
	Origin
	version   pyc.Version
	positions map[pyast.Pos]bool // where instructions of the user's code stand
	last      int                // the line that was named last
	verbatim  bool               // the statement before is written as in the user's file
}

// annotate says in comments which of torch's statements are bookkeeping of its own,
// and which line of the user's a statement comes from.
//
// Dynamo gives the instructions it makes the line of some instruction before them,
// and those of its templates lines of its own files. So a line is believed only
// where an instruction of the user's code stands at the very same place, columns
// included (3.11+).
func annotate(def *pyast.FunctionDef, v pyc.Version, o Origin) {
	a := &annotator{Origin: o, version: v, positions: map[pyast.Pos]bool{}}
	if o.Code != nil && len(o.Lines) > 0 {
		last := bytecode.NoPos
		for _, p := range bytecode.Positions(o.Code) {
			if p != last && p.Col >= 0 && p.EndCol > p.Col {
				a.positions[pyast.Pos{Line: int(p.Line), Col: int(p.Col) + 1, EndLine: int(p.EndLine), EndCol: int(p.EndCol) + 1}] = true
			}
			last = p
		}
	}
	def.Body = a.list(def.Body)
}

func (a *annotator) list(l []pyast.Stmt) []pyast.Stmt {
	books := bookkeeping(l)
	var out []pyast.Stmt
	for i, s := range l {
		if books[i] != "" && (i == 0 || books[i-1] != books[i]) {
			out = append(out, &pyast.Comment{Text: "torch's own bookkeeping, " + books[i]})
		}
		if books[i] == "" {
			if i > 0 && books[i-1] != "" {
				out = append(out, &pyast.Blank{})
			}
			if text := a.place(s); text != "" {
				out = append(out, &pyast.Comment{Text: text})
			}
		}
		switch s.(type) {
		case *pyast.FunctionDef, *pyast.ClassDef:
		default:
			if books[i] != "" {
				break
			}
			pyast.Blocks(s, func(b *[]pyast.Stmt) { *b = a.list(*b) })
		}
		out = append(out, s)
	}
	return out
}

// What statements of torch's own serve.
const (
	forProfiler = "for its profiler"
	forTracing  = "for its tracing" // whether the contexts around a graph break are being entered again
)

// tracingPrologue is the variable in which a resume function says so (torch/_dynamo/resume_execution.py, 2.9 and later).
const tracingPrologue = "__is_tracing_resume_prologue"

// bookkeeping says of each statement of a list what it serves, if that is torch's own bookkeeping; else "".
func bookkeeping(l []pyast.Stmt) []string {
	out := make([]string, len(l))
	for i, s := range l {
		if t := onlyTarget(s); t != nil && t.Id == tracingPrologue {
			out[i] = forTracing
			continue
		}
		if !sugar.Mentions(s, func(n pyast.Node) bool {
			x, ok := n.(*pyast.Attribute)
			return ok && strings.HasPrefix(x.Attr, "record_pregraph_bytecode_")
		}) {
			continue
		}
		out[i] = forProfiler
		if i == 0 {
			continue
		}
		// The variable it works with.
		if t := onlyTarget(l[i-1]); t != nil && sugar.Mentions(s, func(n pyast.Node) bool {
			x, ok := n.(*pyast.Assign)
			return ok && len(x.Targets) == 1 && pyast.Equal(x.Targets[0], t)
		}) {
			out[i-1] = forProfiler
		}
	}
	return out
}

// onlyTarget is the variable that a statement assigns, if it does that alone.
func onlyTarget(s pyast.Stmt) *pyast.Name {
	d, ok := s.(*pyast.Assign)
	if !ok || len(d.Targets) != 1 {
		return nil
	}
	t, _ := d.Targets[0].(*pyast.Name)
	return t
}

// place is what the comment above a statement says about its origin; "" if nothing
// is known or it has been said.
func (a *annotator) place(s pyast.Stmt) string {
	if a.Code == nil || len(a.Lines) == 0 {
		return ""
	}
	file := cmp.Or(a.File, path.Base(strings.ReplaceAll(a.Code.Filename, "\\", "/")))
	if lines, callees := a.graphLines(s); len(lines) > 0 {
		if len(lines) == 1 && !callees {
			return a.named(file, lines[0], s)
		}
		a.last, a.verbatim = 0, false
		text := fmt.Sprintf("%s:%d", file, lines[0])
		if len(lines) > 1 {
			text += fmt.Sprintf("-%d", lines[len(lines)-1])
		}
		if callees {
			text += ", with what is called there"
		}
		return text
	}
	if line := a.line(s); line > 0 {
		return a.named(file, line, s)
	}
	return ""
}

func (a *annotator) named(file string, line int, s pyast.Stmt) string {
	before, wasVerbatim := a.last, a.verbatim
	text := a.text(line)
	a.last, a.verbatim = line, text == a.printed(s)
	switch {
	case line == before || a.verbatim && wasVerbatim:
		return ""
	case a.verbatim:
		return fmt.Sprintf("%s:%d", file, line)
	}
	return fmt.Sprintf("%s:%d: %s", file, line, text)
}

// printed is the first line of a statement's text.
func (a *annotator) printed(s pyast.Stmt) string {
	text, err := pyprint.Print(&pyast.Module{Body: []pyast.Stmt{s}}, a.version, pyprint.Options{})
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(text, "\n")
	return first
}

// graphLines lists the lines of the user's function that the graphs called in s
// compute, and says whether they compute what it calls, too.
func (a *annotator) graphLines(s pyast.Stmt) (list []int, callees bool) {
	lines := map[int]bool{}
	eachHeader(s, func(n pyast.Node) {
		if c, ok := n.(*pyast.Call); ok {
			if f, ok := c.Func.(*pyast.Name); ok {
				callees = callees || a.Graphs[f.Id].Callees
				for _, l := range a.Graphs[f.Id].Lines {
					lines[l] = lines[l] || a.has(l)
					callees = callees || !a.has(l)
				}
			}
		}
	})
	maps.DeleteFunc(lines, func(_ int, in bool) bool { return !in })
	return slices.Sorted(maps.Keys(lines)), callees
}

// line is the first line of the user's that an instruction of the statement itself
// stands on; 0 if there is none.
func (a *annotator) line(s pyast.Stmt) int {
	line := 0
	note := func(p *pyast.Pos) {
		at := pyast.Pos{Line: p.Line, Col: p.Col, EndLine: p.EndLine, EndCol: p.EndCol}
		if a.positions[at] && a.has(p.Line) && (line == 0 || p.Line < line) {
			line = p.Line
		}
	}
	note(s.Position())
	eachHeader(s, func(n pyast.Node) {
		if e, ok := n.(pyast.Expr); ok {
			note(e.Position())
		}
	})
	return line
}

// eachHeader visits what a statement evaluates itself, not what its blocks do.
func eachHeader(s pyast.Stmt, f func(pyast.Node)) {
	switch s.(type) {
	case *pyast.FunctionDef, *pyast.ClassDef:
		return
	}
	pyast.Children(s, func(n pyast.Node) {
		if _, isStmt := n.(pyast.Stmt); isStmt {
			return
		}
		switch n.(type) {
		case *pyast.ExceptHandler, *pyast.MatchCase:
			return
		}
		pyast.Inspect(n, func(x pyast.Node) bool {
			f(x)
			_, isLambda := x.(*pyast.Lambda)
			return !isLambda
		})
	})
}
