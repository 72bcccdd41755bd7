package report

import (
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// computesText says what a call of a kernel computes, "" where that is not known.
func computesText(k answers.Kernel) string {
	var names []string
	for _, n := range k.Nodes {
		if slices.Contains(k.Again, n) {
			n += " (again)"
		}
		names = append(names, n)
	}
	if len(names) == 0 {
		return ""
	}
	if k.Copies {
		return "copies inputs into another layout: " + strings.Join(names, ", ")
	}
	how := "computes, in this order: "
	if len(k.With) > 0 {
		how = "computes, together with " + strings.Join(k.With, " and ") + ": "
	}
	return how + strings.Join(names, ", ")
}

// mostNoted is how many operations a comment behind a call names: of more, map tells all.
const mostNoted = 40

// withKernelNotes says behind each call of a kernel what it computes. Lines keep their numbers. The text is that of Inductor's code
// as it is in its file, without the head; one that has the comments stays as it is.
func withKernelNotes(f *answers.Facts, a *explain.Artefact, text string) string {
	if a.Stage != explain.StageKernel || a.Runs || a.File == "" {
		return text
	}
	var lines []string
	for _, k := range f.Kernels() {
		if k.File != a.File {
			continue
		}
		if extra := len(k.Nodes) - mostNoted; extra > 0 {
			k.Nodes = append(slices.Clone(k.Nodes[:mostNoted]), "and "+plural(extra, "more operation"))
		}
		note := computesText(k)
		if note == "" {
			continue
		}
		if lines == nil {
			lines = strings.Split(text, "\n")
		}
		if i := k.Row - 1; i < len(lines) && strings.HasSuffix(lines[i], ")") && strings.Contains(lines[i], k.Name) && !strings.Contains(lines[i], "#") {
			lines[i] += "  # " + oneLine(note)
		}
	}
	if lines == nil {
		return text
	}
	return strings.Join(lines, "\n")
}
