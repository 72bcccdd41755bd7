package report

import (
	"fmt"

	"github.com/thuml/depyf/internal/answers"
)

// furtherQuestions are what a person asks next, and the commands that answer, for the folder in which they are given.
func furtherQuestions(f *answers.Facts) [][2]string {
	var out [][2]string
	if place := exampleLine(f); place != "" {
		out = append(out, [2]string{"Which operations and kernels come from a line of mine?", "depyf map " + place + " ."})
	}
	out = append(out,
		[2]string{"What has changed since an earlier run?", "depyf diff EARLIER_FOLDER ."},
		[2]string{"What is checked before compiled code runs, and what does it cost?", "depyf guards ."},
	)
	if f.Program.Model.Start.Rank != "" {
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
