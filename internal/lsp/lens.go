package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/thuml/depyf/internal/explain"
)

// lenses count the versions of each function of a document, and lead to its files.
func (s *Server) lenses(d document) []codeLens {
	out := []codeLens{}
	if s.dump == nil {
		return out
	}
	list, like := s.find(d)
	if like != same {
		return out
	}
	text := plainLines(d.text)
	for _, t := range list {
		p := t.session.Facts().Program
		for _, f := range p.Functions {
			if p.Places.Full(f.Where.File) != t.source.File || f.Where.Line > len(text) || !t.covers(f.Where.Line) {
				continue
			}
			add := func(title, file string) {
				c := command{Title: title}
				if file != "" {
					c.Command, c.Arguments = openCommand, []any{uriOf(file), 0}
				}
				out = append(out, codeLens{wholeLine(text, f.Where.Line), c})
			}
			whole := s.dump.file(t, fmt.Sprintf("full_code_for_%s_%d.py", explain.Identifier(f.Name), f.Number))
			title := s.versions(t, f)
			if len(s.dump.sessions) > 1 {
				title = t.session.Name + ": " + title
			}
			add(title, whole)
			for _, x := range s.dump.files(t, f) {
				add(x.title, x.path)
			}
		}
	}
	return out
}

// versions is "3 versions, recompiled 2 times: a size varies: x.size(0)".
func (s *Server) versions(t traced, f *explain.Function) string {
	facts := t.session.Facts()
	title := "1 version"
	if n := len(f.Versions); n != 1 {
		title = fmt.Sprintf("%d versions", n)
	}
	again, why := 0, ""
	ids := map[string]bool{}
	p := facts.Program
	for _, g := range slices.Concat(p.Functions, p.Resumes) {
		root := g
		for root.IsResume && root.Parent != nil {
			root = root.Parent
		}
		if root != f {
			continue
		}
		for _, v := range g.Versions {
			if v.Compile != nil && len(v.Compile.Recompile) > 0 {
				again++
				id, _ := explain.SplitCompileID(v.Compile.ID)
				ids[id] = true
			}
		}
	}
	for _, c := range facts.Causes() {
		if why == "" && slices.ContainsFunc(c.IDs, func(id string) bool { return ids[id] }) {
			why = ": " + c.Title
		}
	}
	if again > 0 {
		title += ", recompiled " + times(again) + why
	}
	return title
}

// leading is a file to go to.
type leading struct{ title, path string }

// files are those of the first version of a function that are there.
func (d *dump) files(t traced, f *explain.Function) []leading {
	var out []leading
	if len(f.Versions) == 0 {
		return nil
	}
	add := func(title, name string) {
		if path := d.file(t, name); path != "" && !slices.ContainsFunc(out, func(l leading) bool { return l.title == title }) {
			out = append(out, leading{title, path})
		}
	}
	v := f.Versions[0]
	add("transformed code", v.Code.File)
	for _, g := range v.Graphs {
		for _, a := range t.session.Facts().Program.ArtefactsOf(g) {
			switch a.Stage {
			case "Captured_Graph":
				add("graph", a.File)
			case explain.StageKernel:
				add("kernel", a.File)
			}
		}
	}
	return out
}

// file is the path of a file of the dump, "" if it is not there: some are written when the program ends.
func (d *dump) file(t traced, name string) string {
	if name == "" {
		return ""
	}
	path := filepath.Join(d.dir(t.session), name)
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}
