package report

import (
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// Guards says what torch checks before it runs each version, the costliest first: of one compile id or function, or of all.
func Guards(f *answers.Facts, version string) (Section, error) {
	p, list := f.Program, f.GuardSets()
	s := Section{Name: "guards", Command: "guards", Title: "Guards"}
	if version != "" {
		var some []answers.GuardSet
		for _, g := range list {
			if g.Compilation == version || g.Name == version || g.Resumes == version {
				some = append(some, g)
			}
		}
		if len(some) == 0 {
			return s, fmt.Errorf("there are no guards of %s: give a compile id, such as 0/0, or the name of a function", version)
		}
		list = some
	}
	s.Data = list
	total, micros := 0, 0.0
	for _, g := range list {
		total += g.Total
		if g.Micros != nil {
			micros += *g.Micros
		}
	}
	if len(list) == 0 {
		s.Lead = silent(f.Program, "guards", "No guards are known.", "The log tells of no guards")
		return s, nil
	}
	s.Lead = fmt.Sprintf("%s of %s.", plural(total, "guard"), plural(len(list), "version"))
	if micros > 0 {
		s.Lead += " The times are torch's own: it times the check of each version once, when it compiles it. A call tries the versions of a function one after another, until one fits."
	}
	most := 4
	if version != "" {
		most = 40
	}
	for _, g := range list {
		s.Items = append(s.Items, guardsItem(p, g, most))
	}
	return s, nil
}

func guardsItem(p *explain.Program, g answers.GuardSet, most int) Item {
	it := Item{Strong: fmt.Sprintf("%s version %d", g.Name, g.Version)}
	if g.Resumes != "" {
		it.Strong = fmt.Sprintf("%s, resumed in %s version %d", g.Resumes, g.Name, g.Version)
	}
	if g.Compilation != "" {
		it.Strong += " (" + explain.CompileIDText(g.Compilation) + ")"
	}
	it.Text = fmt.Sprintf(", %s: %s", p.Places.Place(g.File, g.Line), plural(g.Total, "guard"))
	if g.Micros != nil {
		it.Text += fmt.Sprintf(", %.0f µs a call", *g.Micros)
	}
	it.conditions("differs from other versions: ", g.Apart, most)
	it.conditions("inputs: ", g.Inputs, most)
	for _, group := range g.Groups {
		text := fmt.Sprintf("%d on %s", group.Guards, map[string]string{
			"arguments": "arguments", "modules": "modules and their parameters", "globals": "globals", "framework": "torch's own state",
		}[group.On])
		if group.Drop != "" {
			text += ", none of which has failed. " + group.Drop
		}
		it.add("%s", text)
	}
	return it
}

func (it *Item) conditions(about string, list []answers.Condition, most int) {
	if len(list) == 0 {
		return
	}
	var texts []string
	for _, c := range list[:min(most, len(list))] {
		texts = append(texts, code(c.Text))
	}
	if n := len(list) - len(texts); n > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", n))
	}
	it.add("%s%s", about, strings.Join(texts, ", "))
}
