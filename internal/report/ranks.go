package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// Ranks compares the ranks among the processes. Others (workers, servers) run other things
// and are left out. ended says that all of them are known to have ended, whatever their logs say.
func Ranks(sources []Source, ended bool) (answers.Ranks, error) {
	var list []answers.Process
	for _, src := range sources {
		if !OfRank(src.Name) {
			continue
		}
		m, err := src.Load()
		if err != nil {
			return answers.Ranks{}, err
		}
		m.Ended = m.Ended || ended
		session := answers.Of(explain.Link(m))
		session.ForgetTexts()
		list = append(list, answers.Process{Name: src.Name, Session: session})
	}
	return answers.CompareRanks(list), nil
}

// RankDifferences says what not all processes of a distributed run have, in the order of compiling: what ranks differ in
// first often leads to the rest.
func RankDifferences(r answers.Ranks) Section {
	s := Section{Name: "ranks", Command: "ranks", Title: "What differs between the ranks", Data: r}
	var list []placedItem
	for _, f := range r.Failures {
		list = append(list, placed(f, "failures", "failed", failureAt(f.What)))
	}
	for _, e := range r.Ended {
		list = append(list, placed(e, "failures", "ended early", e.What.Text))
	}
	for _, b := range r.Breaks {
		it := placed(b, "breaks", "graph break", strings.TrimSpace(lineOf(b.What.File, b.What.Line, b.What.Code)+inFunction(b.What))+": "+b.What.Cause)
		it.Details = slices.Concat(it.Details, reached(b.What), b.What.Remedies, hints(b.What.Hints))
		list = append(list, it)
	}
	for _, c := range r.Causes {
		it := placed(c, "recompilations", "recompiled", c.What.Title+" at "+lineOf(c.What.File, c.What.Line, c.What.Code))
		it.Details = append(append(it.Details, hints(c.What.Hints)...), c.What.Remedies...)
		list = append(list, it)
	}
	for _, l := range r.Left {
		list = append(list, placed(l, "left", "left uncompiled", fmt.Sprintf("%s (%s): %s", functionText(l.What.Function), lineOf(l.What.File, l.What.Line, ""), l.What.Text)))
	}
	list = append(list, graphItems(r.Graphs)...)
	slices.SortStableFunc(list, func(a, b placedItem) int { return a.at - b.at })
	for _, it := range list {
		s.Items = append(s.Items, it.Item)
	}
	for _, u := range r.Versions {
		it := Item{Strong: names(u.Many), Text: fmt.Sprintf(": %s of %s (%s), %d in %s", plural(u.Most, "version"), functionText(u.Function), lineOf(u.File, u.Line, ""), u.Least, names(u.Few))}
		it.Process, it.Part = u.Many[0], "functions"
		s.Items = append(s.Items, it)
	}
	for _, f := range r.Slow {
		it := Item{Strong: f.Late, Text: fmt.Sprintf(" compiles %s (%s) in %.1f s, %s in %.1f s", functionText(f.Function), lineOf(f.File, f.Line, ""), f.Most, f.Fast, f.Least)}
		it.Process, it.Part = f.Late, "time"
		s.Items = append(s.Items, it)
	}
	s.Lead = fmt.Sprintf("All %d ranks compiled the same.", len(r.Processes))
	if !r.Same() {
		s.Lead = plural(len(s.Items), "difference") + fmt.Sprintf(" between %d ranks.", len(r.Processes))
		s.Numbers = rankNumbers(r)
	}
	if len(list) > 1 {
		s.Lead += " They stand in the order of compiling: the first may have led to the others."
	}
	for _, p := range r.Processes {
		if !p.Complete {
			s.Items = append(s.Items, Item{Strong: p.Name, Text: " ended before its session did: what it did after the end of its log is not known"})
		}
	}
	return s
}

// placedItem is an item with its place in the order of compiling.
type placedItem struct {
	Item
	at int
}

// placed is the item of something that some processes have; part is where their pages tell of such things.
func placed[T any](o answers.Odd[T], part, what, text string) placedItem {
	it := oddItem(o, what, text)
	it.Process, it.Part = o.In[0], part
	return placedItem{it, o.At}
}

// graphItems names the graphs that the same ranks have in one item: most often one break made them all.
func graphItems(list []answers.Odd[answers.Operation]) []placedItem {
	var out []placedItem
	for len(list) > 0 {
		first := list[0]
		var same, rest []answers.Odd[answers.Operation]
		for _, g := range list {
			if slices.Equal(g.In, first.In) {
				same = append(same, g)
			} else {
				rest = append(rest, g)
			}
		}
		it := placed(first, "functions", plural(len(same), "graph"), "")
		it.Text = strings.TrimSuffix(it.Text, ": ")
		for _, g := range same {
			from := ""
			if len(g.What.Lines) > 0 {
				from = ", from " + strings.Join(g.What.Lines, ", ")
			}
			it.add("%s of %s%s: %s of %s", plural(g.What.Operations, "operation"), functionText(g.What.Function), from, code(g.What.Graph), g.In[0])
		}
		out, list = append(out, it), rest
	}
	return out
}

// oddItem names the smaller of both sides: "only rank_2", "all but rank_3".
func oddItem[T any](o answers.Odd[T], what, text string) Item {
	who := "only " + names(o.In)
	if len(o.Without) < len(o.In) {
		who = "all but " + names(o.Without)
	}
	return Item{Strong: who, Text: ": " + what + ": " + text}
}

// names is "a, b and 3 more".
func names(list []string) string {
	const most = 4
	if len(list) > most {
		return strings.Join(list[:most], ", ") + fmt.Sprintf(" and %d more", len(list)-most)
	}
	return strings.Join(list, ", ")
}
