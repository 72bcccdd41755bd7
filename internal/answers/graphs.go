package answers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/lazyregexp"
)

// Operation is a graph by what it computes; its name counts graphs and says nothing.
type Operation struct {
	Function   string   `json:"function"` // whose compilation made it
	File       string   `json:"file"`
	Line       int      `json:"line"`
	Operations int      `json:"operations"`
	Lines      []string `json:"lines"` // of the program, that its operations come from, the first few: "FILE:LINE"
	Graph      string   `json:"graph"` // its file in the dump of the first process

	of    *Compilation // nil where torch does not tell which compilation made the graph
	nodes []Node
	body  func() string
}

// operations are the graphs that Dynamo captured.
func (s *Session) operations() []Operation {
	type id struct {
		id     string
		resets int
	}
	of := map[id]*Compilation{}
	for i := range s.Compilations {
		c := &s.Compilations[i]
		of[id{c.ID, c.Resets}] = c
	}
	out := []Operation{}
	told := map[string]bool{} // a graph is told at its first stage
	for _, g := range s.Graphs {
		if g.Nodes == nil || told[g.Compilation+" "+g.Name] {
			continue
		}
		told[g.Compilation+" "+g.Name] = true
		o := Operation{Operations: len(g.Nodes), Graph: g.File, Lines: []string{}, nodes: g.Nodes, body: g.body}
		if c := of[id{g.Compilation, g.Resets}]; c != nil {
			o.of, o.Function, o.File, o.Line = c, cmp.Or(c.Name, c.Function), c.File, c.Line
		}
		for _, n := range g.Nodes {
			if at := n.place(); at != "" && len(o.Lines) < 3 && !slices.Contains(o.Lines, at) {
				o.Lines = append(o.Lines, at)
			}
		}
		out = append(out, o)
	}
	return out
}

// placed are the graphs of which it is known which compilation made them.
func (s *Session) placed() []Operation {
	return slices.DeleteFunc(s.operations(), func(o Operation) bool { return o.of == nil })
}

// place is "FILE:LINE", or "".
func (n Node) place() string {
	if n.File == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", ShortName(n.File), n.Line)
}

// byLines is what a graph is known by among the ranks of a run, which have one source and data of different sizes: the names of its
// operations and the lines that these come from.
func (o Operation) byLines() string {
	key := []string{o.Function, shortFile(o.File)}
	for _, n := range o.nodes {
		key = append(key, n.Name+"@"+n.place())
	}
	return strings.Join(key, " ")
}

// Step is an operation of a graph.
type Step struct {
	Name string `json:"name"`
	Code string `json:"code"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`

	exact string // equal for what computes the same of the same operands, whatever these are called
	kind  string // the same without the operands
}

// steps are the operations of a graph. What an operation takes is known by the number of the operation that made it, sizes that may
// vary by the order in which they come: names count what a session has made, and say nothing.
func (o Operation) steps() []Step {
	if o.body == nil {
		return nil
	}
	body := explain.CleanText(o.body())
	lines := strings.Split(strings.Trim(body, "\n"), "\n")
	made, sizes := map[string]string{}, map[string]string{}
	var out []Step
	for i, n := range o.nodes {
		if n.Row > len(lines) {
			break
		}
		line, _, _ := strings.Cut(strings.TrimSpace(lines[n.Row-1]), ";  ")
		_, value, ok := assigned(line)
		if !ok {
			value = line
		}
		spelled := func(operand func(string) string) string {
			return identifiers.ReplaceAllStringFunc(value, func(w string) string {
				switch {
				case made[w] != "":
					return operand(made[w])
				case aSize.MatchString(w):
					if sizes[w] == "" {
						sizes[w] = fmt.Sprintf("size%d", len(sizes))
					}
					return sizes[w]
				}
				return w
			})
		}
		of := typeOf(line)
		s := Step{Name: n.Name, Code: value, File: n.File, Line: n.Line}
		s.exact = spelled(func(number string) string { return number }) + of
		s.kind = spelled(func(string) string { return "%" }) + of
		out = append(out, s)
		made[n.Name] = fmt.Sprintf("%%%d", i)
	}
	return out
}

var (
	identifiers = lazyregexp.New(`[A-Za-z_]\w*`)
	aSize       = lazyregexp.New(`^[su]\d+$`)
	annotated   = lazyregexp.New(`^\w+: "(\w+)\[.*\](\w*)" = `)
)

// typeOf is the type and the device of what an operation makes, without its size: " f32cpu".
func typeOf(line string) string {
	if m := annotated.FindStringSubmatch(line); m != nil {
		return " " + m[1] + m[2]
	}
	return ""
}

// byWork is what a graph is known by in another run: what its operations compute.
func (o Operation) byWork() string {
	var key []string
	for _, s := range o.steps() {
		key = append(key, s.exact)
	}
	return strings.Join(key, "\n")
}
