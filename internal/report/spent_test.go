package report

import (
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

func TestPhasesInWords(t *testing.T) {
	inductor := &explain.Program{Files: []*explain.Artefact{{Stage: explain.StageKernel}}}
	for _, c := range []struct {
		p           *explain.Program
		s           answers.Spent
		want, words string
	}{
		{
			&explain.Program{},
			answers.Spent{Dynamo: 1, Backend: 7, Backward: 2, Phases: &answers.Phases{AOTAutograd: 3, Inductor: 4, Kernels: 2}},
			"Dynamo 1.0 s, AOTAutograd 3.0 s, Inductor 4.0 s, kernels 2.0 s; 2.0 s of this for backward passes",
			" Dynamo records your code as graphs, AOTAutograd adds backward passes and splits operations into basic ones, Inductor writes kernels for these, and a compiler compiles the kernels.",
		},
		{
			&explain.Program{},
			answers.Spent{Dynamo: 1, Backend: 3, Phases: &answers.Phases{AOTAutograd: 3}},
			"Dynamo 1.0 s, AOTAutograd 3.0 s",
			" Dynamo records your code as graphs; AOTAutograd adds backward passes and splits operations into basic ones.",
		},
		{
			&explain.Program{},
			answers.Spent{Dynamo: 1, Backend: 5, Phases: &answers.Phases{AOTAutograd: 3}},
			"Dynamo 1.0 s, AOTAutograd 3.0 s, other backends 2.0 s",
			" Dynamo records your code as graphs; AOTAutograd adds backward passes and splits operations into basic ones.",
		},
		{&explain.Program{}, answers.Spent{Dynamo: 1, Backend: 5}, "Dynamo 1.0 s, backend 5.0 s", ""},
		{inductor, answers.Spent{Dynamo: 1, Backend: 5, Backward: 2}, "Dynamo 1.0 s, backend 5.0 s, backward passes 2.0 s", " What Inductor spent its share on, torch did not tell."},
		{&explain.Program{}, answers.Spent{Dynamo: 1, Backend: 0.04}, "Dynamo 1.0 s", ""},
		{&explain.Program{}, answers.Spent{Dynamo: 0.01}, "Dynamo 0.0 s", ""},
	} {
		if got := phases(c.s); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
		if got := phaseWords(c.p, c.s); got != c.words {
			t.Errorf("%s:\ngot  %s\nwant %s", c.want, got, c.words)
		}
	}
}
