package answers_test

import (
	"slices"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

const graphText = `class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f32[8][1]cpu"):
        # File: /home/user/toy.py:3 in f, code: y = x.sin()
        sin: "f32[8][1]cpu" = torch.ops.aten.sin.default(arg0_1)

        # File: /home/user/toy.py:4 in f, code: return y @ y
        mul: "f32[8][1]cpu" = torch.ops.aten.mul.Tensor(sin, sin)
        return (mul,)
`

const outputCode = `# AOT ID: ['0_inference']
cpp_fused_sin_0 = async_compile.cpp_pybinding(['const float*', 'float*'], r'''
    # Topologically Sorted Source Nodes: [not, this], Original ATen: [aten.no]
    cpp_fused_sin_0(inside, a, string)
''')

class Runner:
    def call(self, args):
        arg0_1, = args
        buf0 = empty_strided_cpu((8, ), (1, ), torch.float32)
        cpp_fused_sin_0(arg0_1, buf0)
        # Topologically Sorted Source Nodes: [z], Original ATen: [aten.mul]
        extern_kernels.mul(buf0, buf0, out=buf1)
        cpp_fused_sin_0(buf1, buf2)
        return (buf1, )

def benchmark_compiled_module(times=10):
    cpp_fused_sin_0(arg0_1, buf0)
`

func program(parts []explain.KernelPart) *explain.Program {
	graph := func(stage, text string) *explain.Artefact {
		return &explain.Artefact{Graph: "__compiled_fn_1", Stage: stage, CompileID: "0/0", Text: text}
	}
	kernel := graph(explain.StageKernel, outputCode)
	kernel.File, kernel.Parts = "__compiled_fn_1.kernel_0.py", parts
	kernel.Sources = map[string][]string{"sin": {"y", "aten.sin.default"}, "mul": {"z", "aten.mul.Tensor"}}
	dynamo := "class GraphModule:\n    def forward(self, L_x_):\n        # File: /home/user/toy.py:4 in f, code: return y @ y\n        z = y @ y\n        return (z,)\n"
	return &explain.Program{Model: &explain.Model{}, Files: []*explain.Artefact{graph("Captured_Graph", dynamo), graph("AFTER_POST_GRAD", graphText), kernel}}
}

// One kernel is called for several groups of operations: each call is told apart, and what the text of a kernel or
// the code behind the function says is none.
func TestKernels(t *testing.T) {
	got := answers.Kernels(program([]explain.KernelPart{
		{Kernel: "cpp_fused_sin_0", Nodes: []string{"sin"}},
		{Kernel: "extern_kernels.mul", Nodes: []string{"mul"}},
		{Kernel: "cpp_fused_sin_0", Nodes: []string{"mul", "sin"}},
	}))
	if len(got) != 3 {
		t.Fatalf("%d calls: %+v", len(got), got)
	}
	at := func(lines ...int) (out []explain.Place) {
		for _, l := range lines {
			out = append(out, explain.Place{File: "/home/user/toy.py", Line: l})
		}
		return out
	}
	for i, want := range []struct {
		row    int
		kind   string
		nodes  []string
		again  []string
		places []explain.Place
	}{
		{11, "cpp", []string{"sin"}, []string{}, at(3)},
		{13, "extern", []string{"mul"}, []string{}, at(4)},
		{14, "cpp", []string{"sin", "mul"}, []string{"sin", "mul"}, at(3, 4)},
	} {
		k := got[i]
		if k.Row != want.row || k.Kind != want.kind || !slices.Equal(k.Nodes, want.nodes) || !slices.Equal(k.Again, want.again) ||
			!slices.Equal(k.Places, want.places) || k.Told != answers.ToldByInductor || k.Pass != "inference" {
			t.Errorf("call %d: %+v, want %+v", i, k, want)
		}
	}
	if got[0].Defined != 2 || !slices.Equal(got[2].Sources, []string{"y", "z"}) {
		t.Errorf("defined at %d, sources %v", got[0].Defined, got[2].Sources)
	}
}

// Code from Inductor's cache comes without a word of what its kernels compute, but for comments.
func TestKernelsFromCache(t *testing.T) {
	got := answers.Kernels(program(nil))
	if len(got) != 3 || got[0].Told != answers.ToldByNobody || len(got[0].Nodes)+len(got[0].Places) > 0 {
		t.Fatalf("%+v", got)
	}
	if k := got[1]; k.Told != answers.ToldByComment || !slices.Equal(k.Places, []explain.Place{{File: "/home/user/toy.py", Line: 4}}) {
		t.Errorf("%+v", k)
	}
}

// A kernel that computes no operation copies inputs into another layout: it belongs to the lines at which these are used.
func TestKernelThatCopies(t *testing.T) {
	got := answers.Kernels(program([]explain.KernelPart{{Kernel: "cpp_fused_sin_0", Nodes: []string{"arg0_1"}}, {Kernel: "extern_kernels.mul", Nodes: []string{"mul"}}}))
	if len(got) < 2 || !got[0].Copies || !slices.Equal(got[0].Nodes, []string{"arg0_1"}) || !slices.Equal(got[0].Places, []explain.Place{{File: "/home/user/toy.py", Line: 3}}) {
		t.Errorf("%+v", got)
	}
	if got[1].Copies {
		t.Errorf("%+v", got[1])
	}
}
