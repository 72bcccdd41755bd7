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
		if !strings.HasPrefix(src.Name, "rank_") {
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

// RankDifferences says what not all processes of a distributed run have.
func RankDifferences(r answers.Ranks) Section {
	s := Section{Name: "ranks", Command: "ranks", Title: "What differs between the ranks", Data: r}
	for _, f := range r.Failures {
		s.Items = append(s.Items, oddItem(f, "failed to compile", fmt.Sprintf("%s in %s: %s", lineOf(f.What.File, f.What.Line, ""), functionText(f.What.Function), f.What.Text)))
	}
	for _, b := range r.Breaks {
		it := oddItem(b, "graph break", lineOf(b.What.File, b.What.Line, b.What.Code)+": "+b.What.Cause)
		it.Details = slices.Concat(it.Details, reached(b.What), b.What.Remedies, hints(b.What.Hints))
		s.Items = append(s.Items, it)
	}
	for _, c := range r.Causes {
		it := oddItem(c, "recompiled", c.What.Title+" at "+lineOf(c.What.File, c.What.Line, c.What.Code))
		it.Details = append(append(it.Details, hints(c.What.Hints)...), c.What.Remedies...)
		s.Items = append(s.Items, it)
	}
	s.Items = append(s.Items, graphItems(r.Graphs)...)
	for _, f := range r.Slow {
		s.Items = append(s.Items, Item{Strong: f.Late, Text: fmt.Sprintf(" compiles %s (%s) in %.1f s, %s in %.1f s", functionText(f.Function), lineOf(f.File, f.Line, ""), f.Most, f.Fast, f.Least)})
	}
	s.Lead = fmt.Sprintf("All %d ranks compiled the same.", len(r.Processes))
	if !r.Same() {
		s.Lead = plural(len(s.Items), "difference") + fmt.Sprintf(" between %d ranks.", len(r.Processes))
	}
	for _, p := range r.Processes {
		if !p.Complete {
			s.Items = append(s.Items, Item{Strong: p.Name, Text: " ended without a report: what it did after the end of its log is not known"})
		}
	}
	return s
}

// graphItems names the graphs that the same ranks have in one item: most often one break made them all.
func graphItems(list []answers.Odd[answers.Operation]) []Item {
	var out []Item
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
		it := oddItem(first, plural(len(same), "graph"), "")
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
