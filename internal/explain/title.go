package explain

import (
	"slices"
	"strings"
)

// Written is the function that a person wrote, where a code object has another name: it is a method, or
// what Dynamo was given is the wrapper of a decorator.
type Written struct {
	QualName string
	File     string
	Line     int
}

// title is a qualified name without the functions around the one that is meant.
func title(qualname string) string {
	const around = "<locals>."
	if i := strings.LastIndex(qualname, around); i >= 0 {
		return qualname[i+len(around):]
	}
	return qualname
}

func (m *Model) applyFunction(f fields) {
	if id := m.id(f.str("compile_id")); id != "" {
		m.written[id] = Written{f.str("qualname"), f.str("file"), f.int("line")}
	}
}

// Written returns the function that a compilation is of; ok is false where the code's own name is all that is known.
func (m *Model) Written(compileID string) (w Written, ok bool) {
	w, ok = m.written[CleanCompileID(compileID)]
	return w, ok
}

// TitleOf is what a person calls the function that a compilation is of.
func (m *Model) TitleOf(c *Compile) string {
	if w, ok := m.Written(c.ID); ok {
		return title(w.QualName)
	}
	return c.Func
}

// Title is what a person calls the function of a version: its class and name, and never the name that a decorator
// gives its wrapper. A resume function has none but its own.
func (m *Model) Title(t *Transformed) string {
	if w, ok := m.Written(t.CompileID); ok && !t.IsResume {
		return title(w.QualName)
	}
	if q := title(t.Old.QualName); q != "" && !t.IsResume {
		return q
	}
	return t.Func
}

// linkTitles names the functions. One wrapper's code may be that of several methods: all are named.
func (p *Program) linkTitles() {
	for _, f := range p.Functions {
		var titles []string
		for i, v := range f.Versions {
			v.Title = p.Model.Title(v.Code)
			if i == 0 {
				f.Where = Place{f.File, f.Line}
				if w, ok := p.Model.Written(v.CompileID); ok {
					f.Where = Place{w.File, w.Line}
				}
			}
			if !slices.Contains(titles, v.Title) {
				titles = append(titles, v.Title)
			}
		}
		f.Title = strings.Join(titles, ", ")
	}
	for _, f := range p.Resumes {
		f.Title, f.Where = f.Name, Place{f.File, f.Line}
		for _, v := range f.Versions {
			v.Title = f.Name
		}
	}
}
