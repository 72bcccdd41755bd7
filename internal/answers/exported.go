package answers

import "github.com/thuml/depyf/internal/explain"

// Exported is a call of torch.export.
type Exported struct {
	Name       string                `json:"name"` // of the module
	File       string                `json:"file"`
	Line       int                   `json:"line"`
	Strict     bool                  `json:"strict"`
	Seconds    *float64              `json:"seconds"` // null where it had not ended when the program did
	Graph      string                `json:"graph"`   // of the graphs of the session; "" if it raised
	Operations int                   `json:"operations"`
	Ranges     []explain.SizeRange   `json:"ranges"` // the sizes that may vary
	Inputs     []explain.ExportValue `json:"inputs"`
	Outputs    []explain.ExportValue `json:"outputs"`
	Error      string                `json:"error,omitempty"` // type of the error
	Text       string                `json:"text,omitempty"`
	ErrorFile  string                `json:"error_file,omitempty"` // the user's line that it comes from
	ErrorLine  int                   `json:"error_line,omitempty"`
}

// Exports lists the calls of torch.export in their order; nil where there was none.
func Exports(p *explain.Program) []Exported {
	var out []Exported
	for _, e := range p.Model.Exports {
		x := Exported{
			Name: e.Name, File: p.Places.Full(e.File), Line: e.Line, Strict: e.Strict, Graph: e.Graph, Ranges: orEmpty(e.Ranges),
			Inputs: orEmpty(e.Inputs), Outputs: orEmpty(e.Outputs), Error: e.Error, Text: e.Text,
		}
		if e.Done {
			x.Seconds = &e.Seconds
		}
		for _, a := range p.ArtefactsOf(e.Graph) {
			if a.Stage == explain.StageExported {
				x.Operations = len(Nodes(a.Body()))
			}
		}
		if at, ok := explain.UsersLine(e.Stack); ok && e.Error != "" {
			x.ErrorFile, x.ErrorLine = p.Places.Full(at.File), at.Line
		}
		out = append(out, x)
	}
	return out
}
