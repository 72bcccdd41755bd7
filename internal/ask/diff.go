package ask

import (
	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/recorded"
	"github.com/thuml/depyf/internal/report"
)

// Diff says, for each process of two runs, what became of it.
func Diff(before, after []recorded.Session) []Answer {
	var out []Answer
	for _, m := range match(before, after) {
		out = append(out, Answer{Process: m.name, Sections: []report.Section{report.Differences(m.difference())}})
	}
	return out
}

// Same reports whether no answer of Diff has a difference.
func Same(all []Answer) bool {
	for _, a := range all {
		if d, ok := a.Sections[0].Data.(answers.Difference); ok && !d.Same() {
			return false
		}
	}
	return true
}
