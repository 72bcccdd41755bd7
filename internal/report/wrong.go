package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// Wrong says where numbers went wrong, if the program compared any.
func Wrong(f *answers.Facts) Section { return Compared(f.Wrong()) }

// Compared says what comparisons of eager and compiled results came to.
func Compared(list []answers.Compared) Section {
	s := Section{Name: "wrong", Command: "wrong", Title: "Wrong numbers", Data: list}
	if len(list) == 0 {
		s.Lead = "Eager and compiled results were not compared: `depyf run --compare`, or `depyf.compare(function, *inputs)`, does."
		return s
	}
	agree, wrong := 0, 0
	for _, c := range list {
		wrong += len(c.Wrong)
		if c.Agree {
			agree++
		}
		for _, w := range c.Wrong {
			s.Items = append(s.Items, wrongItem(c, w))
		}
		if it, ok := restItem(c); ok {
			s.Items = append(s.Items, it)
		}
	}
	switch {
	case wrong == 1:
		s.Lead = lead(list)
	case wrong > 1:
		s.Lead = fmt.Sprintf("%s; the first: %s", plural(wrong, "wrong number"), lead(list))
	case agree == len(list):
		s.Lead = fmt.Sprintf("Eager and compiled results of %s agree within their precision.", functions(list))
	default:
		s.Lead = fmt.Sprintf("In %s no operation of a graph is wrong by itself.", functions(list))
	}
	return s
}

func functions(list []answers.Compared) string {
	var names []string
	for _, c := range list {
		names = append(names, c.Function)
	}
	return codes(names, 3)
}

// lead is the first finding in one sentence.
func lead(list []answers.Compared) string {
	for _, c := range list {
		for _, w := range c.Wrong {
			return WrongText(w) + atText(w) + "."
		}
	}
	return ""
}

func operationsText(w answers.WrongNumber) string {
	var names []string
	for _, o := range w.Operations {
		names = append(names, o.Operation)
	}
	if len(names) == 0 {
		return "The compiled function"
	}
	text := codes(names, 4)
	if w.Pass == "backward" {
		text = "the backward pass of " + text
	}
	return text
}

func happened(w answers.WrongNumber) string {
	several := len(w.Operations) > 1
	switch w.Kind {
	case "raises":
		return "raises, and eager does not"
	case "derivative":
		return "is not the derivative of its forward pass"
	case "not finite":
		verb := "makes"
		if several {
			verb = "make"
		}
		value := "a NaN"
		if w.Value == "inf" {
			value = "an infinity"
		}
		return verb + " the first number that is not finite, " + value
	}
	goes, is, differs := "goes", "is", "differs"
	if several {
		goes, is, differs = "together go", "together are", "together differ"
	}
	switch w.Who {
	case answers.WhoCompiled:
		return goes + " wrong when compiled"
	case answers.WhoEager:
		return is + " wrong in eager; compiled code is right"
	case answers.WhoBoth:
		return is + " wrong in eager and when compiled, each in its way"
	}
	return differs + " between eager and compiled, and who is wrong cannot be judged"
}

// WrongText says what a finding is in one sentence.
func WrongText(w answers.WrongNumber) string { return operationsText(w) + " " + happened(w) }

func atText(w answers.WrongNumber) string {
	if len(w.Operations) == 0 || w.Operations[0].File == "" {
		return ""
	}
	return ", at " + operationPlace(w.Operations[0])
}

func sameLine(list []explain.Operation, o explain.Operation) bool {
	return slices.ContainsFunc(list, func(p explain.Operation) bool { return p.File == o.File && p.Line == o.Line })
}

func operationPlace(o explain.Operation) string {
	return fmt.Sprintf("%s:%d", filepath.Base(filepath.ToSlash(o.File)), o.Line)
}

// beginnings says in which part of torch a difference begins, by the backend that has it first.
var beginnings = map[string]string{
	"aot_eager":                  "it begins in AOTAutograd: the backend `aot_eager` has it",
	"aot_eager_decomp_partition": "it begins with how the operation is decomposed: the backend `aot_eager_decomp_partition` has it, `aot_eager` has not",
	"inductor":                   "it begins in Inductor: `aot_eager_decomp_partition` does not have it",
}

func wrongItem(c answers.Compared, w answers.WrongNumber) Item {
	it := Item{Strong: c.Function, Text: ": " + WrongText(w)}
	for i, o := range w.Operations[:min(6, len(w.Operations))] {
		if o.File != "" && !sameLine(w.Operations[:i], o) {
			it.add("%s %s, in %s", operationPlace(o), code(o.Code), code(o.Function))
		}
	}
	if w.Kind == "derivative" {
		it.add("in one direction the backward pass says %s, differences of results say %s, both in float64", w.Told, w.Measured)
		it.add("eager and compiled code run the same backward pass; nothing is wrong if the gradient is meant to be another")
	}
	if w.Error != "" {
		it.add("%s", w.Error)
	}
	for _, m := range w.Measures {
		it.add("%s", measureText(m))
	}
	it.details(w)
	if s := beginnings[w.Stage]; s != "" {
		it.add("%s", s)
	}
	if len(w.Fused) > 0 {
		it.add("in %s of the program", codes(w.Fused, 4))
	} else if len(w.Kernels) > 0 {
		it.add("compiled on its own, it is the kernel %s", codes(w.Kernels, 4))
	}
	return it
}

func (it *Item) details(w answers.WrongNumber) {
	if w.Kind != "not finite" {
		if w.Who == answers.WhoUnknown && w.Lost != "" {
			it.add("who is wrong cannot be judged: %s could not be computed in float64", code(w.Lost))
		}
		return
	}
	for _, r := range w.Takes {
		if r.Least != "" {
			it.add("it takes %s: %s%v, from %s to %s", code(r.Name), r.DType, r.Shape, r.Least, r.Most)
		}
	}
	if w.Became != nil {
		it.add("it turns into a NaN in %s, at %s %s", code(w.Became.Operation), operationPlace(*w.Became), code(w.Became.Code))
	}
	switch w.Who {
	case answers.WhoPrecision:
		it.add("the precision is at fault: in float64 the result is finite, in %s it is not", w.DType)
	case answers.WhoProgram:
		it.add("neither eager nor the compiler is at fault: in float64 there is no finite result either")
	default:
		it.add("whether the precision is at fault cannot be judged: there is no float64 reference")
	}
}

func measureText(m explain.Measure) string {
	if m.Result == "memory" {
		return fmt.Sprintf("in eager, %s has %s; when compiled, it has %s", m.Name, memoryText(m.Shares), memoryText(m.CompiledShares))
	}
	name := fmt.Sprintf("%s %s", m.Result, m.Name)
	if m.Result != "output" {
		name = fmt.Sprintf("%s %s", map[string]string{"gradient": "gradient of", "input": "changed"}[m.Result], code(m.Name))
	}
	switch {
	case m.Missing:
		return name + ": the compiled code does not give it"
	case m.Extra:
		return name + ": only the compiled code gives it"
	case m.CompiledDType != "":
		return fmt.Sprintf("%s: %s in eager, %s when compiled", name, m.DType, m.CompiledDType)
	case m.CompiledShape != nil:
		return fmt.Sprintf("%s: shape %v in eager, %v when compiled", name, m.Shape, m.CompiledShape)
	}
	text := fmt.Sprintf("%s%s: eager %s, compiled %s", name, strings.ReplaceAll(fmt.Sprint(m.At), " ", ", "), m.Eager, m.Compiled)
	if m.Reference != "" {
		text += ", " + referenceText(m) + " " + m.Reference
	}
	switch {
	case m.Unequal != nil:
		text += fmt.Sprintf("; %d of %d differ", *m.Unequal, m.Of)
	case m.Difference != nil && m.Explained != nil && *m.Difference <= *m.Explained:
		text += fmt.Sprintf("; apart by %.3g, and the precision explains up to %.3g", *m.Difference, *m.Explained)
	case m.Difference != nil && m.Explained != nil:
		text += fmt.Sprintf("; apart by %.3g, of which the precision of %s explains %.3g", *m.Difference, m.DType, *m.Explained)
	}
	return text
}

// memoryText says whose memory a result has.
func memoryText(names []string) string {
	if len(names) == 0 {
		return "memory of its own"
	}
	out := make([]string, len(names))
	for i, n := range names {
		if out[i] = n; !strings.Contains(n, " ") {
			out[i] = "input " + code(n)
		}
	}
	return "the memory of " + strings.Join(out, " and ")
}

// referenceText names the type of the reference: whole numbers have their own, where the operation takes them.
func referenceText(m explain.Measure) string {
	if strings.HasPrefix(m.DType, "float") || strings.HasPrefix(m.DType, "bfloat") {
		return "float64"
	}
	return "the reference"
}

// restItem says what is left open.
func restItem(c answers.Compared) (Item, bool) {
	it := Item{Strong: c.Function, Text: ": what else there is to know"}
	if len(c.Random) > 0 {
		it.add("%s draws random numbers, which compiled code draws otherwise: its values were given to both sides, and of it only the type was compared", codes(c.Random, 4))
	}
	for i, m := range c.Unplaced {
		if i == 0 {
			it.add("the results of the whole are apart, though no graph is wrong by itself: the difference arises outside of the graphs, in what Dynamo made of the Python between them")
		}
		it.add("%s", measureText(m))
	}
	if len(c.Explained) > 0 && len(c.Wrong) == 0 {
		it.add("results are not the same to the last bit; the precision explains it: they move as far when each operation is off by one rounding")
		for _, m := range c.Explained {
			if m.EagerError != nil && m.CompiledError != nil {
				it.add("%s; from float64 eager is off by %.3g, compiled code by %.3g", measureText(m), *m.EagerError, *m.CompiledError)
			}
		}
	}
	if c.LeftOut > 0 {
		it.add("%s of graphs were not looked at", plural(c.LeftOut, "later call"))
	}
	for _, n := range c.Notes {
		it.add("%s", n)
	}
	return it, len(it.Details) > 0
}
