package answers

import (
	"slices"
	"testing"
)

func TestStatementsFrom(t *testing.T) {
	text := `def f(a, b):
    # torch's own bookkeeping, for its profiler
    record = None

    # model.py:6-7
    graph_out_0 = __compiled_fn_1(
        a, b
    )
    x = graph_out_0[1]
    del graph_out_0
    # model.py:7: if lt:
    if lt:
        return x

    # model.py:9-12, with what is called there
    return __resume_at_3(x)
`
	for line, want := range map[int][]Statement{
		5:  nil,
		6:  {{"", 6, "graph_out_0 = __compiled_fn_1("}, {"", 9, "x = graph_out_0[1]"}},
		7:  {{"", 6, "graph_out_0 = __compiled_fn_1("}, {"", 9, "x = graph_out_0[1]"}, {"", 12, "if lt:"}},
		11: {{"", 16, "return __resume_at_3(x)"}},
	} {
		if got := statementsFrom(text, line); !slices.Equal(got, want) {
			t.Errorf("line %d: %+v, want %+v", line, got, want)
		}
	}
}
