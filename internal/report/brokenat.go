package report

import (
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// Breaks says which lines end graphs, and for which causes: those of the user's own lines first.
func Breaks(f *answers.Facts) Section {
	p, list := f.Program, f.BreakLines()
	s := Section{Name: "breaks", Command: "breaks", Title: "Lines that break the graph", Data: list}
	if len(list) == 0 {
		s.silent(p, "breaks", "lines that break graphs", "No line breaks a graph.", "The log tells of no line that breaks a graph")
		return s
	}
	places, causes := answers.BreakPlaces(list), answers.BreakCauses(list)
	var order []string
	own := 0
	for _, at := range places {
		order = append(order, p.Places.Place(at[0].File, at[0].Line))
		if !explain.LibraryFile(at[0].File) {
			own++
		}
	}
	most := min(4, len(order))
	s.Short = strings.Join(order[:most], ", ") + andMore(len(order)-most)
	s.Count = len(places)
	s.Lead = fmt.Sprintf("%s the graph, %s in all", breakers(len(places)), plural(answers.BreakCause(list).Times(), "time"))
	if len(list) > 1 {
		s.Lead += ", for " + plural(len(causes), "cause")
	}
	if own < len(places) {
		s.Lead += fmt.Sprintf("; %d of the lines in your own files", own)
	}
	s.Lead += "."
	for _, c := range causes {
		s.Items = append(s.Items, breakItem(p, c))
	}
	return s
}

// mostLines is how many other lines of a cause the page shows at once.
const mostLines = 6

// breakItem tells of a cause: the first of its lines, what to do, and the other lines.
func breakItem(p *explain.Program, c answers.BreakCause) Item {
	b := c[0]
	alike, others := c.Alike()
	it := Item{Strong: p.Places.Place(b.File, b.Line), Text: breakAtLine(b)}
	if n := len(c) - 1; n > 0 {
		it.Text += ", and " + plural(n, "more line")
	}
	it.Text += ": " + b.Cause + breakCost(c.Times(), c.Seconds(), len(c))
	if len(b.Callers) > 0 {
		it.add("%s", reachedFrom(p, b.Callers))
	}
	if b.Explanation != "" {
		it.add("%s", b.Explanation)
	}
	it.advise(len(b.Remedies) + len(b.Hints))
	for _, r := range b.Remedies {
		it.add("%s", r)
	}
	for _, h := range b.Hints {
		it.add("torch's hint: %s", h)
	}
	if b.Link != "" {
		it.add("more: %s", b.Link)
	}
	told := len(it.Details)
	if len(alike) > 0 {
		var list []string
		for _, a := range alike {
			list = append(list, p.Places.Place(a.File, a.Line))
		}
		it.add("the same text at %s", strings.Join(list, ", "))
	}
	for _, o := range others {
		text := "also at " + p.Places.Place(o.File, o.Line) + breakAtLine(o) + breakCost(o.Times, o.Seconds, 1)
		if len(o.Callers) > 0 {
			text += "; " + reachedFrom(p, o.Callers)
		}
		it.add("%s", text)
	}
	if len(c)-1 > mostLines {
		it.Folded = len(it.Details) - told
	}
	return it
}

// breakAtLine is the text of a line and the function that it is in, behind its place.
func breakAtLine(b answers.BreakLine) string {
	return strings.TrimRight(" "+code(b.Code), " ") + inFunction(b)
}

// inFunction names the function that a line is in and, where that is another, those whose graphs it breaks.
func inFunction(b answers.BreakLine) string {
	out := ""
	if b.Function != "" {
		out = " in " + code(b.Function)
	}
	var others []string
	for _, f := range b.Functions {
		// Where the text of the file is not known, the function goes without its class.
		if f != b.Function && !strings.HasSuffix(f, "."+b.Function) {
			others = append(others, functionText(f))
		}
	}
	switch n := len(others); {
	case n == 0:
	case b.Function == "":
		out = " in " + others[0] + andMore(n-1)
	default:
		out += ", which is part of " + others[0] + andMore(n-1)
	}
	return out
}

func breakers(lines int) string {
	if lines == 1 {
		return "1 line breaks"
	}
	return fmt.Sprintf("%d lines break", lines)
}

// breakCost is how often lines break the graph, where that is more than once, and what it costs; it begins with "; ", or is empty.
func breakCost(times int, seconds float64, lines int) string {
	out := ""
	if times > 1 {
		out = "; " + plural(times, "time")
	}
	if seconds >= worthPrinting {
		them := "it"
		if lines > 1 {
			them = "them"
		}
		out += fmt.Sprintf("; %.1f s to compile the code after %s", seconds, them)
	}
	return out
}
