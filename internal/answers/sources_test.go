package answers

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/explain"
)

const sourceText = `import torch


class Block(torch.nn.Module):
    @decorated(
        with_arguments=True,
    )
    @staticmethod
    def forward(
        self, x,
    ):
        # a comment
        y = x + 1

        def inner(z):
            return z

        return inner(
            y
        )

    def short(self): return 1


x = 1
async def last():
  pass
`

func TestPieces(t *testing.T) {
	for line, want := range map[int]Piece{
		1: {}, 4: {}, 12: {"Block.forward", 5, 20}, 13: {"Block.forward", 5, 20}, 9: {"Block.forward", 5, 20},
		16: {"Block.forward", 5, 20}, 22: {"Block.short", 22, 22}, 25: {}, 27: {"last", 26, 27},
	} {
		got, ok := pieceAround(strings.Split(sourceText, "\n"), 1, line)
		if got != want || ok != (want != Piece{}) {
			t.Errorf("line %d: %+v, want %+v", line, got, want)
		}
	}
	if got, _ := pieceAround([]string{"def f(x):", "    return x"}, 10, 11); got != (Piece{"f", 10, 11}) {
		t.Errorf("a text of one function: %+v", got)
	}
}

func TestOwners(t *testing.T) {
	for _, c := range []struct {
		file    string
		matters bool
		want    Owner
	}{
		{"/home/user/train.py", false, OwnerUser},
		{"/venv/lib/python3.13/site-packages/transformers/models/gpt2/modeling_gpt2.py", true, OwnerLibrary},
		{"/venv/lib/python3.13/site-packages/transformers/utils/generic.py", false, OwnerMachinery},
		{"/venv/lib/python3.13/site-packages/torch/nn/modules/linear.py", true, OwnerMachinery},
		{"/usr/lib/python3.13/contextlib.py", true, OwnerMachinery},
	} {
		if got := ownerOf(c.file, c.matters); got != c.want {
			t.Errorf("%s is of %s, want %s", c.file, got, c.want)
		}
	}
}

// Of libraries, the file of the function that is compiled comes first, though what it calls has more operations.
func TestCompiledFileFirst(t *testing.T) {
	const site = "/venv/lib/python3.13/site-packages/serve/"
	body := ""
	for _, file := range []string{"ops.py", "ops.py", "model.py"} {
		body += "        # File: " + site + file + ":3 in forward, code: y = f(x)\n        y = x.sin()\n"
	}
	graph := &explain.Artefact{Stage: "Captured_Graph", Graph: "__compiled_fn_1", Text: "class GraphModule(torch.nn.Module):\n    def forward(self, x):\n" + body + "        return (y,)\n"}
	p := &explain.Program{Model: &explain.Model{}, Files: []*explain.Artefact{graph}}
	p.Functions = []*explain.Function{{Name: "forward", Where: explain.Place{File: site + "model.py", Line: 2}}}
	var got []string
	for _, s := range Sources(p, nil, nil) {
		got = append(got, s.Name)
	}
	if want := []string{"model.py", "ops.py"}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}

// Lines on the way to one that breaks the graph lead there: the user's own, and a library's where its file is shown anyhow.
func TestLinesThatLead(t *testing.T) {
	const library = "/usr/lib/python3.12/site-packages/lib/x.py"
	through := []explain.Frame{{File: "/p/net.py", Line: 21, Name: "forward"}, {File: library, Line: 3, Name: "call"}, {File: "/p/helpers.py", Line: 4, Name: "stats"}}
	b := explain.Break{File: "/p/helpers.py", Line: 8, Func: "show", Through: through}
	m := &explain.Model{Compiles: []*explain.Compile{{Breaks: []explain.Break{b}}, {Breaks: []explain.Break{b}}}}
	var got []string
	for _, s := range Sources(&explain.Program{Model: m}, nil, nil) {
		for _, l := range s.Lines {
			for _, x := range l.Leads {
				got = append(got, fmt.Sprintf("%s:%d leads to %s, %s:%d", s.File, l.Line, x.Function, x.File, x.Line))
			}
		}
	}
	if want := []string{"/p/helpers.py:4 leads to show, /p/helpers.py:8", "/p/net.py:21 leads to show, /p/helpers.py:8"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// A line of the user's that leads to a cause of recompilations in a library is shown, though nothing else is known of its file.
func TestCallersOfCauses(t *testing.T) {
	const library, user = "/v/site-packages/lib/x.py", "/home/user/gen.py"
	cause := Cause{Kind: KindSize, File: library, Line: 4, Recompilations: 3, Callers: []Caller{{Function: "main", File: user, Line: 8}, {Function: "step", File: user}}}
	all := Sources(&explain.Program{Model: &explain.Model{}}, []Cause{cause, cause}, nil)
	if len(all) != 2 || all[0].File != user || all[0].Owner != OwnerUser || len(all[0].Lines) != 1 || !reflect.DeepEqual(all[0].Lines[0], Line{Line: 8, Causes: 2}) {
		t.Errorf("%+v", all)
	}
	if lines := all[1].Lines; len(lines) != 1 || lines[0].Recompilations != 6 || lines[0].Causes != 0 {
		t.Errorf("%+v", lines)
	}
}
