package report

import (
	"fmt"

	"github.com/thuml/depyf/internal/answers"
)

// furtherQuestions are what a person asks next, and the commands that answer, for the dump of that name.
func furtherQuestions(f *answers.Facts, dump string) [][2]string {
	var out [][2]string
	if place := exampleLine(f); place != "" {
		out = append(out, [2]string{"Which operations and kernels come from a line of mine?", "depyf map " + place + " " + dump})
	}
	out = append(out,
		[2]string{"What has changed since an earlier run?", "depyf diff EARLIER " + dump},
		[2]string{"What is checked before compiled code runs, and what does it cost?", "depyf guards " + dump},
	)
	if f.Program.Model.Start.Rank != "" && dump == "." { // the other ranks are beside it
		out = append(out, [2]string{"Which rank differs from the others?", "depyf ranks .."})
	}
	return out
}

// exampleLine is a line to ask about: the first of the user's that is in a kernel, or else in a graph.
func exampleLine(f *answers.Facts) string {
	recorded := ""
	for _, s := range f.Sources() {
		if s.Owner == answers.OwnerMachinery {
			continue
		}
		for _, l := range s.Lines {
			switch place := fmt.Sprintf("%s:%d", s.Name, l.Line); {
			case l.Kernels > 0:
				return place
			case l.Operations > 0 && recorded == "":
				recorded = place
			}
		}
	}
	return recorded
}
