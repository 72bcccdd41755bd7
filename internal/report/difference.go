package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// Differences says what became of a session that ran again.
func Differences(d answers.Difference) Section {
	s := Section{Name: "difference", Title: "What is different", Data: d}
	for _, c := range d.Counts {
		if c.Before != c.After {
			s.Items = append(s.Items, Item{Strong: CountName(c.Name), Text: fmt.Sprintf(" %d → %d", c.Before, c.After)})
		}
	}
	for _, b := range d.NewBreaks {
		s.Items = append(s.Items, Item{Strong: "new graph break", Text: " at " + lineOf(b.File, b.Line, b.Code) + ": " + b.Cause, Details: slices.Concat(reached(b), b.Remedies, hints(b.Hints))})
	}
	for _, b := range d.GoneBreaks {
		s.Items = append(s.Items, Item{Strong: "graph break gone", Text: " at " + lineOf(b.File, b.Line, b.Code) + ": " + b.Cause})
	}
	for _, c := range d.NewCauses {
		s.Items = append(s.Items, Item{
			Strong: "new cause of recompilations", Text: fmt.Sprintf(": %s; %s at %s", c.Title, plural(c.Recompilations, "recompilation"), lineOf(c.File, c.Line, c.Code)),
			Details: append(hints(c.Hints), c.Remedies...),
		})
	}
	for _, c := range d.GoneCauses {
		s.Items = append(s.Items, Item{Strong: "cause of recompilations gone", Text: fmt.Sprintf(": %s at %s", c.Title, lineOf(c.File, c.Line, c.Code))})
	}
	for _, t := range d.Times {
		word := "slower to compile"
		if t.After < t.Before {
			word = "faster to compile"
		}
		s.Items = append(s.Items, Item{Strong: word, Text: fmt.Sprintf(": %s (%s), %.1f s → %.1f s", code(t.Function), lineOf(t.File, t.Line, ""), t.Before, t.After)})
	}
	s.Lead = "Nothing is different."
	if len(s.Items) > 0 {
		s.Lead = plural(len(s.Items), "difference") + "."
	}
	return s
}

// CountName is what a number of a session (answers.Count) is called in words.
func CountName(name string) string {
	switch name {
	case "breaks":
		return "graph breaks"
	case "limits":
		return "recompilations refused by the limit"
	case "failures":
		return "compilations that raised"
	case "seconds":
		return "seconds of compiling"
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
	var out []string
	switch name {
	case "breaks":
		for _, b := range s.BreakLines {
			out = append(out, strings.Join(append([]string{lineOf(b.File, b.Line, b.Code) + ": " + b.Cause}, reached(b)...), "; "))
		}
	case "recompilations", "limits":
		for _, c := range s.Causes {
			n := c.Recompilations
			if name == "limits" {
				n = c.Refused
			}
			if n > 0 {
				out = append(out, fmt.Sprintf("%s: %s; %s", lineOf(c.File, c.Line, c.Code), c.Title, plural(n, "time")))
			}
		}
		if name == "recompilations" && s.Untold > 0 {
			out = append(out, plural(s.Untold, "time")+": nothing says why")
		}
	case "failures":
		for _, f := range s.Failures() {
			out = append(out, fmt.Sprintf("%s in %s: %s", lineOf(f.File, f.Line, ""), code(f.Function), f.Text))
		}
	case "seconds":
		for _, f := range s.Spent[:min(3, len(s.Spent))] {
			out = append(out, fmt.Sprintf("%s in %s: %.1f s", lineOf(f.File, f.Line, ""), code(f.Function), f.Total+f.Backward))
		}
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
