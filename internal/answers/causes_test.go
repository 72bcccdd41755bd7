package answers

import (
	"fmt"
	"slices"
	"testing"

	"github.com/thuml/depyf/internal/explain"
)

// Recompilations are grouped by what made them necessary.
func TestCauses(t *testing.T) {
	p := &explain.Program{Model: &explain.Model{}}
	for i, c := range []struct {
		function string
		reasons  []string
	}{
		{"f", []string{"0/0: tensor 'x' size mismatch at index 0. expected 4, actual 8"}},
		{"g", []string{"1/0: tensor 'kw['a'].layers[0]' size mismatch at index 0. expected 4, actual 8"}}, // the same size as first in f
		{"g", []string{"1/0: tensor 'y' size mismatch at index 0. expected 5, actual 8"}},                 // another
		{"g", []string{"1/0: tensor 'y' size mismatch at index 1. expected 4, actual 8"}},                 // another dimension
		{"f", []string{"0/1: GLOBAL_STATE changed: grad_mode", "0/0: GLOBAL_STATE changed: grad_mode"}},
		{"g", []string{"1/1: GLOBAL_STATE changed: grad_mode"}},
		{"f", []string{"0/2: GLOBAL_STATE changed: grad_mode", "0/1: n == 2", "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 8"}}, // version 1 came closest
		{"f", []string{"0/3: n == 3", "0/1: n == 2"}},
		{"g", []string{"1/2: n == 2"}}, // another function's n
	} {
		p.Model.Compiles = append(p.Model.Compiles, &explain.Compile{ID: fmt.Sprintf("%s/%d", c.function, i), Func: c.function, File: "/p/a.py", Recompile: c.reasons, Seconds: float64(20 - i)})
	}
	var got []string
	for _, c := range Causes(p) {
		got = append(got, fmt.Sprintf("%s %v %d %v %v", c.Kind, c.Subjects, c.Recompilations, c.Values, c.Seconds))
	}
	want := []string{
		"size [x.size(0) kw['a'].layers[0].size(0)] 2 [4 8] 39",
		"state [grad_mode] 2 [] 31",
		"value [n] 2 [2 3] 27",
		"size [y.size(0)] 1 [5 8] 18",
		"size [y.size(1)] 1 [4 8] 17",
		"value [n] 1 [2] 12",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// Versions for more than one exact size of one tensor: there will be one for each. Where one version alone has the size, the next
// makes it symbolic.
func TestSizesThatStayFixed(t *testing.T) {
	size := func(version, was, now int) string {
		return fmt.Sprintf("0/%d: tensor 'x' size mismatch at index 0. expected %d, actual %d", version, was, now)
	}
	for _, c := range []struct {
		reasons []string
		want    bool
	}{
		{[]string{size(0, 2, 3)}, false},
		{[]string{size(1, 2, 3), size(0, 2, 3)}, false}, // a version for another cause in between
		{[]string{size(1, 3, 4), size(0, 2, 4)}, true},
		{[]string{size(1, 1, 4), size(0, 2, 4)}, false}, // 1 is exact in any case: a prompt, then one token a step
	} {
		p := &explain.Program{Model: &explain.Model{Compiles: []*explain.Compile{{ID: "0/2", Func: "f", File: "/p/a.py", Recompile: c.reasons}}}}
		if got := Causes(p); len(got) != 1 || got[0].Fixed != c.want {
			t.Errorf("%q: %+v", c.reasons, got)
		}
	}
}

// A size that torch's own wrapper meets first is told at the user's line, by the user's name for it.
func TestUsersLineOfASize(t *testing.T) {
	at := func(source, file string, line int) []explain.Symbol {
		return []explain.Symbol{{Name: "s0", Source: source, At: explain.Frame{File: file, Line: line, Code: "code"}}}
	}
	const library = "/x/site-packages/torch/_dynamo/external_utils.py"
	p := &explain.Program{Model: &explain.Model{Compiles: []*explain.Compile{
		{ID: "0/1", Func: "inner", File: library, Recompile: []string{"0/0: tensor 'args[0]' size mismatch at index 0. expected 4, actual 5"}, Symbols: at("L['args'][0].size()[0]", library, 69)},
		{ID: "1/1", Func: "forward", File: "/p/a.py", Recompile: []string{"1/0: tensor 'x' size mismatch at index 0. expected 4, actual 5"}, Symbols: at("L['x'].size()[0]", "/p/a.py", 15)},
		{ID: "2/1", Func: "other", File: "/p/a.py", Recompile: []string{"2/0: tensor 'y' size mismatch at index 0. expected 4, actual 5"}, Symbols: at("L['y'].size()[0]", "/p/a.py", 33)},
	}}}
	got := Causes(p)
	if len(got) != 1 || got[0].File != "/p/a.py" || got[0].Line != 15 || got[0].Code != "code" || got[0].Recompilations != 3 || !slices.Equal(got[0].Subjects, []string{"x.size(0)", "args[0].size(0)", "y.size(0)"}) {
		t.Errorf("%+v", got)
	}
}
