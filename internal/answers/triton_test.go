package answers_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

const tritonDynamo = `class GraphModule(torch.nn.Module):
    def forward(self, L_x_):
        # File: /home/user/net.py:5 in forward, code: y = (x + 1).sin()
        add = L_x_ + 1
        y = add.sin()
        # File: /home/user/net.py:6 in forward, code: z = y @ self.w
        z = y @ self.w
        # File: /home/user/net.py:7 in forward, code: h = self.linear(x).relu()
        linear = torch._C._nn.linear(L_x_, w, b)
        h = linear.relu()
        # File: /home/user/net.py:8 in forward, code: return h.softmax(1)
        softmax = h.softmax(1)
        return (softmax,)
`

const tritonBackward = `class GraphModule(torch.nn.Module):
    def forward(self, primals_1, addmm, tangents_1):
        # File: /home/user/net.py:7 in forward, code: h = self.linear(x).relu()
        sum_2 = torch.ops.aten.sum.dim_IntList(tangents_1, [0], True)
        relu = torch.ops.aten.relu.default(addmm)
        le = torch.ops.aten.le.Scalar(relu, 0)
        where = torch.ops.aten.where.self(le, full_default, tangents_1)
        return (where,)
`

// What Inductor writes for a GPU, with nothing but its text to go by, as a log has it: the calls, what each computes in order where the
// text says so, and the user's lines. The texts in testdata/triton have the forms of the version in their names.
func TestTriton(t *testing.T) {
	for file, want := range map[string]string{
		"torch22_inference.py": `
triton triton_poi_fused_add_sin_0 inference nodes [] sources [add y] aten [aten.add aten.sin] lines [5]
extern extern_kernels.mm inference nodes [] sources [z] aten [aten.mm] lines [6]`,
		"torch26_backward.py": `
extern extern_kernels.mm backward nodes [] sources [] aten [] lines []
triton triton_red_fused_sum_0 backward nodes [sum_2] sources [] aten [aten.sum] lines [7]
triton triton_poi_fused_relu_threshold_backward_1 backward nodes [relu le where] sources [h] aten [aten.relu aten.threshold_backward] lines [7]
triton triton_poi_fused_relu_threshold_backward_1 backward nodes [] sources [] aten [aten.relu aten.threshold_backward] lines []`,
		"torch215_forward.py": `
extern extern_kernels.addmm forward nodes [] sources [linear] aten [aten.addmm] lines [7]
triton triton_per_fused__softmax_relu_0 forward nodes [relu amax sub exp] sources [h softmax] aten [aten.relu aten._softmax] lines [7 8]`,
	} {
		text, err := os.ReadFile(filepath.Join("testdata", "triton", file))
		if err != nil {
			t.Fatal(err)
		}
		graph := func(stage, text string) *explain.Artefact {
			return &explain.Artefact{Graph: "__compiled_fn_1", Stage: stage, CompileID: "0/0", Text: text}
		}
		kernel := graph(explain.StageKernel, string(text))
		files := []*explain.Artefact{graph("Captured_Graph", tritonDynamo), kernel}
		if strings.Contains(file, "backward") {
			files = append(files, graph("AFTER_POST_GRAD", tritonBackward))
		}
		lines := strings.Split(strings.TrimLeft(string(text), "\n"), "\n")
		got := ""
		for _, k := range answers.Kernels(&explain.Program{Model: &explain.Model{}, Files: files}) {
			at := []int{}
			for _, p := range k.Places {
				at = append(at, p.Line)
			}
			got += fmt.Sprintf("\n%s %s %s nodes %v sources %v aten %v lines %v", k.Kind, k.Name, k.Pass, k.Nodes, k.Sources, k.Aten, at)
			if !strings.Contains(lines[k.Row-1], k.Name) || k.Kind == "triton" && !strings.HasPrefix(lines[k.Defined-1], k.Name+" = ") {
				t.Errorf("%s: %s is not at line %d, defined at %d", file, k.Name, k.Row, k.Defined)
			}
		}
		if got != want {
			t.Errorf("%s: got%s\nwant%s", file, got, want)
		}
	}
}
