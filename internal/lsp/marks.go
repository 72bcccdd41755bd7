package lsp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/report"
)

// mark is something to know of a line.
type mark struct {
	line     int
	severity int
	code     string // the command that tells all of it
	link     string
	text     string // the first line says what, the others why and what helps
}

// marksOf says what is to be known of the lines of a file, in their order. What only some processes have is told as theirs.
func (d *dump) marksOf(list []traced) []mark {
	var out []mark
	in := map[mark][]string{}
	for _, t := range list {
		for _, m := range marksIn(t) {
			if len(in[m]) == 0 {
				out = append(out, m)
			}
			if !slices.Contains(in[m], t.session.Name) {
				in[m] = append(in[m], t.session.Name)
			}
		}
	}
	for i, m := range out {
		if names := in[m]; len(names) < len(d.sessions) {
			first, rest, _ := strings.Cut(m.text, "\n")
			out[i].text = strings.TrimSuffix(first+" (in "+strings.Join(names, ", ")+")\n"+rest, "\n")
		}
	}
	slices.SortStableFunc(out, func(a, b mark) int { return cmp.Compare(a.line, b.line) })
	return out
}

// marksIn are those of one process.
func marksIn(t traced) []mark {
	facts := t.session.Facts()
	p := facts.Program
	here := func(file string, line int) bool {
		return line > 0 && file != "" && p.Places.Full(file) == t.source.File && t.covers(line)
	}
	var out []mark
	for _, c := range facts.Session().Compilations {
		f, l := c.Failure, c.Limit
		switch {
		case l != nil && here(c.File, c.Line): // the failure says the same
			text := fmt.Sprintf("%s reached the limit torch._dynamo.config.%s = %d, ", c.Name, l.Setting, l.Value)
			if f != nil && f.Raised != nil && *f.Raised {
				out = append(out, mark{c.Line, severityError, "failures", "", text + "and the call raised " + f.Error})
			} else {
				out = append(out, mark{c.Line, severityWarning, "failures", "", text + "and is no longer compiled for other values"})
			}
		case f != nil && here(f.File, f.Line):
			out = append(out, mark{f.Line, severityError, "failures", "", fmt.Sprintf("compiling %s failed here: %s", c.Name, strings.TrimSpace(f.Text))})
		case f != nil && f.Line == 0 && here(c.File, c.Line):
			out = append(out, mark{c.Line, severityError, "failures", "", fmt.Sprintf("compiling %s failed: %s", c.Name, strings.TrimSpace(f.Text))})
		}
		for _, b := range c.Backward {
			if here(c.File, c.Line) {
				out = append(out, mark{c.Line, severityError, "failures", "", fmt.Sprintf("compiling the backward pass of %s failed, %s: %s", c.Name, times(b.Times), strings.TrimSpace(b.Text))})
			}
		}
	}
	for _, c := range facts.Wrong() {
		for _, w := range c.Wrong {
			if len(w.Operations) > 0 && here(w.Operations[0].File, w.Operations[0].Line) {
				out = append(out, mark{w.Operations[0].Line, severityError, "wrong", "", report.WrongText(w)})
			}
		}
	}
	for _, b := range facts.BreakLines() {
		for _, c := range b.Callers {
			if here(c.File, c.Line) {
				text := fmt.Sprintf("this line leads to a graph break at %s: %s", p.Places.Place(b.File, b.Line), b.Cause)
				out = append(out, mark{c.Line, severityWarning, "breaks", b.Link, lines(text, slices.Concat(nonEmpty(b.Explanation), b.Remedies, hints(b.Hints)))})
			}
		}
		if here(b.File, b.Line) {
			text := fmt.Sprintf("graph break here: %s; %s%s", b.Cause, times(b.Times), seconds(b.Seconds, " to compile the code after it"))
			out = append(out, mark{b.Line, severityWarning, "breaks", b.Link, lines(text, slices.Concat(nonEmpty(b.Explanation), b.Remedies, hints(b.Hints)))})
		}
	}
	for _, c := range facts.Causes() {
		for _, from := range c.Callers {
			if here(from.File, from.Line) {
				text := "this line leads to " + p.Places.Place(c.File, c.Line) + ", " + recompiled(c, p.Model.Identities.Readable)
				out = append(out, mark{from.Line, severityWarning, "why-recompile", "", lines(text, append(hints(c.Hints), c.Remedies...))})
			}
		}
		if here(c.File, c.Line) {
			out = append(out, mark{c.Line, severityWarning, "why-recompile", "", lines(recompiled(c, p.Model.Identities.Readable), append(hints(c.Hints), c.Remedies...))})
		}
	}
	return once(out)
}

// once leaves out what is said a second time: versions of a function fail alike.
func once(list []mark) []mark {
	seen := map[mark]bool{}
	return slices.DeleteFunc(list, func(m mark) bool {
		again := seen[m]
		seen[m] = true
		return again
	})
}

func recompiled(c answers.Cause, readable func(string) string) string {
	text := "recompiled " + times(c.Recompilations)
	if c.Refused > 0 {
		text += fmt.Sprintf(", and %d more refused by the limit", c.Refused)
	}
	text += ": " + c.Title
	var values []string
	for _, v := range c.Values {
		values = append(values, readable(v))
	}
	if n := len(values); n > 6 {
		values = append(values[:5:5], fmt.Sprintf("… %d more", n-5))
	}
	if len(values) > 0 {
		text += ", " + strings.Join(values, " → ")
	}
	return text + seconds(c.Seconds, "")
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func seconds(s float64, of string) string {
	if s < 0.05 {
		return ""
	}
	return fmt.Sprintf(", %.1f s%s", s, of)
}

func hints(list []string) []string {
	var out []string
	for _, h := range list {
		out = append(out, "torch's hint: "+h)
	}
	return out
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// lines is a text with what else there is to say below it, a line each.
func lines(first string, rest []string) string {
	out := []string{first}
	for _, s := range rest {
		out = append(out, strings.Join(strings.Fields(s), " "))
	}
	return strings.Join(out, "\n")
}
