package answers

import (
	"cmp"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/lazyregexp"
)

// Source is a file that was traced, with what became of its lines.
type Source struct {
	File   string  `json:"file"`
	Name   string  `json:"name"` // the shortest end of the path that no other file has
	Owner  Owner   `json:"owner"`
	First  int     `json:"first"` // number of the first line of the text
	Whole  bool    `json:"whole"` // whether the text is all of the file, as it was when it was compiled
	Text   *string `json:"text"`  // null where the session has none
	Pieces []Piece `json:"pieces"`
	Lines  []Line  `json:"lines"` // those of which there is something to say, in order
}

// Owner says whose file it is.
type Owner string

// Owners, in the order in which their files come.
const (
	OwnerUser      Owner = "user"
	OwnerLibrary   Owner = "library"   // installed, and operations or graph breaks come from it
	OwnerMachinery Owner = "machinery" // torch, Python's own library, decorators: nothing to change there
)

// Piece is a function of a file that has lines to speak of.
type Piece struct {
	Name  string `json:"name"` // "GPT.forward"
	First int    `json:"first"`
	Last  int    `json:"last"`
}

// Line is what became of one line.
type Line struct {
	Line           int `json:"line"`
	Operations     int `json:"operations,omitempty"`     // of Dynamo's graphs
	Kernels        int `json:"kernels,omitempty"`        // calls that compute some of these, forward and backward
	Breaks         int `json:"breaks,omitempty"`         // how many compilations broke the graph here
	Guards         int `json:"guards,omitempty"`         // conditions on values that this line caused
	Recompilations int `json:"recompilations,omitempty"` // that depend on this line
	Causes         int `json:"causes,omitempty"`         // of recompilations, on lines of libraries that this line leads to
	Failures       int `json:"failures,omitempty"`       // compilations that failed here, by an error of which the program or torch's log tells

	Leads []BreakIn `json:"leads,omitempty"` // lines that break the graph in what this line calls
}

// BreakIn is a line that breaks the graph, and its function.
type BreakIn struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
}

// Sources lists the files that graphs, breaks, guards and stacks mention: the user's own first, then
// those with the most operations.
func Sources(p *explain.Program, causes []Cause, kernels []Kernel) []Source {
	b := sourceBook{p: p, files: map[string]map[int]*Line{}}
	for _, f := range p.Functions {
		if f.Backward {
			continue
		}
		b.file(f.Where.File)
		b.file(f.File)
		for _, v := range f.Versions {
			b.guards(v)
		}
	}
	for _, f := range p.Resumes {
		for _, v := range f.Versions {
			b.guards(v)
		}
	}
	for _, c := range p.Model.Compiles {
		for _, x := range c.Breaks {
			b.line(x.File, x.Line).Breaks++
		}
		if x := told(p, c); c.FailFile != "" && (x.Failed() || x.Suppressed()) {
			b.line(c.FailFile, c.FailLine).Failures++
		}
	}
	for _, c := range causes {
		if c.Kind != KindState {
			b.line(c.File, c.Line).Recompilations += c.Recompilations
		}
		for _, from := range c.Callers {
			b.file(from.File)
			b.line(from.File, from.Line).Causes++
		}
	}
	for _, a := range p.Files {
		switch {
		case a.Stage == "Captured_Graph" && a.Export == nil, a.Stage == explain.StageExported:
			for _, n := range Nodes(a.Body()) {
				b.line(n.File, n.Line).Operations++
			}
		case a.Stage == explain.StageKernel, a.Stage == explain.StageRunnable:
		default:
			for _, at := range explain.Places(a.Body()) {
				b.file(at.File)
			}
		}
	}
	for _, k := range kernels {
		for _, at := range k.Places {
			b.line(at.File, at.Line).Kernels++
		}
	}
	b.leads()
	return b.list()
}

// leads marks the lines on the way to one that breaks: the user's own, and in libraries those of files that are shown anyhow.
func (b *sourceBook) leads() {
	for _, c := range b.p.Model.Compiles {
		for _, x := range c.Breaks {
			for _, fr := range x.Through {
				file := b.p.Places.Full(fr.File)
				if explain.LibraryFile(file) && b.files[file] == nil {
					continue
				}
				l := b.line(file, fr.Line)
				l.Leads = with(l.Leads, BreakIn{x.Func, b.p.Places.Full(x.File), x.Line})
			}
		}
	}
}

// sourceBook collects lines by file.
type sourceBook struct {
	p     *explain.Program
	files map[string]map[int]*Line
}

func (b *sourceBook) file(file string) map[int]*Line {
	file = b.p.Places.Full(file)
	if b.files[file] == nil {
		b.files[file] = map[int]*Line{}
	}
	return b.files[file]
}

// line is where to count; what has no place is counted nowhere.
func (b *sourceBook) line(file string, line int) *Line {
	if file == "" || line <= 0 {
		return &Line{}
	}
	lines := b.file(file)
	if lines[line] == nil {
		lines[line] = &Line{Line: line}
	}
	return lines[line]
}

func (b *sourceBook) guards(v *explain.Version) {
	for _, g := range v.Guards {
		if g.Kind == explain.GuardUser {
			b.line(g.At.File, g.At.Line).Guards++
		}
	}
}

func (b *sourceBook) list() []Source {
	var out []Source
	operations := map[string]int{}
	for file, lines := range b.files {
		if file == "" || strings.HasPrefix(file, "<eval_with_key>") {
			continue
		}
		s := Source{File: file, Name: b.p.Places.Name(file), First: 1, Pieces: []Piece{}, Lines: []Line{}}
		matters := false
		for _, l := range lines {
			s.Lines = append(s.Lines, *l)
			operations[file] += l.Operations
			matters = matters || l.Operations+l.Breaks+l.Failures > 0
		}
		slices.SortFunc(s.Lines, func(a, b Line) int { return a.Line - b.Line })
		s.Owner = ownerOf(file, matters)
		b.text(&s)
		out = append(out, s)
	}
	compiled := b.compiled()
	slices.SortFunc(out, func(a, b Source) int {
		return cmp.Or(
			cmp.Compare(slices.Index(ownersInOrder, a.Owner), slices.Index(ownersInOrder, b.Owner)),
			cmp.Compare(compiled[b.File], compiled[a.File]),
			cmp.Compare(operations[b.File], operations[a.File]), strings.Compare(a.File, b.File),
		)
	})
	return append([]Source{}, out...)
}

// compiled says in which files of libraries the functions stand that were compiled: 1 for such a file. They are where a
// reader begins; what they call may have more operations. In the user's own files the operations tell that better, as the
// function that is compiled is often no more than a training step that calls the model.
func (b *sourceBook) compiled() map[string]int {
	out := map[string]int{}
	for _, f := range b.p.Functions {
		if file := b.p.Places.Full(f.Where.File); explain.LibraryFile(file) {
			out[file] = 1
		}
	}
	return out
}

var ownersInOrder = []Owner{OwnerUser, OwnerLibrary, OwnerMachinery}

var machinery = lazyregexp.New(`/site-packages/torch/|/dist-packages/torch/|/lib/python3\.\d+/[^/]*$|^<`)

func ownerOf(file string, matters bool) Owner {
	switch {
	case machinery.MatchString(file):
		return OwnerMachinery
	case !explain.LibraryFile(file):
		return OwnerUser
	case matters:
		return OwnerLibrary
	}
	return OwnerMachinery
}

// text takes in the text of a file: all of it or, of a file that could not be read, that of a function.
func (b *sourceBook) text(s *Source) {
	if text, ok := b.p.Model.SourceOf(s.File); ok {
		s.Text, s.Whole = &text, true
	} else {
		for _, f := range b.p.Functions {
			if b.p.Places.Same(f.File, s.File) && f.First.Source != "" && (s.Text == nil || f.First.SourceLine < s.First) {
				s.Text, s.First = &f.First.Source, f.First.SourceLine
			}
		}
	}
	if s.Text == nil {
		return
	}
	lines := strings.Split(strings.TrimRight(*s.Text, "\n"), "\n")
	for _, l := range s.Lines {
		if slices.ContainsFunc(s.Pieces, func(p Piece) bool { return p.First <= l.Line && l.Line <= p.Last }) {
			continue
		}
		if p, ok := pieceAround(lines, s.First, l.Line); ok && !slices.Contains(s.Pieces, p) {
			s.Pieces = append(s.Pieces, p)
		}
	}
}

var definition = lazyregexp.New(`^([ \t]*)(?:async +)?(def|class) +(\w+)`)

// pieceAround finds the function around a line of a Python text, the first of whose lines is given, by its indentation. Functions
// inside others belong to these.
func pieceAround(lines []string, first, line int) (Piece, bool) {
	at := line - first
	if at < 0 || at >= len(lines) {
		return Piece{}, false
	}
	piece, found := Piece{}, false
	left := len(lines[at]) - len(strings.TrimLeft(lines[at], " \t")) + 1
	if strings.TrimSpace(lines[at]) == "" {
		left = 1 << 20
	}
	for i := at; i >= 0 && left > 0; i-- {
		t := strings.TrimLeft(lines[i], " \t")
		if !strings.HasPrefix(t, "def") && !strings.HasPrefix(t, "class") && !strings.HasPrefix(t, "async") {
			continue // most lines, and the expression takes its time
		}
		m := definition.FindStringSubmatch(lines[i])
		if m == nil || len(m[1]) >= left {
			continue
		}
		left = len(m[1])
		switch {
		case m[2] == "def":
			piece, found = Piece{m[3], i + first, endOf(lines, i, left) + first}, true
		case found:
			piece.Name = m[3] + "." + piece.Name
		}
	}
	if found {
		piece.First = decorated(lines, piece.First-first) + first
	}
	return piece, found
}

// decorated is the line of the first decorator of the function that begins at line i; i itself if it has none.
func decorated(lines []string, i int) int {
	indent := func(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }
	first, left := i, indent(lines[i])
	for i--; i >= 0; i-- {
		t := strings.TrimSpace(lines[i])
		if t == "" || indent(lines[i]) < left || indent(lines[i]) == left && !strings.ContainsRune("@)]}#", rune(t[0])) {
			break
		}
		if t[0] == '@' && indent(lines[i]) == left {
			first = i
		}
	}
	return first
}

// endOf is the last line of the block that begins at line i with an indentation of so many columns.
func endOf(lines []string, i, indent int) int {
	last, depth := i, 0
	for j := i; j < len(lines); j++ {
		t := strings.TrimSpace(lines[j])
		if t == "" {
			continue
		}
		if j > i && depth <= 0 && len(lines[j])-len(strings.TrimLeft(lines[j], " \t")) <= indent {
			break
		}
		code, _, _ := strings.Cut(t, "#")
		for _, r := range code {
			switch r {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			}
		}
		last = j
	}
	return last
}
