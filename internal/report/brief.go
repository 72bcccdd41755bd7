package report

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// What a person asks first. "depyf explain", the card of a notebook and the live page show it.

// InBrief are the sections that answer it: what failed, what was left uncompiled, what was compiled again, which lines
// break graphs, where the time went; what torch.export made, where it was called; and, if there is
// a word to say of them, CUDA graphs and what guards cost.
func InBrief(f *answers.Facts) []Section {
	out := []Section{Trouble(f), Left(f), Recompilations(f), Breaks(f), Time(f)}
	if s := CUDAGraphs(f); len(s.Items) > 0 {
		out = slices.Insert(out, len(out)-1, s)
	}
	if s := Exported(f); len(s.Items) > 0 {
		out = slices.Insert(out, 1, s)
	}
	if s := GuardsInShort(f); len(s.Items) > 0 {
		out = append(out, s)
	}
	return out
}

// InBriefFor is InBrief with as much of each as one reads at a glance; dump is what commands call the folder.
func InBriefFor(f *answers.Facts, dump string) []Section {
	var out []Section
	for _, s := range InBrief(f) {
		out = append(out, s.AtAGlance(dump))
	}
	return out
}

// AtAGlance is the section with as much as one reads of several: of a cause its place, what leads there, and the first advice.
func (s Section) AtAGlance(dump string) Section {
	return s.Brief(8, 2, code("depyf "+s.Command+" "+dump))
}

// TitledText is the section for a terminal, among others.
func (s Section) TitledText() string { return s.Title + ": " + s.Text() }

// Left says which functions Dynamo left as they are, and why. Those with nothing in them that could be compiled are counted: they
// are left alone rightly.
func Left(f *answers.Facts) Section {
	p := f.Program
	s := Section{Name: "left", Command: "report", Title: "Left uncompiled"}
	left, data := answers.Left(p)
	s.Data = data
	for _, c := range left {
		if !answers.Idle(c) {
			s.Items = append(s.Items, Item{Text: functionAt(p, p.Model.TitleOf(c), c.File, c.Line) + ": " + lostWhy(p, c)})
		}
	}
	switch n := len(s.Items); n {
	case 0:
		s.silent(p, "failures", "functions that were left uncompiled", "No function was left uncompiled", "The log tells of no function that was left uncompiled")
		s.Lead = strings.TrimSuffix(s.Lead, ".")
	case 1:
		s.Lead = "1 function, which runs as ordinary Python"
	default:
		s.Lead = plural(n, "function") + ", which run as ordinary Python"
	}
	idle := len(left) - len(s.Items)
	switch {
	case idle == 0:
	case len(s.Items) == 0:
		s.untold = ""
		s.Lead = "Only " + plural(idle, "function") + " with nothing to put into a graph"
	case idle == 1:
		s.Lead += "; 1 more has nothing in it to put into a graph"
	default:
		s.Lead += fmt.Sprintf("; %d more have nothing in them to put into a graph", idle)
	}
	s.Lead += "."
	return s
}

// HTML is marked text for a page that has no places to lead to.
func HTML(marked string) template.HTML { return (&links{}).marked(marked) }

// Page is report.html of a session, whose log lies in blobs, as far as it goes by now.
func Page(f *answers.Facts, blobs string) (string, error) {
	page, err := htmlPage(f, textsOf(f, blobs).artefactFile, guardTexts{})
	return page.String(), err
}

// Command is how the program was started.
func Command(m *explain.Model) string { return strings.Join(m.Start.Argv, " ") }
