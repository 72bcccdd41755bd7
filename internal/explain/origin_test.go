package explain

import (
	"reflect"
	"testing"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/pyc"
)

// TestGraphOrigin reads from a graph's text what its results are called and which
// lines it computes.
func TestGraphOrigin(t *testing.T) {
	text := `class GraphModule(torch.nn.Module):
    def forward(self, L_a_: "f32[10]"):
        l_a_ = L_a_
         # File: /project/a.py:6 in f, code: x = a.sin()
        x: "f32[10]" = l_a_.sin();  l_a_ = None
         # File: /project/b.py:3 in g, code: return y < 0
        lt: "b8[]" = x < 0
         # File: /project/a.py:7 in f, code: y = x + 1
        y: "f32[10]" = x + 1
        return (lt, y, None, [x])
`
	want := decompile.GraphOrigin{Outputs: []string{"lt", "y", "", ""}, Lines: []int{6, 7}, Callees: true}
	got := graphOrigin(text, "/project/a.py")
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestUserTextOfResumeFunctions finds the text around the line that a resume function
// begins with, in the same file.
func TestUserTextOfResumeFunctions(t *testing.T) {
	m := newModel()
	m.Codes = []*Transformed{
		{Source: "def f(x):\n    a\n    b\n", SourceFile: "/project/a.py", SourceLine: 5},
		{Source: "def g(x):\n    c\n", SourceFile: "/project/b.py", SourceLine: 6},
	}
	old := &pyc.Code{Filename: "/project/a.py", FirstLine: 7}
	first, lines := m.userText(old, fields{"is_resume": true, "source": "    b\n", "source_line": int64(7)})
	if first != 5 || len(lines) != 3 || lines[2] != "    b" {
		t.Errorf("%d %q", first, lines)
	}
	old.FirstLine = 8
	if first, lines := m.userText(old, fields{"is_resume": true}); lines != nil {
		t.Errorf("behind the function: %d %q", first, lines)
	}
}

// The forms that torch's comments on origins have.
func TestOriginForms(t *testing.T) {
	for line, want := range map[string]Frame{
		"    # File: /a/model.py:7 in forward, code: y = x, code: z\n": {File: "/a/model.py", Line: 7, Name: "forward", Code: "y = x, code: z"},
		"# File: C:\\m.py:7 in <lambda>, code:  x\r\n":                 {File: `C:\m.py`, Line: 7, Name: "<lambda>", Code: "x"},
		"\t# Backward of forward node: File: m.py:12 in f":             {File: "m.py", Line: 12, Name: "f"},
		"# File: m.py:12 in f, what: x":                                {File: "m.py", Line: 12, Name: "f"},
		"# File: a:b in c:3 in f, code: d":                             {File: "a:b in c", Line: 3, Name: "f", Code: "d"},
		"# File: m.py:57, code: c = c + math.sqrt(a)":                  {File: "m.py", Line: 57, Code: "c = c + math.sqrt(a)"},
		"x = 1  # File: m.py:12 in f":                                  {},
		"# File: m.py:x in f":                                          {},
		"# File: :12 in f":                                             {},
		"# File: m.py:12":                                              {},
		"":                                                             {},
	} {
		if got, ok := OriginOf(line); !reflect.DeepEqual(got, want) || ok != (want.Line > 0) {
			t.Errorf("%q: got %+v", line, got)
		}
	}
}
