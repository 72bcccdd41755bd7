package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/answers"
)

// mostShifts is how many of a function's graphs, kernels or versions are named one by one, and mostSteps how many operations or
// conditions of one. JSON has all.
const (
	mostShifts = 4
	mostSteps  = 2
	mostOfOne  = 70 // letters of a condition: guards on tensors have several hundred
)

// group is what changed in one function.
type group[T any] struct {
	title string
	list  []T
}

// grouped puts together what is of one function, in the order in which functions come first.
func grouped[T any](list []T, title func(T) string) (out []group[T]) {
	index := map[string]int{}
	for _, x := range list {
		t := title(x)
		i, ok := index[t]
		if !ok {
			i = len(out)
			index[t] = i
			out = append(out, group[T]{title: t})
		}
		out[i].list = append(out[i].list, x)
	}
	return out
}

// functionOf is "`f` (model.py:3)".
func functionOf(function, file string, line int) string {
	if function == "" {
		return "an unknown function"
	}
	return functionText(function) + " (" + lineOf(file, line, "") + ")"
}

// shifted is "1 changed, 2 new, 1 gone".
func shifted(n [3]int) string {
	var out []string
	for i, word := range []string{"changed", "new", "gone"} {
		if n[i] > 0 {
			out = append(out, fmt.Sprintf("%d %s", n[i], word))
		}
	}
	return strings.Join(out, ", ")
}

// shift adds an item for what changed in a function, with a line for each of the first.
func shift[T any](s *Section, what string, g group[T], became func(T) (before, after bool), line func(T) string) {
	var n [3]int
	it := Item{}
	var lines []string
	times := map[string]int{}
	order := func(x T) int { // what changed, what is new, what is gone
		switch before, after := became(x); {
		case before && after:
			return 0
		case after:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(g.list, func(a, b T) int { return order(a) - order(b) })
	for _, x := range g.list {
		n[order(x)]++
		l := line(x)
		if times[l]++; times[l] == 1 {
			lines = append(lines, l)
		}
	}
	for _, l := range lines[:min(mostShifts, len(lines))] {
		if times[l] > 1 {
			l += fmt.Sprintf("; %d times", times[l])
		}
		it.add("%s", l)
	}
	if more := len(lines) - mostShifts; more > 0 {
		it.add("and %d more: `--format json` has all of them", more)
	}
	it.Strong, it.Text = what, " of "+g.title+": "+shifted(n)
	s.Items = append(s.Items, it)
}

func (s *Section) graphs(list []answers.GraphShift) {
	for _, g := range grouped(list, func(x answers.GraphShift) string { return functionOf(x.Function, x.File, x.Line) }) {
		shift(s, "graphs", g, func(x answers.GraphShift) (bool, bool) { return x.Before != "", x.After != "" }, graphLine)
	}
}

// graphLine is what became of a graph.
func graphLine(x answers.GraphShift) string {
	switch {
	case x.Before == "":
		return fmt.Sprintf("new: %s, %s%s", code(x.After), plural(len(x.New), "operation"), stepsFrom(x.New))
	case x.After == "":
		return fmt.Sprintf("gone: %s, %s%s", code(x.Before), plural(len(x.Gone), "operation"), stepsFrom(x.Gone))
	}
	var parts []string
	for _, side := range []struct {
		word string
		list []answers.Step
	}{{"new", x.New}, {"gone", x.Gone}} {
		for _, o := range side.list[:min(mostSteps, len(side.list))] {
			parts = append(parts, strings.TrimSpace(side.word+" "+code(o.Code)+" "+stepAt(o)))
		}
		if more := len(side.list) - mostSteps; more > 0 {
			parts = append(parts, fmt.Sprintf("%d more %s", more, side.word))
		}
	}
	return fmt.Sprintf("%s (was %s): %s", code(x.After), code(x.Before), strings.Join(parts, "; "))
}

func stepAt(o answers.Step) string {
	if o.File == "" {
		return ""
	}
	return "at " + lineOf(o.File, o.Line, "")
}

// stepsFrom names the first lines that operations come from.
func stepsFrom(list []answers.Step) string {
	var lines []string
	for _, o := range list {
		if l := lineOf(o.File, o.Line, ""); o.File != "" && (len(lines) == 0 || lines[len(lines)-1] != l) && len(lines) < 3 {
			lines = append(lines, l)
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return ", from " + strings.Join(lines, ", ")
}

func (s *Section) kernels(list []answers.KernelShift) {
	for _, g := range grouped(list, func(x answers.KernelShift) string { return functionOf(x.Function, x.File, x.Line) }) {
		shift(s, "kernels", g, func(x answers.KernelShift) (bool, bool) { return x.Before != "", x.After != "" }, kernelLine)
	}
}

// kernelLine is what became of a kernel.
func kernelLine(x answers.KernelShift) string {
	text := "new: " + code(x.After)
	switch {
	case x.After == "":
		text = "gone: " + code(x.Before)
	case x.Before != "":
		text = "changed: " + code(x.After)
	}
	if x.Pass != "" {
		text += " of the " + x.Pass + " pass"
	}
	var steps []answers.Step
	for _, p := range x.Places {
		steps = append(steps, answers.Step{File: p.File, Line: p.Line})
	}
	return text + stepsFrom(steps)
}

func (s *Section) guards(list []answers.GuardShift) {
	for _, g := range grouped(list, func(x answers.GuardShift) string { return functionOf(x.Function, x.File, x.Line) }) {
		shift(s, "versions", g, func(x answers.GuardShift) (bool, bool) { return x.Before != nil, x.After != nil }, guardLine)
	}
}

// guardLine is what became of the guards of a version.
func guardLine(x answers.GuardShift) string {
	switch {
	case x.Before == nil:
		return fmt.Sprintf("new: version %d%s", *x.After, someOf(", for ", x.New))
	case x.After == nil:
		return fmt.Sprintf("gone: version %d%s", *x.Before, someOf(", for ", x.Gone))
	}
	return fmt.Sprintf("guards of version %d%s%s", *x.After, someOf(", new: ", x.New), someOf(", gone: ", x.Gone))
}

func someOf(about string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	var short []string
	for _, c := range list {
		short = append(short, shorten(c, mostOfOne))
	}
	return about + codes(short, mostSteps)
}
