package ask

import (
	"fmt"
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
	Because []string `json:"because"` // the lines and causes behind it
}

// Limits say how much there may be of each count, by its name (answers.Count, and "seconds" of compiling). What is not
// in it, or is negative, is not limited.
type Limits map[string]float64

// Check compares the numbers of each process with limits and with a baseline, if there is one: of what makes a program slower
// there may be no more than in that.
func Check(now, baseline []recorded.Session, limits Limits) ([]Verdict, error) {
	var all []Verdict
	for _, s := range now {
		var before *answers.Session
		if baseline != nil {
			b := named(baseline, s.Name)
			if b == nil {
				return nil, fmt.Errorf("the baseline has no dump of %s", s.Name)
			}
			before = b.Facts().Session()
		}
		all = append(all, judged(s.Name, s.Facts().Session(), before, limits)...)
	}
	return all, nil
}

// judged compares the numbers of one process with the limits and with the baseline, if there is one.
func judged(process string, s, before *answers.Session, limits Limits) []Verdict {
	difference := answers.Compare(orEmpty(before), s)
	seconds := 0.0
	for _, f := range s.Spent {
		seconds += f.Total + f.Backward
	}
	values := map[string]float64{"seconds": seconds}
	was := map[string]float64{}
	order := []string{}
	for _, c := range difference.Counts {
		values[c.Name], was[c.Name] = float64(c.After), float64(c.Before)
		order = append(order, c.Name)
	}
	var out []Verdict
	for _, name := range append(order, "seconds") {
		limit := -1.0
		if given, ok := limits[name]; ok {
			limit = given
		}
		if worse := name == "breaks" || name == "recompilations" || name == "limits" || name == "failures"; before != nil && worse && (limit < 0 || was[name] < limit) {
			limit = was[name]
		}
		if limit < 0 {
			continue
		}
		v := Verdict{Process: process, Name: name, Value: values[name], Limit: limit, OK: values[name] <= limit, Because: []string{}}
		if !v.OK {
			blamed := s
			if before != nil {
				blamed = difference.New(s)
			}
			v.Because = append(v.Because, report.Behind(name, blamed)...)
		}
		out = append(out, v)
	}
	return out
}

func orEmpty(s *answers.Session) *answers.Session {
	if s == nil {
		return &answers.Session{}
	}
	return s
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
		fmt.Fprintf(&b, "- %s %s**%s**: %s (limit %g)\n", mark, process, report.CountName(v.Name), v.value(), v.Limit)
	} else {
		fmt.Fprintf(&b, "%-7s %s%s: %s, limit %g\n", word, process, report.CountName(v.Name), v.value(), v.Limit)
	}
	for _, s := range v.Because {
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
