package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// Differences says what became of a session that ran again: first what is wrong now, then what is new, slower, gone, and last what
// follows from that in graphs, kernels and guards.
func Differences(d answers.Difference) Section {
	s := Section{Name: "difference", Title: "What is different", Data: d}
	switch d.OnlyIn {
	case answers.InBefore:
		s.item("it is gone", ": only the run before has it")
	case answers.InAfter:
		s.item("it is new", ": the run before does not have it")
	}
	s.ends(d)
	s.counted(d.Counts, "breaks", "recompilations", "limits", "failures")
	s.places("fails now", d.NewFailures)
	s.places("wrong number", d.NewWrong)
	s.appeared(d)
	s.places("left uncompiled now", d.NewLeft)
	s.times(d.Times)
	s.vanished(d)
	s.counted(d.Counts, "versions", "graphs")
	s.graphs(d.Graphs)
	s.kernels(d.Kernels)
	s.guards(d.Guards)
	s.Lead = "Nothing is different: " + compared + " are the same."
	if !d.Same() {
		s.Lead = plural(len(s.Items), "difference") + "."
	}
	return s
}

// compared is all that is looked at.
const compared = "failures, lines that break graphs, recompilations and their causes, functions left uncompiled, graphs, kernels, guards, and the time that compiling took"

func (s *Section) item(strong, text string, details ...string) {
	s.Items = append(s.Items, Item{Strong: strong, Text: text, Details: details})
}

// ends says how the runs ended, if not alike, and what they ran on.
func (s *Section) ends(d answers.Difference) {
	switch c := d.Raised; {
	case c == nil:
	case c.Before == "":
		s.item("ends with an error now", ": "+c.After)
	case c.After == "":
		s.item("no longer ends with an error", ": "+c.Before)
	default:
		s.item("ends with another error", ": "+c.Before+" → "+c.After)
	}
	if c := d.Complete; c != nil && c.Before {
		s.item("died", ": what it did after the end of its log is not known")
	} else if c != nil {
		s.item("came to its end", ": the run before did not")
	}
	if c := d.Torch; c != nil {
		s.item("torch", fmt.Sprintf(" %s → %s: graphs and kernels are not compared, as each version writes them in its own way", c.Before, c.After))
	}
}

func (s *Section) counted(list []answers.Count, names ...string) {
	for _, c := range list {
		if c.Before != c.After && slices.Contains(names, c.Name) {
			s.item(CountName(c.Name), fmt.Sprintf(" %d → %d", c.Before, c.After))
		}
	}
}

func (s *Section) places(what string, list []answers.Place) {
	for _, f := range list {
		if f.Function == "" {
			s.item(what, ": "+failureAt(f))
			continue
		}
		s.item(what, fmt.Sprintf(": %s (%s): %s", functionText(f.Function), lineOf(f.File, f.Line, ""), f.Text))
	}
}

// appeared are the new breaks and causes.
func (s *Section) appeared(d answers.Difference) {
	for _, b := range d.NewBreaks {
		s.item("new graph break", " at "+lineOf(b.File, b.Line, b.Code)+": "+b.Cause, slices.Concat(reached(b), b.Remedies, hints(b.Hints))...)
	}
	for _, c := range d.ChangedBreaks {
		s.item("graph break for another cause", fmt.Sprintf(" at %s: %s, was: %s", lineOf(c.After.File, c.After.Line, c.After.Code), c.After.Cause, c.Before.Cause))
	}
	for _, c := range d.NewCauses {
		s.item("new cause of recompilations", fmt.Sprintf(": %s; %s at %s", c.Title, plural(c.Recompilations, "recompilation"), lineOf(c.File, c.Line, c.Code)), append(hints(c.Hints), c.Remedies...)...)
	}
}

// vanished is what is no longer there.
func (s *Section) vanished(d answers.Difference) {
	s.places("no longer fails", d.OldFailures)
	s.places("no longer a wrong number", d.GoneWrong)
	for _, b := range d.GoneBreaks {
		s.item("graph break gone", " at "+lineOf(b.File, b.Line, b.Code)+": "+b.Cause)
	}
	for _, c := range d.GoneCauses {
		s.item("cause of recompilations gone", fmt.Sprintf(": %s at %s", c.Title, lineOf(c.File, c.Line, c.Code)))
	}
	s.places("no longer left uncompiled", d.OldLeft)
}

func (s *Section) times(list []answers.TimeShift) {
	for _, t := range list {
		word := "slower to compile"
		if t.After < t.Before {
			word = "faster to compile"
		}
		s.item(word, fmt.Sprintf(": %s (%s), %.1f s → %.1f s", code(t.Function), lineOf(t.File, t.Line, ""), t.Before, t.After))
	}
}

// CountName is what a number of a session (answers.Count) is called in words.
func CountName(name string) string {
	switch name {
	case "breaks":
		return "graph breaks"
	case "limits":
		return "recompilations refused by the limit"
	case "seconds":
		return "seconds of compiling"
	case "missing":
		return "not in this run"
	case "cut":
		return "without an end"
	case "extra":
		return "not in the baseline"
	}
	return name
}

// reached says which lines of the user's lead to a break in a library.
func reached(b answers.BreakLine) []string {
	if len(b.Callers) == 0 {
		return nil
	}
	return []string{reachedFrom(&explain.Program{}, b.Callers)}
}

// lineOf is a line of the program and its text.
func lineOf(file string, line int, text string) string {
	if file == "" {
		return "an unknown place"
	}
	if line <= 0 {
		return answers.ShortName(file)
	}
	return strings.TrimSpace(fmt.Sprintf("%s:%d %s", answers.ShortName(file), line, code(text)))
}

// Behind names what a number of a session counts, a line each: the lines that break graphs, causes, failures, functions.
func Behind(name string, s *answers.Session) []string {
	switch name {
	case "breaks":
		return breaksBehind(s.BreakLines)
	case "recompilations", "limits":
		out := causesBehind(name, s.Causes)
		if name == "recompilations" && s.Untold > 0 {
			out = append(out, plural(s.Untold, "time")+": nothing says why")
		}
		return out
	case "failures":
		return failuresBehind(s.Failures())
	case "seconds":
		var out []string
		for _, f := range s.Spent[:min(3, len(s.Spent))] {
			out = append(out, fmt.Sprintf("%s in %s: %.1f s", lineOf(f.File, f.Line, ""), code(f.Function), f.Total+f.Backward))
		}
		return out
	}
	return nil
}

// NewBehind is what of it an earlier run does not have.
func NewBehind(name string, d answers.Difference) []string {
	switch name {
	case "breaks":
		return breaksBehind(d.NewBreaks)
	case "recompilations", "limits":
		return causesBehind(name, d.NewCauses)
	case "failures":
		return failuresBehind(d.NewFailures)
	}
	return nil
}

// GoneBehind is what only the earlier run has.
func GoneBehind(name string, d answers.Difference) []string {
	switch name {
	case "breaks":
		return breaksBehind(d.GoneBreaks)
	case "recompilations", "limits":
		return causesBehind(name, d.GoneCauses)
	case "failures":
		return failuresBehind(d.OldFailures)
	}
	return nil
}

func breaksBehind(list []answers.BreakLine) (out []string) {
	for _, at := range answers.BreakPlaces(list) {
		b := at.Line()
		out = append(out, strings.Join(append([]string{lineOf(b.File, b.Line, b.Code) + ": " + b.Cause}, reached(b)...), "; "))
	}
	return out
}

// causesBehind names the causes that have led to recompilations, or to ones that the limit refused.
func causesBehind(name string, list []answers.Cause) (out []string) {
	for _, c := range list {
		n := c.Recompilations
		if name == "limits" {
			n = c.Refused
		}
		if n > 0 {
			out = append(out, fmt.Sprintf("%s: %s; %s", lineOf(c.File, c.Line, c.Code), c.Title, plural(n, "time")))
		}
	}
	return out
}

// failureAt is a failure in one line.
func failureAt(f answers.Place) string {
	at := lineOf(f.File, f.Line, "")
	switch {
	case f.Function != "":
		return fmt.Sprintf("%s in %s: %s", at, functionText(f.Function), f.Text)
	case f.Line > 0:
		return at + ": " + f.Text
	}
	return f.Text
}

func failuresBehind(list []answers.Place) (out []string) {
	for _, f := range list {
		out = append(out, failureAt(f))
	}
	return out
}

func hints(list []string) []string {
	var out []string
	for _, h := range list {
		out = append(out, "torch's hint: "+h)
	}
	return out
}
