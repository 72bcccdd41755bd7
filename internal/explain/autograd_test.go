package explain

import (
	"fmt"
	"testing"
)

// backward adds a function of the kind that compiled autograd hands to Dynamo.
func backward(m *Model, key, compileID string) {
	args := []any{"self", "inputs", "sizes", "scalars", "hooks", "packed_data"}
	m.apply(Record{Type: "bytecode", Fields: map[string]any{
		"key": key, "old_key": "o" + key, "func": "forward", "compile_id": compileID,
		"old": map[string]any{"name": "forward", "filename": "<eval_with_key>." + key, "args": args},
	}})
}

func recorded(m *Model, name, compileID string) {
	graph := m.graphName("", StageAutograd, compileID)
	m.apply(Record{
		Type:   "graph",
		Fields: map[string]any{"stage": StageAutograd, "text": name, "compile_id": compileID},
		Result: map[string]any{"graph": graph, "file": name},
	})
}

// A recorded backward pass is joined to its graph by compile ids where they tell
// it, else by order, and to none where the numbers do not match.
func TestLinkAutograd(t *testing.T) {
	for _, c := range []struct {
		functions, graphs []string // compile ids
		want              []int    // of the graphs, -1 for none
	}{
		{[]string{"!1/5/0", "!0/3/0"}, []string{"!0", "!1"}, []int{1, 0}},
		{[]string{"1/0", "4/0"}, []string{"", ""}, []int{0, 1}},
		{[]string{"1/0", "4/0"}, []string{"", "", "", ""}, []int{1, 3}},
		{[]string{"1/0", "4/0"}, []string{"", "", ""}, []int{-1, -1}},
		{[]string{"!2/1/0"}, []string{"!0"}, []int{-1}},
	} {
		m := newModel()
		for i, id := range c.graphs {
			recorded(m, fmt.Sprint(i), id)
		}
		for i, id := range c.functions {
			backward(m, fmt.Sprint(i), id)
		}
		// The user's own function of that name is none.
		m.apply(Record{Type: "bytecode", Fields: map[string]any{
			"key": "own", "old_key": "own", "func": "forward",
			"old": map[string]any{"name": "forward", "filename": "model.py", "args": []any{"self", "inputs", "sizes", "hooks"}},
		}})
		p := Link(m)
		for i, f := range p.Functions[:len(c.functions)] {
			got := -1
			for j, a := range p.Files {
				if a == f.Recorded {
					got = j
				}
			}
			if !f.Backward || got != c.want[i] {
				t.Errorf("%v among %v: function %d is joined to graph %d, want %d", c.functions, c.graphs, i, got, c.want[i])
			}
		}
		if own := p.Functions[len(c.functions)]; own.Backward || own.Recorded != nil {
			t.Errorf("the user's function is taken for a recorded one: %+v", own)
		}
	}
	if got := newModel().graphName("", StageAutograd, "!3/1/0"); got != "compiled_autograd_3" {
		t.Errorf("the graph is called %q", got)
	}
}
