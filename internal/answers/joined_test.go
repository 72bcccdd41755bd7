package answers

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/explain"
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
		6:  {{"", 6, "graph_out_0 = __compiled_fn_1(", 6, 7}, {"", 9, "x = graph_out_0[1]", 6, 7}},
		7:  {{"", 6, "graph_out_0 = __compiled_fn_1(", 6, 7}, {"", 9, "x = graph_out_0[1]", 6, 7}, {"", 12, "if lt:", 7, 7}},
		11: {{"", 16, "return __resume_at_3(x)", 9, 12}},
	} {
		// The same where the file is a notebook's cell.
		for _, text := range []string{text, strings.ReplaceAll(text, "model.py:", "In[12]:")} {
			if got := statementsFrom(text, line); !slices.Equal(got, want) {
				t.Errorf("line %d: %+v, want %+v", line, got, want)
			}
		}
	}
}

// A line of a notebook's cell is asked for by the name that everything else has for the cell.
func TestJoinCell(t *testing.T) {
	m, err := explain.Replay("../../testdata/sessions/torch215_toy_inductor")
	if err != nil {
		t.Fatal(err)
	}
	want, err := Join(For(explain.Link(m)), "toy_example.py:6")
	if err != nil || len(want.Operations) == 0 {
		t.Fatalf("%+v, %v", want, err)
	}
	m.Sources = append(m.Sources, &explain.Source{File: want.Lines[0].File, Title: "In[3]"})
	got, err := Join(For(explain.Link(m)), "In[3]:6")
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
}
