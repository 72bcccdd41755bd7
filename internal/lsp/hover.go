package lsp

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/report"
)

// spot is a line of a file of the dump that belongs to a line of the user's.
type spot struct {
	kind string // "transformed code"
	path string
	row  int
	code string
}

// kinds are the spots of a line, in the order in which they are made.
var kinds = []struct{ stage, name string }{
	{"Captured_Graph", "graph"},
	{"Forward_graph", "forward graph"},
	{"Backward_graph", "backward graph"},
	{"AFTER_POST_GRAD", "graph after Inductor's passes"},
}

// spots finds what became of a line.
func (d *dump) spots(list []traced, line int) []spot {
	var out []spot
	for _, t := range list {
		if !t.covers(line) {
			continue
		}
		p := t.session.Facts().Program
		j, err := answers.Join(t.session.Facts(), fmt.Sprintf("%s:%d", t.source.File, line))
		if err != nil {
			continue // nothing of this file was traced
		}
		add := func(kind, file string, row int, code string) {
			if path := d.file(t, file); path != "" {
				out = append(out, spot{kind, path, row + report.Head(p, file), code})
			}
		}
		for _, x := range j.Transformed {
			add("transformed code", x.File, x.Row, x.Code)
		}
		for _, k := range kinds {
			for _, o := range j.Operations {
				if o.Stage == k.stage {
					add(k.name, o.File, o.Row, o.Code)
				}
			}
		}
		for _, k := range j.Kernels {
			add("kernel", k.File, k.Row, k.Name)
			if k.Defined > 0 {
				add("kernel", k.File, k.Defined, k.Name+", its code")
			}
		}
	}
	return out
}

// most is how many spots of one kind a hover names.
const most = 5

// hover says all that is known of a line; nil for nothing.
func (s *Server) hover(d document, line int) any {
	if s.dump == nil {
		return nil
	}
	list, like := s.find(d)
	if like != same {
		return nil
	}
	var parts []string
	for _, m := range s.dump.marksOf(list) {
		if m.line == line {
			first, rest, _ := strings.Cut(m.text, "\n")
			part := "**" + escape(first) + "**"
			if rest != "" {
				part += "\n\n- " + strings.ReplaceAll(escape(rest), "\n", "\n- ")
			}
			parts = append(parts, part)
		}
	}
	for _, t := range list {
		for _, f := range t.session.Facts().Program.Functions {
			if f.Where.Line == line && t.session.Facts().Program.Places.Full(f.Where.File) == t.source.File {
				part := fmt.Sprintf("`%s`: %s", f.Title, escape(s.versions(t, f)))
				for _, x := range s.dump.files(t, f) {
					part += fmt.Sprintf(", [%s](%s)", x.title, link(x.path, 1))
				}
				parts = append(parts, part)
			}
		}
	}
	byKind := map[string][]spot{}
	var order []string
	for _, x := range s.dump.spots(list, line) {
		if len(byKind[x.kind]) == 0 {
			order = append(order, x.kind)
		}
		byKind[x.kind] = append(byKind[x.kind], x)
	}
	for _, kind := range order {
		part := kind + ":\n"
		for i, x := range byKind[kind] {
			if i == most {
				part += fmt.Sprintf("\n- and %d more", len(byKind[kind])-most)
				break
			}
			part += fmt.Sprintf("\n- [%s:%d](%s) %s", escape(filepath.Base(x.path)), x.row, link(x.path, x.row), inCode(x.code))
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return nil
	}
	return hover{markup{"markdown", strings.Join(parts, "\n\n")}, wholeLine(plainLines(d.text), line)}
}

// special are the characters that Markdown would take for its own.
var special = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "<", `\<`, "#", `\#`)

func escape(s string) string { return special.Replace(s) }

// inCode sets text as code; in text that has backticks itself these are left out.
func inCode(s string) string { return "`" + strings.ReplaceAll(s, "`", "'") + "`" }

// definition leads from a line of the user's to all that it became, and from a line of a graph or of a kernel's call back.
func (s *Server) definition(d document, line int) any {
	out := []location{}
	if s.dump == nil {
		return out
	}
	if list, like := s.find(d); like == same {
		for _, x := range s.dump.spots(list, line) {
			out = append(out, location{uriOf(x.path), startOf(x.row)})
		}
		return out
	}
	for _, at := range s.dump.origins(d.path, line) {
		if uri := s.here(at.File); uri != "" {
			out = append(out, location{uri, startOf(at.Line)})
		}
	}
	return out
}

// here is where a file of the program is now, "" for nowhere: one that has been moved is known while it is open.
func (s *Server) here(file string) string {
	for uri, d := range s.open {
		list, like := s.find(d)
		if like == same && slices.ContainsFunc(list, func(t traced) bool { return t.source.File == file }) {
			return uri
		}
	}
	if path := filepath.FromSlash(file); !stampOf(path).time.IsZero() {
		return uriOf(path)
	}
	return ""
}

// origins are the user's lines that a line of a file of the dump comes from.
func (d *dump) origins(path string, line int) []explain.Place {
	var out []explain.Place
	add := func(at explain.Place) {
		if at.File != "" && !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	for i := range d.sessions {
		t := &d.sessions[i]
		if filepath.Dir(path) != filepath.Clean(d.dir(t)) {
			continue
		}
		file := filepath.Base(path)
		row := line - report.Head(t.Facts().Program, file)
		for _, g := range t.Facts().Session().Graphs {
			for _, n := range g.Nodes {
				if g.File == file && n.Row == row {
					add(explain.Place{File: n.File, Line: n.Line})
				}
			}
		}
		for _, k := range t.Facts().Kernels() {
			if k.File == file && (k.Row == row || k.Defined == row) {
				for _, at := range k.Places {
					add(at)
				}
			}
		}
	}
	return out
}
