package answers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/lazyregexp"
)

// Joined is what belongs together: lines of the program, statements of transformed code, operations of graphs
// and kernels.
type Joined struct {
	Lines       []JoinedLine `json:"lines"`
	Transformed []Statement  `json:"transformed"`
	Operations  []NodeAt     `json:"operations"`
	Kernels     []Kernel     `json:"kernels"`
}

// JoinedLine is a line of the program; its text is "" where the session has none.
type JoinedLine struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Code string `json:"code,omitempty"`
}

// Statement is one of transformed code. Its text begins in the given line of the function's text.
type Statement struct {
	File  string `json:"file"` // in the dump folder
	Row   int    `json:"row"`
	Code  string `json:"code"`
	First int    `json:"first"` // the lines that it comes from, or the statements around it
	Last  int    `json:"last"`
}

// NodeAt is one operation of a graph.
type NodeAt struct {
	File  string `json:"file"` // in the dump folder
	Graph string `json:"graph"`
	Stage string `json:"stage"`
	Name  string `json:"name"`
	Row   int    `json:"row"` // in the text of the graph
	Code  string `json:"code"`
	at    explain.Place
}

// joinedStages are those whose operations are joined: the others repeat them.
var joinedStages = []string{"Captured_Graph", "Forward_graph", "Backward_graph", "AFTER_POST_GRAD", explain.StageExported}

// Join finds what belongs to a line ("model.py:12"), an operation ("addmm_1", or "__compiled_fn_1:addmm_1") or
// a kernel.
func Join(f *Facts, where string) (Joined, error) {
	j := Joined{Lines: []JoinedLine{}, Transformed: []Statement{}, Operations: []NodeAt{}, Kernels: []Kernel{}}
	p := f.Program
	kernels, operations := f.Kernels(), operationsOf(p)
	if i := strings.LastIndexByte(where, ':'); i > 0 {
		if line, err := strconv.Atoi(where[i+1:]); err == nil {
			return j, j.line(f, where[:i], line, operations, kernels)
		}
	}
	graph, name, both := strings.Cut(where, ":")
	if !both {
		graph, name = "", where
	}
	var places []explain.Place
	for _, k := range kernels {
		if (k.Name == name || slices.Contains(k.Nodes, name) || slices.Contains(k.Sources, name)) && (graph == "" || graph == k.Graph) {
			j.Kernels = append(j.Kernels, k)
			places = append(places, k.Places...)
		}
	}
	ofKernel := slices.ContainsFunc(j.Kernels, func(k Kernel) bool { return k.Name == name })
	for _, o := range operations {
		in := o.Name == name && (graph == "" || graph == o.Graph)
		for _, k := range j.Kernels {
			in = in || ofKernel && o.Stage == "AFTER_POST_GRAD" && o.Graph == k.Graph && slices.Contains(k.Nodes, o.Name)
		}
		if in {
			j.Operations = append(j.Operations, o)
		}
		if in && !ofKernel {
			places = append(places, o.at)
		}
	}
	if len(j.Operations)+len(j.Kernels) == 0 {
		return j, fmt.Errorf("no operation and no kernel is called %s", where)
	}
	if !ofKernel && len(j.Operations) > 0 {
		places = nil // a kernel computes other lines, too
		for _, o := range j.Operations {
			places = append(places, o.at)
		}
	}
	for _, at := range places {
		j.add(p, at)
	}
	return j, nil
}

// add takes in a line, once, and the transformed code that comes from it.
func (j *Joined) add(p *explain.Program, at explain.Place) {
	l := JoinedLine{File: at.File, Line: at.Line}
	if at.File == "" || slices.ContainsFunc(j.Lines, func(o JoinedLine) bool { return o.File == l.File && o.Line == l.Line }) {
		return
	}
	l.Code = lineOf(p, at.File, at.Line)
	j.Lines = append(j.Lines, l)
	for _, f := range slices.Concat(p.Functions, p.Resumes) {
		for _, v := range f.Versions {
			if p.Places.Same(v.Code.Old.Filename, at.File) {
				for _, s := range statementsFrom(v.Code.Decompiled.Source, at.Line) {
					s.File = v.Code.File
					if !slices.Contains(j.Transformed, s) {
						j.Transformed = append(j.Transformed, s)
					}
				}
			}
		}
	}
}

// line joins what belongs to one line. A file may be named by the end of its path.
func (j *Joined) line(f *Facts, file string, line int, operations []NodeAt, kernels []Kernel) error {
	p := f.Program
	file = strings.ReplaceAll(file, `\`, "/")
	if cell, ok := p.Places.Called(file); ok {
		file = cell
	}
	var files []string
	known := func(path string) {
		if (path == file || strings.HasSuffix(path, "/"+strings.TrimPrefix(file, "./"))) && !slices.Contains(files, path) {
			files = append(files, path)
		}
	}
	for _, s := range p.Model.Sources {
		known(s.File)
	}
	for _, o := range operations {
		known(o.at.File)
	}
	for _, x := range p.Functions {
		known(p.Places.Full(x.File))
	}
	switch {
	case len(files) == 0:
		return fmt.Errorf("nothing in %s was traced", file)
	case len(files) > 1:
		return fmt.Errorf("%s may be %s", file, strings.Join(files, " or "))
	}
	at := explain.Place{File: files[0], Line: line}
	j.add(p, at)
	for _, o := range operations {
		if o.at == at {
			j.Operations = append(j.Operations, o)
		}
	}
	for _, k := range kernels {
		if slices.Contains(k.Places, at) {
			j.Kernels = append(j.Kernels, k)
		}
	}
	if len(j.Operations)+len(j.Kernels)+len(j.Transformed) == 0 && KnownOf(f, at).Line == 0 {
		return unknown(f, at)
	}
	return nil
}

func operationsOf(p *explain.Program) []NodeAt {
	var out []NodeAt
	for _, stage := range joinedStages {
		for _, a := range p.Files {
			if a.Stage != stage {
				continue
			}
			text := a.Body()
			lines := strings.Split(strings.Trim(text, "\n"), "\n")
			for _, n := range Nodes(text) {
				code, _, _ := strings.Cut(strings.TrimSpace(lines[n.Row-1]), ";  ")
				out = append(out, NodeAt{a.File, a.Graph, a.Stage, n.Name, n.Row, code, explain.Place{File: p.Places.Full(n.File), Line: n.Line}})
			}
		}
	}
	return out
}

// fromLine is the comment above statements of transformed code that says which lines they come from
// (internal/decompile, annotator): "# model.py:6-7", "# model.py:6: the text", "# In[3]:2".
var fromLine = lazyregexp.New(`^\s*# (?:[^:]+\.\w+|In\[\w+\]):(\d+)(?:-(\d+))?(?:: .*|, with what is called there)?$`)

// statementsFrom lists the statements of a transformed function that come from a line of its file.
func statementsFrom(text string, line int) []Statement {
	var out []Statement
	lines := strings.Split(text, "\n")
	for i, from := range transformedFrom(lines) {
		t := strings.TrimSpace(lines[i])
		whole := from.statement && !strings.HasPrefix(t, "del ") && !strings.ContainsRune(")]}", rune(t[0]))
		if whole && from.first <= line && line <= from.last {
			out = append(out, Statement{"", i + 1, t, from.first, from.last})
		}
	}
	return out
}

// comesFrom says which lines of its file a line of a transformed function comes from; the zero value, from none that is known.
type comesFrom struct {
	first, last int
	statement   bool // one begins there, not within the one before
}

// transformedFrom reads the comments of a transformed function.
func transformedFrom(lines []string) []comesFrom {
	out := make([]comesFrom, len(lines))
	var from comesFrom
	margin := ""
	for i, s := range lines {
		t := strings.TrimSpace(s)
		if m := fromLine.FindStringSubmatch(s); m != nil {
			from.first, _ = strconv.Atoi(m[1])
			from.last = from.first
			if m[2] != "" {
				from.last, _ = strconv.Atoi(m[2])
			}
			margin = s[:strings.Index(s, "#")]
			out[i] = from
			continue
		}
		if t == "" || strings.HasPrefix(t, "# torch's own") {
			from = comesFrom{}
		} else if from.first > 0 && strings.HasPrefix(s, margin) && !strings.HasPrefix(t, "#") {
			out[i] = from
			out[i].statement = strings.HasPrefix(s, margin+t[:1])
		}
	}
	return out
}
