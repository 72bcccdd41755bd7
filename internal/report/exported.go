package report

import (
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// Exported says what torch.export has made: programs to save, or to run elsewhere, of which nothing is compiled here.
func Exported(f *answers.Facts) Section {
	list := f.Exports()
	s := Section{Name: "exports", Command: "explain", Title: "What torch.export made", Data: list}
	failed := 0
	for _, e := range list {
		if e.Error != "" {
			failed++
		}
		s.Items = append(s.Items, exportItem(f.Program, e))
	}
	switch made := len(list) - failed; {
	case len(list) == 0:
		s.Lead = "torch.export was not called."
	case made == 0:
		s.Lead = "No program: " + plural(failed, "call") + " raised."
	default:
		s.Lead = plural(made, "program") + ", to be saved or run elsewhere: no guard checks it, and nothing is compiled again."
		if failed > 0 {
			s.Lead += " " + plural(failed, "call") + " raised."
		}
	}
	return s
}

func exportItem(p *explain.Program, e answers.Exported) Item {
	how := "by running it (`strict=False`)"
	if e.Strict {
		how = "traced by Dynamo (`strict=True`)"
	}
	it := Item{Strong: e.Name, Text: " (" + p.Places.Place(e.File, e.Line) + "), " + how}
	if e.Seconds != nil {
		it.Text += inSeconds(*e.Seconds)
	}
	if e.Error != "" {
		it.Text += ": raised " + code(e.Error)
		it.add("%s", exportError(p, e))
		return it
	}
	if e.Graph == "" {
		it.Text += ": it had not ended when the program did"
		return it
	}
	it.Text += ": graph " + code(e.Graph) + ", " + plural(e.Operations, "operation")
	takes, more := valueNames(e.Inputs, "USER_INPUT")
	if more > 0 {
		takes += fmt.Sprintf(", and %d of the module's own (parameters, buffers, constants)", more)
	}
	gives, changed := valueNames(e.Outputs, "USER_OUTPUT")
	if changed > 0 {
		gives += fmt.Sprintf(", and %d that change the module or its inputs", changed)
	}
	it.add("takes %s; returns %s", takes, gives)
	for _, r := range e.Ranges {
		it.add("size %s may be %s", code(r.Symbol), rangeText(r))
	}
	if len(e.Ranges) == 0 {
		it.add("every size is fixed to that of the example inputs: `dynamic_shapes` lets sizes vary")
	}
	return it
}

// valueNames lists the values of a kind, and counts the others.
func valueNames(list []explain.ExportValue, kind string) (named string, others int) {
	var out []string
	for _, v := range list {
		if v.Kind == kind {
			out = append(out, v.Name)
		} else {
			others++
		}
	}
	if len(out) == 0 {
		return "nothing", others
	}
	return codes(out, 6), others
}

func rangeText(r explain.SizeRange) string {
	switch {
	case r.Low == "" && r.High == "":
		return "anything"
	case r.High == "":
		return r.Low + " or more"
	case r.Low == "":
		return "at most " + r.High
	}
	return r.Low + " to " + r.High
}

// exportError is why torch.export raised, in its first line, and the user's line that it comes from.
func exportError(p *explain.Program, e answers.Exported) string {
	first, _, _ := strings.Cut(strings.TrimSpace(e.Text), "\n")
	text := oneLine(first)
	if e.ErrorFile != "" {
		text += " (" + p.Places.Place(e.ErrorFile, e.ErrorLine) + ")"
	}
	return text
}

// exportFailures are the calls of torch.export that raised, but for those that are told as failures already.
func exportFailures(f *answers.Facts) []Item {
	p := f.Program
	var out []Item
	for _, e := range f.Session().FailedExports() {
		it := Item{Text: fmt.Sprintf("torch.export of %s (%s) raised %s", functionText(e.Name), p.Places.Place(e.File, e.Line), code(e.Error))}
		it.add("%s", exportError(p, e))
		out = append(out, it)
	}
	return out
}

// exportedOnly is what there is to say where torch.export is all that was used; "" where that is not so.
func exportedOnly(f *answers.Facts) string {
	n := len(f.Exports())
	if n == 0 || len(f.Program.Functions)+len(f.Program.Resumes) > 0 {
		return ""
	}
	return "Nothing was compiled to run here: torch.export was called " + plural(n, "time") + "."
}
