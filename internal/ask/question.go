package ask

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/recorded"
	"github.com/thuml/depyf/internal/report"
)

// Question is one about a session: which sections of the report answer it.
type Question struct {
	Name     string
	About    string // what it says, as a request: "say which lines break graphs"
	sections func(*answers.Facts) []report.Section
	together bool // of several ranks, what they differ in comes first

	// Of a question about something: what that is, and whether it may be left out.
	Subject  string
	Optional bool
	of       func(f *answers.Facts, subject string) (report.Section, error)
}

// Questions are all that there are.
func Questions() []Question {
	return []Question{
		{
			Name: "map", About: "say which lines, statements of transformed code, operations of graphs and kernels belong together",
			Subject: "FILE:LINE|OPERATION|KERNEL", of: report.Map,
		},
		{
			Name: "guards", About: "say how many guards each version has, what checking them costs, what tells versions apart, and which could go",
			Subject: "VERSION", Optional: true, of: report.Guards,
		},
		{
			Name: "explain", About: "say what failed, what was left uncompiled, what was compiled again, which lines break graphs, where the time went, and what guards cost",
			sections: report.InBrief, together: true,
		},
		{Name: "failures", About: "say what raised, and which limits were reached", sections: one(report.Trouble)},
		{Name: "why-recompile", About: "say what made code be compiled again, the costliest cause first", sections: one(report.Recompilations)},
		{Name: "breaks", About: "say which lines break graphs, why, and what helps", sections: one(report.Breaks)},
		{
			Name: "wrong", About: "say which operation made the first wrong number, and who is wrong, where eager and compiled results were compared",
			sections: one(report.Wrong),
		},
		{Name: "time", About: "say where compile time went, by function", sections: one(report.Time)},
	}
}

// one is a question that one section answers.
func one(section func(*answers.Facts) report.Section) func(*answers.Facts) []report.Section {
	return func(f *answers.Facts) []report.Section { return []report.Section{section(f)} }
}

// Answer is what a question comes to for one process.
type Answer struct {
	Process  string
	Sections []report.Section

	facts *answers.Facts
}

// Ask puts the question, about a subject where it has one, to what one process has recorded.
func (q Question) Ask(s recorded.Session, subject string) (Answer, error) {
	a := Answer{Process: s.Name, facts: s.Facts()}
	if q.of != nil {
		x, err := q.of(s.Facts(), subject)
		a.Sections = append(a.Sections, x)
		return a, err
	}
	a.Sections = q.sections(s.Facts())
	return a, nil
}

// All puts the question to each process. One that lacks the thing that is asked about is left out, and missing says so, unless all of them
// lack it: then it is an error.
func (q Question) All(list []recorded.Session, subject string) (all []Answer, missing []string, err error) {
	for _, s := range list {
		a, err := q.Ask(s, subject)
		if err != nil {
			missing = append(missing, err.Error())
			if len(list) > 1 {
				missing[len(missing)-1] = s.Name + ": " + err.Error()
			}
			continue
		}
		all = append(all, a)
	}
	if len(all) == 0 && len(missing) > 0 {
		return nil, nil, errors.New(strings.Join(missing, "; "))
	}
	return all, missing, nil
}

// Object is the answer for programs, see docs/json.md.
func (a Answer) Object() map[string]any {
	out := map[string]any{"process": a.Process}
	for _, x := range a.Sections {
		out[x.Name] = x.Data
		maps.Copy(out, x.More)
	}
	return out
}

// Words is the answer for people: in text, or in Markdown. Of each section it has the first top items, all for 0; left says how
// to get the others, and dump is what commands are to be given. several says that there are answers of other processes beside this one.
func (a Answer) Words(markdown, several bool, top int, left, dump string) string {
	var b strings.Builder
	level := 1
	if several {
		level = 2
		if markdown {
			fmt.Fprintf(&b, "# %s\n\n", a.Process)
		} else {
			fmt.Fprintf(&b, "=== %s ===\n\n", a.Process)
		}
	}
	sections := a.Sections
	if len(sections) > 1 {
		sections = report.Folded(a.facts, sections)
	}
	for _, x := range sections {
		if len(a.Sections) > 1 {
			x = x.AtAGlance(dump)
		}
		if top > 0 {
			x = x.Brief(top, math.MaxInt, left)
		}
		switch {
		case markdown:
			b.WriteString(x.Markdown(level))
		case len(a.Sections) > 1:
			b.WriteString(x.TitledText())
		default:
			b.WriteString(x.Text())
		}
	}
	return b.String()
}
