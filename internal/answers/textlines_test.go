package answers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/explain"
)

// Lines of a graph are operations, by the names that Dynamo or AOTAutograd gives them.
func TestGraphLines(t *testing.T) {
	const text = "# a head\n\ndef forward(self, x):\n    # File: /p/net.py:7 in f, code: y = x.sin()\n    y = x.sin();  x = None\n    return (y,)\n"
	for stage, want := range map[string]string{
		"Captured_Graph":  "4 net.py:7|4 |5 net.py:7|5 y/d",
		"AFTER_POST_GRAD": "4 net.py:7|4 |5 net.py:7|5 y/a",
		"Joint_graph":     "4 net.py:7|4 |5 net.py:7|5 ",
	} {
		var got []string
		for i, l := range GraphLines(&explain.Artefact{Stage: stage}, text) {
			for _, at := range l.Places {
				got = append(got, fmt.Sprintf("%d net.py:%d", i+1, at.Line))
				var names string
				if len(l.Dynamo) > 0 {
					names = l.Dynamo[0] + "/d"
				}
				if len(l.Nodes) > 0 {
					names += l.Nodes[0] + "/a"
				}
				got = append(got, fmt.Sprintf("%d %s", i+1, names))
			}
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%s: %s", stage, s)
		}
	}
}

// A kernel's definition, with the comments above, belongs to what all its calls compute; a text that is cut has what is left.
func TestKernelLines(t *testing.T) {
	text := "# head\n\n" + "x = 1\n# Source Nodes: [sin, add]\nfused = async_compile.triton('fused', '''\ndef fused():\n    pass\n''')\n\ndef call(args):\n    fused.run(a)\n    del a\n    fused.run(b)\n"
	calls := []Kernel{
		{File: "k.py", Row: 9, Defined: 3, ends: 6, Nodes: []string{"sin"}, Places: []explain.Place{{File: "net.py", Line: 7}}},
		{File: "k.py", Row: 11, Defined: 3, ends: 6, Nodes: []string{"add"}, Places: []explain.Place{{File: "net.py", Line: 9}}},
	}
	f := &Facts{Kernels: func() []Kernel { return calls }}
	said := func(text string) string {
		var out []string
		for i, l := range f.KernelLines(&explain.Artefact{File: "k.py"}, text, 2) {
			if len(l.Nodes) > 0 {
				out = append(out, fmt.Sprintf("%d:%s/%d", i+1, strings.Join(l.Nodes, "+"), len(l.Places)))
			}
			if (l.Call != nil) != (i+1 == 11 || i+1 == 13) {
				t.Errorf("line %d is a call: %v", i+1, l.Call)
			}
		}
		return strings.Join(out, " ")
	}
	if got := said(text); got != "4:sin+add/2 5:sin+add/2 6:sin+add/2 7:sin+add/2 8:sin+add/2 11:sin/1 13:add/1" {
		t.Error(got)
	}
	if got := said(strings.Join(strings.Split(text, "\n")[:6], "\n")); got != "4:sin+add/2 5:sin+add/2 6:sin+add/2" {
		t.Error(got)
	}
}

// Lines of transformed code come from those that the comment above them names.
func TestCodeLines(t *testing.T) {
	const text = "def f(x):\n    # torch's own bookkeeping\n    record = None\n\n    # net.py:7-8\n    graph_out_0 = __compiled_fn_1(\n        x,\n    )\n    # net.py:9: if y:\n    if y:\n        return g(y)\n"
	var got []string
	for i, l := range CodeLines(&explain.Transformed{Old: explain.CodeInfo{Filename: "net.py"}}, text) {
		for _, at := range l.Places {
			got = append(got, fmt.Sprintf("%d:%d", i+1, at.Line))
		}
	}
	if s := strings.Join(got, " "); s != "5:7 5:8 6:7 6:8 7:7 7:8 8:7 8:8 9:9 10:9 11:9" {
		t.Error(s)
	}
}

// A graph behind Inductor's passes is of the pass of the code that was made of it.
func TestPassOf(t *testing.T) {
	f := &Facts{Kernels: func() []Kernel {
		return []Kernel{{File: "k0.py", behind: "g0.py", Pass: "inference"}, {File: "k1.py", behind: "g1.py", Pass: "backward"}}
	}}
	for _, c := range []struct{ stage, file, want string }{
		{"Forward_graph", "", "forward"},
		{"Backward_graph", "", "backward"},
		{"Joint_graph", "g1.py", ""},
		{"AFTER_POST_GRAD", "g0.py", "forward"},
		{"AFTER_POST_GRAD", "g1.py", "backward"},
		{"AFTER_POST_GRAD", "g2.py", ""},
		{explain.StageKernel, "k1.py", "backward"},
	} {
		if got := f.PassOf(&explain.Artefact{Stage: c.stage, File: c.file}); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.stage, c.file, got, c.want)
		}
	}
}
