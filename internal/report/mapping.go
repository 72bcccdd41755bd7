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
	s.Lead = fmt.Sprintf("%s, %s, %s and %s belong together.", plural(len(j.Lines), "line"), plural(len(j.Transformed), "statement"),
		plural(len(j.Operations), "operation"), plural(len(j.Kernels), "kernel call"))
	if len(j.Operations)+len(j.Kernels)+len(j.Transformed) == 0 {
		s.Lead = "No operation comes from this line."
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
	for _, st := range stages {
		it := Item{Strong: about(st.name)}
		for _, o := range j.Operations {
			if o.Stage == st.name && !slices.ContainsFunc(j.Operations, func(last answers.NodeAt) bool { return repeats(o, last) }) {
				it.add("%s:%d %s", o.File, o.Row+Head(p, o.File), code(o.Code))
			}
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

// mostCalls is how many calls that are alike are told one by one.
const mostCalls = 6

// repeats reports whether the graph behind Inductor's passes has an operation as the one before them has it: words
// say it once.
func repeats(o, last answers.NodeAt) bool {
	return (o.Stage == "Forward_graph" || o.Stage == "Backward_graph") && last.Stage == "AFTER_POST_GRAD" &&
		o.Graph == last.Graph && o.Name == last.Name && o.Code == last.Code
}

// alike groups calls of kernels of one name that compute the same in the same pass: versions of a function differ in
// sizes, and are of one make otherwise.
func alike(list []answers.Kernel) [][]answers.Kernel {
	var out [][]answers.Kernel
	for _, k := range list {
		i := slices.IndexFunc(out, func(g []answers.Kernel) bool {
			o := g[0]
			return o.Name == k.Name && o.Pass == k.Pass && slices.Equal(o.Nodes, k.Nodes) && slices.Equal(o.Again, k.Again) &&
				slices.Equal(o.Aten, k.Aten) && slices.Equal(o.Places, k.Places) && o.Told == k.Told
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
	if len(k.Nodes) > 0 {
		var names []string
		for _, n := range k.Nodes {
			if slices.Contains(k.Again, n) {
				n += " (again)"
			}
			names = append(names, n)
		}
		it.add("computes, in this order: %s", strings.Join(names, ", "))
	}
	if len(k.Aten) > 0 {
		it.add("of ATen's %s", strings.Join(k.Aten, ", "))
	}
	var places []string
	for _, at := range k.Places {
		places = append(places, p.Places.Place(at.File, at.Line))
	}
	switch {
	case len(places) > 0:
		it.add("from %s", strings.Join(places, ", "))
	case k.Told == answers.ToldByNobody:
		it.add("what it computes is not known: the code comes from Inductor's cache, and has no comment")
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
