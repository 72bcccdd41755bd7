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
