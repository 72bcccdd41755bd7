package main

import (
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/decompile"
)

// originOf decompiles a recorded frame as if its file had the given text.
func originOf(t *testing.T, name string, o decompile.Origin) string {
	t.Helper()
	rec := recordedFrame(t, "../../testdata/dynamo/"+name+".pkt")
	o.Code = rec.Old
	r, err := decompile.Func(rec.New, decompile.Options{Dynamo: true, Origin: o})
	if err != nil {
		t.Fatal(err)
	}
	return r.Source
}

// TestStatementsNameTheUsersLines says above a statement which line it comes from,
// and names the graph's results as the graph does.
func TestStatementsNameTheUsersLines(t *testing.T) {
	got := originOf(t, "2.15.0-py3.13/toy_0", decompile.Origin{
		First:  39,
		Lines:  []string{"def toy_example(a, b):", "    x = a / (torch.abs(a) + 1)", "    if b.sum() < 0:", "        b = b * -1", "    return x * b"},
		Graphs: map[string]decompile.GraphOrigin{"__compiled_fn_1": {Outputs: []string{"lt", "x"}, Lines: []int{40, 41}}},
	})
	want := `def toy_example(a, b):
    # torch's own bookkeeping, for its profiler
    record = None
    if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
        record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    if record is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

    # snippets.py:40-41
    graph_out_0 = __compiled_fn_1(a, b)
    lt = graph_out_0[0]
    x = graph_out_0[1]
    del graph_out_0
    # snippets.py:41: if b.sum() < 0:
    if lt:
        return __resume_at_100_2([], [], b, x)
    return __resume_at_110_3([], [], b, x)
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestBookkeepingOfOneValue has the comment above the statement that begins torch's bookkeeping, where that is
// one value and its use (2.9).
func TestBookkeepingOfOneValue(t *testing.T) {
	got := originOf(t, "2.9.1-py3.13/toy_0", decompile.Origin{})
	want := `
    # torch's own bookkeeping, for its profiler
    record = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(record)

`
	if !strings.Contains(got, want) {
		t.Errorf("no %s in\n%s", want, got)
	}
}

// TestTemplatesOfTorchAreNoLines takes a place in one of torch's own templates, here
// lines 148 to 152 of the file with the one for `with`, for no line of the user's.
func TestTemplatesOfTorchAreNoLines(t *testing.T) {
	lines := make([]string, 100)
	for i := range lines {
		lines[i] = "pass"
	}
	got := originOf(t, "2.6.0-py3.12/break_under_no_grad_0", decompile.Origin{First: 96, Lines: lines})
	if !strings.Contains(got, "__enter__") || strings.Contains(got, "snippets.py:") {
		t.Errorf("a line is named:\n%s", got)
	}
}

// TestGraphsOfOtherFunctions says that a graph computes more than the function's
// own lines.
func TestGraphsOfOtherFunctions(t *testing.T) {
	o := decompile.Origin{
		First: 39, Lines: make([]string, 5),
		Graphs: map[string]decompile.GraphOrigin{"__compiled_fn_1": {Lines: []int{7, 41, 40}}},
	}
	if got := originOf(t, "2.15.0-py3.13/toy_0", o); !strings.Contains(got, "    # snippets.py:40-41, with what is called there\n    graph_out_0 = ") {
		t.Error(got)
	}
	o.Graphs["__compiled_fn_1"] = decompile.GraphOrigin{Lines: []int{7}}
	if got := originOf(t, "2.15.0-py3.13/toy_0", o); strings.Contains(got, "is called there") {
		t.Error(got)
	}
}
