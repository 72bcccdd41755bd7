package explain

import (
	"slices"
	"strings"
)

// StageAutograd is the graph of a whole backward pass, hooks and accumulation of
// gradients included. Compiled autograd records it while autograd's engine runs,
// and hands its `forward` to Dynamo like a function of the user.
const StageAutograd = "Compiled_autograd_graph"

// IsBackward reports whether a code object is the `forward` of such a graph. Its
// arguments are self, inputs, sizes, hooks and, as versions went on, others between
// and behind them.
func IsBackward(c CodeInfo) bool {
	return strings.HasPrefix(c.Filename, "<eval_with_key>") && len(c.Args) > 3 &&
		slices.Equal(c.Args[:3], []string{"self", "inputs", "sizes"}) && slices.Contains(c.Args, "hooks")
}

// graphName is the name of the compiled function that an artefact belongs to. The
// graph of a backward pass belongs to none: it comes before Dynamo.
func (m *Model) graphName(graph, stage, compileID string) string {
	switch {
	case graph != "":
		return graph
	case stage == StageExported:
		return m.exportedName()
	case stage == StageAutograd:
		if id, ok := strings.CutPrefix(compileID, "!"); ok {
			id, _, _ = strings.Cut(id, "/")
			return Identifier("compiled_autograd_" + id)
		}
		return "compiled_autograd"
	}
	return m.GraphOf(compileID)
}

// linkAutograd finds the functions that are recorded backward passes. Only from
// torch 2.9 on do compile ids say which belongs to which; before, the order does.
func (p *Program) linkAutograd() {
	var graphs []*Artefact
	for _, a := range p.Files {
		if a.Stage == StageAutograd {
			graphs = append(graphs, a)
		}
	}
	var functions []*Function
	for _, f := range p.Functions {
		if IsBackward(f.First.Old) {
			f.Backward = true
			functions = append(functions, f)
		}
	}
	for i, f := range functions {
		id, _, told := strings.Cut(f.First.CompileID, "/")
		if _, resets, again := strings.Cut(f.First.CompileID, "@"); again {
			id += "@" + resets
		}
		told = told && strings.HasPrefix(id, "!")
		for _, g := range graphs {
			if told && g.CompileID == id {
				f.Recorded = g
			}
		}
		// torch 2.4 shows each graph twice; what it made in the end comes last.
		if n := len(graphs) / len(functions); !told && n > 0 && len(graphs)%len(functions) == 0 {
			f.Recorded = graphs[(i+1)*n-1]
		}
	}
}
