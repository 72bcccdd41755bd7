package answers_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

func recordedOnGPU(t *testing.T, name string) *explain.Program {
	t.Helper()
	m, err := explain.Replay("../../testdata/sessions/torch211_" + name + "_cuda")
	if err != nil {
		t.Fatal(err)
	}
	return explain.Link(m)
}

func TestCUDAGraphs(t *testing.T) {
	list := answers.CUDAGraphs(recordedOnGPU(t, "graphs"))
	if len(list) != 1 {
		t.Fatalf("%+v", list)
	}
	x := list[0]
	if !x.Skipped || x.Line != 11 || x.Code != "x.add_(1)" || !slices.Equal(x.Functions, []string{"changes"}) || !slices.Equal(x.IDs, []string{"1/0"}) {
		t.Errorf("%+v", x)
	}
	if len(x.Remedies) != 1 || !strings.Contains(x.Remedies[0], "mark_static_address") {
		t.Errorf("%q", x.Remedies)
	}
}

// A kernel of the user's computes its own call alone. What is copied for it is done by two kernels, of which nothing tells what
// each computes.
func TestUsersKernel(t *testing.T) {
	var calls []answers.Kernel
	for _, k := range answers.Kernels(recordedOnGPU(t, "own_kernel")) {
		if k.Compilation == "0/0" {
			calls = append(calls, k)
		}
	}
	if len(calls) != 4 {
		t.Fatalf("%d calls", len(calls))
	}
	for i, want := range []struct{ name, nodes, with string }{
		{"triton_poi_fused_mul_sin_0", "sin mul", "triton_poi_fused_mul_sin_1"},
		{"triton_poi_fused_mul_sin_1", "sin mul", "triton_poi_fused_mul_sin_0"},
		{"add_kernel_0", "triton_kernel_wrapper_mutation", ""},
		{"triton_per_fused_add_gelu_gt_sum_2", "mul_1 mul_2 erf add mul_3 add_1 sum_1 gt", ""},
	} {
		k := calls[i]
		if k.Name != want.name || strings.Join(k.Nodes, " ") != want.nodes || strings.Join(k.With, " ") != want.with || len(k.Again) > 0 {
			t.Errorf("call %d: %+v", i, k)
		}
	}
	if at := calls[2].Places; len(at) != 1 || at[0].Line != 17 {
		t.Errorf("%v", at)
	}
}

// Modules that Inductor writes to measure kernels are none of the program's.
func TestTunedKernels(t *testing.T) {
	var names []string
	for _, k := range answers.Kernels(recordedOnGPU(t, "tuned")) {
		names = append(names, k.Name)
	}
	if !slices.Equal(names, []string{"triton_tem_fused_add_gelu_mm_0"}) {
		t.Errorf("%q", names)
	}
}
