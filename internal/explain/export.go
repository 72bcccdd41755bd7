package explain

import (
	"fmt"
	"strings"
)

// StageExported is the graph of a program that torch.export has made.
const StageExported = "Exported_Program"

// Export is a call of torch.export: what it made, or why it raised.
type Export struct {
	Name            string // of the module
	File            string // where its forward begins
	Line            int
	Strict          bool // Dynamo traced it; else it ran itself, with tensors that record
	Seconds         float64
	Done            bool // it has come to an end
	Graph           string
	Ranges          []SizeRange
	Inputs, Outputs []ExportValue
	Error, Text     string  // the error's type, "" when there was none, and its own text
	Stack           []Frame // where the error comes from, without torch's own frames; outermost first
}

// SizeRange is a size of the inputs that may vary. Low or High is "" where there is no bound.
type SizeRange struct {
	Symbol string `json:"symbol"`
	Low    string `json:"low,omitempty"`
	High   string `json:"high,omitempty"`
}

// ExportValue is an input or output of an exported program.
type ExportValue struct {
	Kind   string `json:"kind"`             // torch's: "USER_INPUT", "PARAMETER", "BUFFER_MUTATION", …
	Name   string `json:"name"`             // in the graph
	Target string `json:"target,omitempty"` // in the module
}

// applyExport takes in the begin of an export, or its end.
func (m *Model) applyExport(f fields) {
	if f.bool("begins") || m.exporting == nil {
		m.exporting = &Export{Name: f.str("name"), File: f.str("file"), Line: f.int("line"), Strict: f.bool("strict")}
		m.Exports = append(m.Exports, m.exporting)
		if f.bool("begins") {
			return
		}
	}
	e := m.exporting
	m.exporting = nil
	e.Done = true
	e.Seconds, _ = toFloat(f["seconds"])
	e.Error, e.Text, e.Stack = f.str("error_type"), CleanText(f.str("error")), m.frames(f.list("error_stack"))
	for _, x := range f.list("ranges") {
		if r := threeTexts(x); r[0] != "" {
			e.Ranges = append(e.Ranges, SizeRange{r[0], finite(r[1]), finite(r[2])})
		}
	}
	for _, x := range f.list("inputs") {
		v := threeTexts(x)
		e.Inputs = append(e.Inputs, ExportValue{v[0], v[1], v[2]})
	}
	for _, x := range f.list("outputs") {
		v := threeTexts(x)
		e.Outputs = append(e.Outputs, ExportValue{v[0], v[1], v[2]})
	}
}

// exportedName names the graph of the program that is being exported.
func (m *Model) exportedName() string {
	if m.exporting == nil {
		return "exported"
	}
	return Identifier(fmt.Sprintf("exported_%s_%d", m.exporting.Name, len(m.Exports)-1))
}

func threeTexts(x any) (out [3]string) {
	list, _ := x.([]any)
	for i := range min(len(list), len(out)) {
		out[i], _ = list[i].(string)
	}
	return out
}

// finite is a bound, "" for torch's infinities: "int_oo", "-int_oo", "oo".
func finite(bound string) string {
	if strings.HasSuffix(bound, "oo") {
		return ""
	}
	return bound
}
