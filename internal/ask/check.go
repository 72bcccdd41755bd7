package ask

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/recorded"
	"github.com/thuml/depyf/internal/report"
)

// Verdict is what came of one limit.
type Verdict struct {
	Process string   `json:"process"`
	Name    string   `json:"name"`
	Value   float64  `json:"value"`
	Limit   float64  `json:"limit"`
	OK      bool     `json:"ok"`
	Because []string `json:"because"` // the lines and causes behind it, if it is exceeded: those that the baseline does not have first
	New     []string `json:"new"`     // those of them
	Gone    []string `json:"gone"`    // what the baseline has besides
}

// Limits say how much there may be of each count, by its name (answers.Count, and "seconds" of compiling). What is not
// in it, or is negative, is not limited.
type Limits map[string]float64

// Names of verdicts on processes that only one of both runs has.
const (
	missing = "missing"
	extra   = "extra"
)

// cut is the name of a verdict on a process whose log has no end.
const cut = "cut"

// Check compares the numbers of each process with limits and with a baseline, if there is one: of what makes a program slower
// there may be no more than in that, and both have the same processes.
func Check(now, baseline []recorded.Session, limits Limits) []Verdict {
	var all []Verdict
	if baseline == nil {
		for _, s := range now {
			all = append(all, judged(s.Name, s.Facts().Session(), nil, limits)...)
		}
		return all
	}
	for _, m := range match(baseline, now) {
		switch {
		case m.after == nil:
			all = append(all, alone(m.name, missing, "the baseline has a dump of it"))
		case m.before == nil:
			all = append(all, alone(m.name, extra, "the baseline has no dump of it"))
			all = append(all, judged(m.name, m.after.Facts().Session(), nil, limits)...)
		default:
			all = append(all, judged(m.name, m.after.Facts().Session(), m.before.Facts().Session(), limits)...)
		}
	}
	return all
}

// alone is the verdict on a process that one of both runs does not have.
func alone(process, name, why string) Verdict {
	return Verdict{Process: process, Name: name, Value: 1, Because: []string{why}, New: []string{}, Gone: []string{}}
}

// worse are the counts of which there may be no more than in the baseline.
var worse = []string{"breaks", "recompilations", "limits", "failures"}

// judged compares the numbers of one process with the limits and with the baseline, if there is one. A line that breaks the graph
// and does not in the baseline is one too many, also where another no longer does.
func judged(process string, s, before *answers.Session, limits Limits) []Verdict {
	var difference answers.Difference
	was := map[string]float64{}
	if before != nil {
		difference = answers.Compare(before, s)
		for _, c := range before.Counts() {
			was[c.Name] = float64(c.After)
		}
	}
	var out []Verdict
	if !s.Complete {
		out = append(out, alone(process, cut, answers.EndedEarly))
	}
	for _, c := range append(s.Counts(), answers.Count{Name: "seconds"}) {
		v := Verdict{Process: process, Name: c.Name, Value: float64(c.After), Limit: -1, Because: []string{}, New: []string{}, Gone: []string{}}
		if c.Name == "seconds" {
			v.Value = secondsOf(s)
		}
		if given, ok := limits[c.Name]; ok {
			v.Limit = given
		}
		if before != nil && slices.Contains(worse, c.Name) && (v.Limit < 0 || was[c.Name] < v.Limit) {
			v.Limit = was[c.Name]
		}
		if v.Limit < 0 {
			continue
		}
		v.OK = v.Value <= v.Limit && !newOf(difference, c.Name)
		if !v.OK {
			v.explain(s, difference)
		}
		out = append(out, v)
	}
	return out
}

// newOf reports whether something of a kind is there that the baseline does not have, whatever else is gone.
func newOf(d answers.Difference, name string) bool {
	switch name {
	case "breaks":
		return len(d.NewBreaks)+len(d.ChangedBreaks) > 0
	case "recompilations":
		return len(d.NewCauses) > 0
	case "failures":
		return len(d.NewFailures) > 0
	}
	return false
}

func secondsOf(s *answers.Session) float64 {
	seconds := 0.0
	for _, f := range s.Spent {
		seconds += f.Total + f.Backward
	}
	return seconds
}

// explain names what is behind a limit that is exceeded.
func (v *Verdict) explain(s *answers.Session, d answers.Difference) {
	v.New = append(v.New, report.NewBehind(v.Name, d)...)
	v.Gone = append(v.Gone, report.GoneBehind(v.Name, d)...)
	v.Because = append(v.Because, v.New...)
	for _, line := range report.Behind(v.Name, s) {
		if !slices.Contains(v.New, line) {
			v.Because = append(v.Because, line)
		}
	}
}

// mostLines is how many lines that are not new are named for a limit.
const mostLines = 20

// Lines are what is behind a verdict, for people: what is new, so many of the others, and what is gone.
func (v Verdict) Lines(most int) []string {
	var out []string
	for _, line := range v.New {
		out = append(out, "new: "+line)
	}
	old := v.Because[len(v.New):]
	out = append(out, old[:min(most, len(old))]...)
	if more := len(old) - most; more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	for _, line := range v.Gone {
		out = append(out, "gone: "+line)
	}
	return out
}

// Short is the verdict in one line: "graph breaks: 3, limit 2".
func (v Verdict) Short() string {
	return report.CountName(v.Name) + ": " + v.value() + ", limit " + v.limit()
}

// limit is the limit, and why it is exceeded where the number does not tell.
func (v Verdict) limit() string {
	text := fmt.Sprintf("%g", v.Limit)
	if !v.OK && v.Value <= v.Limit {
		text += ", but not the same ones"
	}
	return text
}

// Words is what came of a limit for people: in text, or in Markdown.
func (v Verdict) Words(markdown bool) string {
	var b strings.Builder
	process := ""
	if v.Process != "." {
		process = v.Process + ": "
	}
	word, mark, item := "ok", "✓", "          "
	if !v.OK {
		word, mark = "FAILED", "✗"
	}
	if markdown {
		item = "  - "
		fmt.Fprintf(&b, "- %s %s**%s**: %s (limit %s)\n", mark, process, report.CountName(v.Name), v.value(), v.limit())
	} else {
		fmt.Fprintf(&b, "%-7s %s%s\n", word, process, v.Short())
	}
	for _, s := range v.Lines(mostLines) {
		b.WriteString(item + s + "\n")
	}
	return b.String()
}

// value is the number as one reads it: seconds have one decimal, unless that would be the limit.
func (v Verdict) value() string {
	if text := fmt.Sprintf("%.1f", v.Value); v.Name == "seconds" && text != fmt.Sprintf("%.1f", v.Limit) {
		return text
	}
	return fmt.Sprintf("%g", v.Value)
}

// Passed reports whether all is well.
func Passed(all []Verdict) bool {
	for _, v := range all {
		if !v.OK {
			return false
		}
	}
	return true
}
