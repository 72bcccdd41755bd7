package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// Time says where compile time went, by function.
func Time(f *answers.Facts) Section {
	p, list := f.Program, f.Spent()
	s := Section{Name: "time", Command: "time", Title: "Where compile time went", Data: list}
	var sum answers.Spent
	for _, f := range list {
		sum.Total += f.Total
		sum.Dynamo += f.Dynamo
		sum.Backend += f.Backend
		sum.Backward += f.Backward
		if f.Phases != nil {
			all := f.Phases.Plus(known(sum.Phases))
			sum.Phases = &all
		}
	}
	if start := p.Model.Start; sum.Total+sum.Backward == 0 && start.Total > 0 {
		s.Lead = fmt.Sprintf("%.1f s in all", start.Total)
		if start.Backend > 0 {
			s.Lead += fmt.Sprintf(", %.1f s of it in the backend", start.Backend)
		}
		s.Lead += ". By function the log has no times: a log that TORCH_TRACE=FOLDER writes has them."
		return s
	}
	if sum.Total+sum.Backward == 0 {
		s.silent(p, "times", "times", "Nothing was compiled, or this version of torch does not tell how long it took.", "The log has no times")
		return s
	}
	s.Lead = fmt.Sprintf("%.1f s: %s.%s", sum.Total+sum.Backward, phases(sum), phaseWords(p, sum))
	s.Short = phases(sum)
	if len(list) > 1 {
		s.Short = fmt.Sprintf("%s %.1f s; in all, %s", functionText(list[0].Function), list[0].Total+list[0].Backward, s.Short)
	}
	s.Count = len(list)
	list, brief := worthTelling(list)
	for _, f := range list {
		versions := "no code"
		if f.Versions > 0 {
			versions = plural(f.Versions, "version")
			if f.Resumed > 0 {
				versions += fmt.Sprintf(", %d of them of resume functions", f.Resumed)
			}
		}
		it := Item{Strong: fmt.Sprintf("%.1f s", f.Total+f.Backward), Text: fmt.Sprintf(" %s (%s), %s", functionText(f.Function), p.Places.Place(f.File, f.Line), versions)}
		it.add("%s", phases(f))
		s.Items = append(s.Items, it)
	}
	if brief > 0 {
		s.Items = append(s.Items, Item{Text: fmt.Sprintf("%s took less than 0.05 s each", pluralOthers(brief))})
	}
	return s
}

// worthTelling are the functions that took as long as 0.05 s to compile, and how many did not; all of them where none did.
func worthTelling(list []answers.Spent) (long []answers.Spent, brief int) {
	for _, f := range list {
		if f.Total+f.Backward >= worthPrinting {
			long = append(long, f)
		}
	}
	if len(long) == 0 {
		return list, 0
	}
	return long, len(list) - len(long)
}

func pluralOthers(n int) string {
	if n == 1 {
		return "1 other function"
	}
	return fmt.Sprintf("%d other functions", n)
}

// worthPrinting is the least time, in seconds, that is not printed as 0.0 s.
const worthPrinting = 0.05

func known(p *answers.Phases) answers.Phases {
	if p == nil {
		return answers.Phases{}
	}
	return *p
}

// phases says what compiling spent its time on, in the order in which it happens. What took no time is left out.
func phases(f answers.Spent) string {
	told := known(f.Phases)
	rest := f.Backend + f.Backward - told.Sum()
	other := "backend"
	if f.Phases != nil {
		other = "other backends"
	} else {
		rest -= f.Backward
	}
	var parts []string
	add := func(name string, seconds float64) {
		if seconds >= worthPrinting {
			parts = append(parts, fmt.Sprintf("%s %.1f s", name, seconds))
		}
	}
	add("Dynamo", f.Dynamo)
	add("AOTAutograd", told.AOTAutograd)
	add("Inductor", told.Inductor)
	add("kernels", told.Kernels)
	add(other, rest)
	if f.Phases == nil {
		add("backward passes", f.Backward)
	}
	if len(parts) == 0 {
		return fmt.Sprintf("Dynamo %.1f s", f.Dynamo)
	}
	text := strings.Join(parts, ", ")
	if f.Phases != nil && f.Backward >= worthPrinting {
		text += fmt.Sprintf("; %.1f s of this for backward passes", f.Backward)
	}
	return text
}

// phaseWords explains the names of the phases, or says why there are none.
func phaseWords(p *explain.Program, f answers.Spent) string {
	switch told := known(f.Phases); {
	case f.Phases == nil && f.Backend >= worthPrinting && slices.ContainsFunc(p.Files, func(a *explain.Artefact) bool { return a.Stage == explain.StageKernel }):
		return " What Inductor spent its share on, torch did not tell."
	case told.Sum() < worthPrinting:
		return ""
	case told.Inductor+told.Kernels < worthPrinting:
		return " Dynamo records your code as graphs; AOTAutograd adds backward passes and splits operations into basic ones."
	}
	return " Dynamo records your code as graphs, AOTAutograd adds backward passes and splits operations into basic ones, Inductor writes kernels for these, and a compiler compiles the kernels."
}
