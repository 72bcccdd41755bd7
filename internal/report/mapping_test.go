package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// A line of a layer is in as many kernels as there are layers: those of one kind are told together.
func TestKernelsOfLayers(t *testing.T) {
	var calls []answers.Kernel
	for i := range 48 {
		calls = append(calls, answers.Kernel{Name: "extern_kernels.addmm", Pass: "forward", File: "k.py", Row: i, Nodes: []string{fmt.Sprintf("addmm_%d", i)}, Aten: []string{"aten.addmm.default"}})
	}
	calls = append(calls,
		answers.Kernel{Name: "extern_kernels.addmm", Pass: "backward", File: "k.py", Nodes: []string{"addmm_50"}, Aten: []string{"aten.addmm.default"}},
		answers.Kernel{Name: "extern_kernels.addmm", Pass: "forward", File: "k.py", Nodes: []string{"mul"}, Aten: []string{"aten.mul.Tensor"}})
	groups := alike(calls)
	if len(groups) != 3 || len(groups[0]) != 48 {
		t.Fatalf("%d groups", len(groups))
	}
	it := kernelItem(&explain.Program{Model: &explain.Model{}}, groups[0])
	if !strings.Contains(it.Text, " and 42 more places") || it.Details[0] != "computes, in this order: addmm_0; the other calls, others of the same kinds" {
		t.Errorf("%+v", it)
	}
	if got := kernelsInBrief(calls); got != " Kernels: forward `extern_kernels.addmm`; backward `extern_kernels.addmm`." {
		t.Error(got)
	}
	if got := kernelsInBrief(nil); got != "" {
		t.Error(got)
	}
}

// A kernel from the cache may be the one that is asked for: that it is not told is said.
func TestKernelsFromTheCache(t *testing.T) {
	all := []answers.Kernel{
		{Name: "told", Graph: "g", Told: answers.ToldByComment},
		{Name: "untold", Graph: "g"},
		{Name: "untold", Graph: "g"},
		{Name: "elsewhere", Graph: "h"},
		{Name: "asked", Graph: "g"},
	}
	j := answers.Joined{Operations: []answers.NodeAt{{Graph: "g"}}, Kernels: []answers.Kernel{{Name: "asked"}}}
	if got := unknownKernels(all, j); !slices.Equal(got, []string{"untold"}) {
		t.Error(got)
	}
}

// Operations are counted as other views count them; what they become later is said beside it.
func TestOperationsInBrief(t *testing.T) {
	at := func(stages ...string) (out []answers.NodeAt) {
		for _, s := range stages {
			out = append(out, answers.NodeAt{Stage: s})
		}
		return out
	}
	for want, list := range map[string][]answers.NodeAt{
		"0 operations":                    nil,
		"1 operation":                     at(explain.StageExported),
		"2 operations":                    at("Captured_Graph", "Captured_Graph"),
		"1 operation (2 in later stages)": at("Captured_Graph", "Forward_graph", "Backward_graph"),
		"1 operation of later stages":     at("Forward_graph"),
	} {
		if got := operationsInBrief(list); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
