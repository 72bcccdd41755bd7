package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// Map says which lines of the program, statements of transformed code, operations and kernels belong to a line,
// an operation or a kernel. Places in the dump folder are those of the files that lie there.
func Map(f *answers.Facts, where string) (Section, error) {
	p := f.Program
	j, err := answers.Join(f, where)
	s := Section{Name: "map", Command: "map", Title: "What belongs to " + where, Data: j}
	if err != nil {
		return s, err
	}
	s.Lead = fmt.Sprintf("%s, %s, %s and %s belong together.%s", plural(len(j.Lines), "line"), plural(len(j.Transformed), "statement"),
		operationsInBrief(j.Operations), plural(len(j.Kernels), "kernel call"), kernelsInBrief(j.Kernels))
	if len(j.Operations)+len(j.Kernels)+len(j.Transformed) == 0 {
		s.Lead = "No operation comes from this line."
	}
	if len(j.Lines) == 1 {
		s.Lead += knownOf(f, j.Lines[0])
	}
	for _, l := range j.Lines {
		it := Item{Strong: p.Places.Place(l.File, l.Line)}
		if l.Code != "" {
			it.Text = " " + code(l.Code)
		}
		s.Items = append(s.Items, it)
	}
	for _, same := range alike(j.Kernels) {
		s.Items = append(s.Items, kernelItem(p, same))
	}
	if names := unknownKernels(f.Kernels(), j); len(names) > 0 {
		s.Items = append(s.Items, Item{Strong: "other kernels of these graphs", Text: ": " + codes(names, 8), Details: []string{fromCache}})
	}
	again := toldLater(j.Operations)
	for _, st := range stages {
		it, more := Item{Strong: about(st.name)}, 0
		for _, o := range j.Operations {
			switch {
			case o.Stage != st.name || again(o):
			case len(it.Details) == mostOperations:
				more++
			default:
				it.add("%s:%d %s", o.File, o.Row+Head(p, o.File), code(o.Code))
			}
		}
		if more > 0 {
			it.add("and %d more: `--format json` has all of them", more)
		}
		if len(it.Details) > 0 {
			s.Items = append(s.Items, it)
		}
	}
	if len(j.Transformed) > 0 {
		it := Item{Strong: "in transformed code"}
		for _, t := range j.Transformed {
			text := fmt.Sprintf("%s:%d %s", t.File, t.Row+Head(p, t.File), code(t.Code))
			if t.First != t.Last {
				text += fmt.Sprintf(" (lines %d to %d)", t.First, t.Last)
			}
			it.Details = append(it.Details, text)
		}
		s.Items = append(s.Items, it)
	}
	return s, nil
}

// operationsInBrief counts operations as Dynamo recorded them, which is what other views count, and what these became.
func operationsInBrief(list []answers.NodeAt) string {
	recorded := 0
	for _, o := range list {
		if o.Stage == "Captured_Graph" || o.Stage == explain.StageExported {
			recorded++
		}
	}
	switch later := len(list) - recorded; {
	case later == 0:
		return plural(recorded, "operation")
	case recorded == 0:
		return plural(later, "operation") + " of later stages"
	default:
		return fmt.Sprintf("%s (%d in later stages)", plural(recorded, "operation"), later)
	}
}

// knownOf says what torch did because of a line.
func knownOf(f *answers.Facts, l answers.JoinedLine) string {
	var list []string
	known := answers.KnownOf(f, explain.Place{File: l.File, Line: l.Line})
	if known.Breaks > 0 {
		list = append(list, "the graph breaks, "+plural(known.Breaks, "time"))
	}
	for _, x := range []struct {
		n    int
		word string
	}{{known.Failures, "failure"}, {known.Recompilations, "recompilation"}, {known.Guards, "guard"}} {
		if x.n > 0 {
			list = append(list, plural(x.n, x.word))
		}
	}
	if known.Causes > 0 {
		list = append(list, plural(known.Causes, "cause")+" of recompilation in what it calls")
	}
	if len(list) == 0 {
		return ""
	}
	return " Because of it: " + strings.Join(list, "; ") + "."
}

const fromCache = "what is computed here is not known: the code comes from Inductor's cache, without comments. Run with TORCHINDUCTOR_FORCE_DISABLE_CACHES=1 to know."

// unknownKernels names the kernels of which nobody tells what they compute, in the graphs that operations are of.
func unknownKernels(all []answers.Kernel, j answers.Joined) []string {
	graphs := map[string]bool{}
	for _, o := range j.Operations {
		graphs[o.Graph] = true
	}
	var out []string
	for _, k := range all {
		asked := slices.ContainsFunc(j.Kernels, func(o answers.Kernel) bool { return o.Name == k.Name })
		if k.Told == answers.ToldByNobody && graphs[k.Graph] && !asked && !slices.Contains(out, k.Name) {
			out = append(out, k.Name)
		}
	}
	return out
}

// mostCalls is how many calls that are alike are told one by one.
const mostCalls = 6

// mostOperations is how many operations of a stage are told one by one.
const mostOperations = 24

type operationKey struct{ graph, name, code string }

func keyOf(o answers.NodeAt) operationKey { return operationKey{o.Graph, o.Name, o.Code} }

// toldLater finds the operations that the graph behind Inductor's passes has as the ones before it have them: words
// say them once.
func toldLater(operations []answers.NodeAt) func(answers.NodeAt) bool {
	last := map[operationKey]bool{}
	for _, o := range operations {
		if o.Stage == "AFTER_POST_GRAD" {
			last[keyOf(o)] = true
		}
	}
	return func(o answers.NodeAt) bool {
		return (o.Stage == "Forward_graph" || o.Stage == "Backward_graph") && last[keyOf(o)]
	}
}

// kernelsInBrief names the kernels by their passes.
func kernelsInBrief(calls []answers.Kernel) string {
	var passes []string
	names := map[string][]string{}
	for _, k := range calls {
		pass := k.Pass
		if pass == "" {
			pass = "kernels"
		}
		if !slices.Contains(passes, pass) {
			passes = append(passes, pass)
		}
		if !slices.Contains(names[pass], k.Name) {
			names[pass] = append(names[pass], k.Name)
		}
	}
	text := ""
	for i, pass := range passes {
		if i == 0 {
			text = " Kernels: "
		} else {
			text += "; "
		}
		if pass != "kernels" {
			text += pass + " "
		}
		text += codes(names[pass], 4)
	}
	if text != "" {
		text += "."
	}
	return text
}

// alike groups calls of kernels of one name that compute the same kinds of operations of the same lines in the same pass: layers of
// a model, and versions of a function.
func alike(list []answers.Kernel) [][]answers.Kernel {
	var out [][]answers.Kernel
	for _, k := range list {
		i := slices.IndexFunc(out, func(g []answers.Kernel) bool {
			o := g[0]
			return o.Name == k.Name && o.Pass == k.Pass && slices.Equal(o.Aten, k.Aten) && slices.Equal(o.Places, k.Places) && o.Told == k.Told
		})
		if i < 0 {
			out = append(out, []answers.Kernel{k})
		} else {
			out[i] = append(out[i], k)
		}
	}
	return out
}

// kernelItem is about calls that are alike.
func kernelItem(p *explain.Program, calls []answers.Kernel) Item {
	k := calls[0]
	it := Item{Strong: k.Name, Text: ": kernel"}
	if k.Pass != "" {
		it.Text += " of the " + k.Pass + " pass"
	}
	it.Text += ", called at"
	for i, c := range calls {
		if i == mostCalls {
			it.Text += fmt.Sprintf(" and %d more places", len(calls)-i)
			break
		}
		if i > 0 {
			it.Text += ","
		}
		head := Head(p, c.File)
		it.Text += fmt.Sprintf(" %s:%d", c.File, c.Row+head)
		if c.Defined > 0 {
			it.Text += fmt.Sprintf(" (%s, defined at line %d)", c.Kind, c.Defined+head)
		}
	}
	if text := computesText(k); text != "" {
		if slices.ContainsFunc(calls, func(c answers.Kernel) bool { return !slices.Equal(c.Nodes, k.Nodes) }) {
			text += "; the other calls, others of the same kinds"
		}
		it.add("%s", text)
	}
	if len(k.Aten) > 0 {
		it.add("in ATen: %s", strings.Join(k.Aten, ", "))
	}
	var places []string
	for _, at := range k.Places {
		places = append(places, p.Places.Place(at.File, at.Line))
	}
	switch {
	case len(places) > 0:
		it.add("from %s", strings.Join(places, ", "))
	case k.Told == answers.ToldByNobody:
		it.add("%s", fromCache)
	}
	return it
}

// Head is how many lines a file of the dump has above the text that rows are counted in.
func Head(p *explain.Program, file string) int {
	for _, c := range p.Model.Codes {
		if c.File == file {
			return strings.Count(strings.TrimSuffix(codeFile(c, ""), codeText(c)), "\n")
		}
	}
	for _, a := range p.Files {
		if a.File == file {
			return strings.Count(artefactHead(a, ""), "\n")
		}
	}
	return 0
}
