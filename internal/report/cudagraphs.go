package report

import (
	"strings"

	"github.com/thuml/depyf/internal/answers"
)

// CUDAGraphs says what runs without CUDA graphs though the program asked for them; it has no items where torch said nothing.
func CUDAGraphs(f *answers.Facts) Section {
	list := f.CUDAGraphs()
	s := Section{Name: "cuda_graphs", Command: "explain", Title: "Without CUDA graphs", Data: list}
	skipped := 0
	for _, x := range list {
		if x.Skipped {
			skipped++
		}
		s.Items = append(s.Items, cudaGraphItem(f, x))
	}
	switch {
	case len(list) == 0:
		s.Lead = "torch has not said that it left out CUDA graphs."
	case skipped == 0:
		s.Title, s.Lead = "CUDA graphs", "torch warns of what its CUDA graphs cost."
	case skipped == 1:
		s.Lead = "The program asks for CUDA graphs, which save the time of starting each kernel. For 1 reason a graph runs without them: Python starts each of its kernels."
	default:
		s.Lead = "The program asks for CUDA graphs, which save the time of starting each kernel. For " + plural(skipped, "reason") + " graphs run without them: Python starts each of their kernels."
	}
	return s
}

func cudaGraphItem(f *answers.Facts, x answers.WithoutCUDAGraphs) Item {
	it := Item{Strong: x.Reason}
	var names []string
	for _, n := range x.Functions {
		names = append(names, functionText(n))
	}
	if len(names) > 0 {
		it.Text = ", in " + strings.Join(names, ", ")
	}
	if x.File != "" {
		it.add("at %s %s", f.Program.Places.Place(x.File, x.Line), code(x.Code))
	}
	for _, r := range x.Remedies {
		it.add("%s", r)
	}
	return it
}
