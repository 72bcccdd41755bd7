package report

import (
	"fmt"
	"slices"
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
	if len(list) == 0 {
		s.Lead = silent(f.Program, "guards", "No guards are known.", "The log tells of no guards")
		return s, nil
	}
	budget := f.Guards()
	if version != "" {
		budget = answers.BudgetOf(list)
	}
	s.Lead = fmt.Sprintf("%s of %s.", plural(budget.Guards, "guard"), plural(budget.Versions, "version"))
	if slices.ContainsFunc(budget.Functions, func(c answers.GuardCost) bool { return c.Micros != nil }) {
		s.Lead += timedOnce
	}
	if version == "" {
		s.Items = append(s.Items, dropItems(budget)...)
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

const timedOnce = " The times are torch's own: it times the check of each version once, when it compiles it. A call tries the versions of a function one after another, until one fits."

// GuardsInShort says what guards cost and which could go; it has no items where that is nothing to speak of.
func GuardsInShort(f *answers.Facts) Section {
	budget := f.Guards()
	s := Section{Name: "guards", Command: "guards", Title: "What guards cost", Data: budget}
	if !budget.WorthTelling() {
		return s
	}
	s.Lead = fmt.Sprintf("%s of %s are checked before compiled code runs.", plural(budget.Guards, "guard"), plural(budget.Versions, "version"))
	s.Items, s.Count = dropItems(budget), len(budget.Functions)
	s.Short = fmt.Sprintf("%s of %s", plural(budget.Guards, "guard"), plural(budget.Versions, "version"))
	const most = 3
	for i, c := range budget.Functions[:min(most, len(budget.Functions))] {
		if c.Micros != nil && i == 0 {
			s.Lead += timedOnce
			s.Short += fmt.Sprintf("; up to %s a call of %s", inMillis(c.Call()), code(c.Name))
		}
		s.Items = append(s.Items, costItem(f.Program, c))
	}
	if n := len(budget.Functions) - most; n > 0 {
		s.Items = append(s.Items, Item{Text: fmt.Sprintf("and %s that cost less", pluralOthers(n))})
	}
	return s
}

// costItem says what the guards of a function take of a call.
func costItem(p *explain.Program, c answers.GuardCost) Item {
	it := Item{Strong: plural(c.Guards, "guard"), Text: " in a version of "}
	if c.Micros != nil {
		it = Item{Strong: "up to " + inMillis(c.Call()), Text: " a call of "}
	}
	it.Text += fmt.Sprintf("%s (%s)", code(c.Name), p.Places.Place(c.File, c.Line))
	if c.Resumes > 0 {
		it.Text += " with " + plural(c.Resumes, "resume function")
	}
	it.Text += ": " + plural(c.Versions, "version")
	if c.Micros != nil {
		it.Text += fmt.Sprintf(", the median %.0f µs; up to %s each", *c.Micros, plural(c.Guards, "guard"))
	}
	return it
}

// inMillis is a time that is given in microseconds.
func inMillis(micros float64) string {
	if micros < 1000 {
		return fmt.Sprintf("%.0f µs", micros)
	}
	return fmt.Sprintf("%.1f ms", micros/1000)
}

// dropItems are the guards that could go.
func dropItems(b answers.GuardBudget) []Item {
	var out []Item
	for _, d := range b.Drops {
		it := Item{Strong: "Worth dropping", Text: fmt.Sprintf(": %d guards on %s, in %s; none of them has failed", d.Guards, guardedThings[d.On], codes(d.Functions, 3))}
		it.add("%s", d.How)
		out = append(out, it)
	}
	return out
}

// guardedThings are the sorts of things that guards are on, in words.
var guardedThings = map[string]string{
	"arguments": "arguments", "modules": "modules and their parameters", "globals": "globals", "framework": "torch's own state",
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
		text := fmt.Sprintf("%d on %s", group.Guards, guardedThings[group.On])
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
