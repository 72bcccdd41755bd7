package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/explain"
)

// eight is a function of eight versions, each of which torch tried all earlier ones for.
func eight() (*explain.Program, *explain.Function) {
	f := &explain.Function{Name: "f", Title: "f", First: &explain.Transformed{}}
	for n := range 8 {
		v := &explain.Version{Number: n, CompileID: fmt.Sprintf("0/%d", n), Code: &explain.Transformed{}, Graphs: []string{fmt.Sprintf("__compiled_fn_%d", n)}}
		v.Compile = &explain.Compile{ID: v.CompileID, Ops: 1 + n%2}
		for old := n - 1; old >= 0; old-- {
			v.Compile.Recompile = append(v.Compile.Recompile, fmt.Sprintf("0/%d: L['n'] == %d", old, old))
		}
		f.Versions = append(f.Versions, v)
	}
	return &explain.Program{Model: &explain.Model{}, Functions: []*explain.Function{f}}, f
}

// A check that failed for an earlier compilation is not told in full again.
func TestRecompilationsTellWhatIsNew(t *testing.T) {
	p, f := eight()
	// Version 2 failed otherwise the second time: that is new.
	f.Versions[4].Compile.Recompile[1] = "0/2: L['x'].size()[0] == 3"
	list := recompilations(p, f)
	if len(list) != 7 {
		t.Fatalf("%d recompilations, want 7", len(list))
	}
	for i, r := range list {
		want := []string{fmt.Sprintf("version %d: `L['n'] == %d`", i, i)}
		again := []string{"", "version 0", "versions 0, 1", "versions 0, 1", "versions 0, 1, 3", "versions 0 to 4", "versions 0 to 5"}[i]
		switch r.Version {
		case 4:
			want = append(want, "version 2: `L['x'].size()[0] == 3`")
		case 5: // "As before" would be the other check.
			want = append(want, "version 2: `L['n'] == 2`")
		}
		var got []string
		for _, reason := range r.Reasons {
			got = append(got, reason.Text)
		}
		if r.Version != i+1 || strings.Join(got, "; ") != strings.Join(want, "; ") || r.Again != again {
			t.Errorf("version %d: %q, again %q; want %q, again %q", r.Version, got, r.Again, want, again)
		}
		if advice := r.Reasons[0].Advice; (advice != "") != (i == 0) {
			t.Errorf("version %d: advice %q; it is told once", r.Version, advice)
		}
	}
}

// Eight boxes beside each other are wider than a screen.
func TestManyVersionsInTheChart(t *testing.T) {
	p, f := eight()
	chart := drawFlow(flowFacts{prog: p}, f)
	for _, want := range []string{"version 0 ·", "… 6 more of this shape", "versions 1 to 6", "version 7 ·"} {
		if !strings.Contains(chart, want) {
			t.Errorf("no %q in the chart", want)
		}
	}
	if strings.Contains(chart, "version 3 ·") {
		t.Error("version 3 has a box of its own")
	}
	f.Versions[3].Resumes = []explain.Resume{{Name: "__resume_at_2_1"}}
	if chart := drawFlow(flowFacts{prog: p}, f); !strings.Contains(chart, "version 3 ·") || strings.Contains(chart, "more of this shape") {
		t.Error("a version that goes on elsewhere is of another shape")
	}
}
