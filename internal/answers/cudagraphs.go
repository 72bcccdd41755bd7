package answers

import (
	"strings"

	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/lazyregexp"
)

// WithoutCUDAGraphs is one reason why torch runs graphs without CUDA graphs that the program asked for, or Skipped is
// false: why they cost more than they should.
type WithoutCUDAGraphs struct {
	Reason    string   `json:"reason"` // in torch's words
	Skipped   bool     `json:"skipped"`
	File      string   `json:"file"` // the user's line that is the cause; "" where torch names none
	Line      int      `json:"line"`
	Code      string   `json:"code,omitempty"`
	IDs       []string `json:"ids"` // compile ids, where torch tells them
	Functions []string `json:"functions"`
	Times     int      `json:"times"` // that torch said so
	Remedies  []string `json:"remedies"`
}

// CUDAGraphs lists these reasons in the order in which torch gave them.
func CUDAGraphs(p *explain.Program) []WithoutCUDAGraphs {
	out := []WithoutCUDAGraphs{}
	if len(p.Model.NoCUDAGraphs) == 0 { // most sessions
		return out
	}
	own := owners(p)
	at := map[string]int{}
	for _, x := range p.Model.NoCUDAGraphs {
		key := x.Reason + "\x00" + x.At.File + "\x00" + x.At.Code
		i, known := at[key]
		if !known {
			i = len(out)
			at[key] = i
			out = append(out, WithoutCUDAGraphs{
				Reason: x.Reason, Skipped: x.Skipped, File: p.Places.Full(x.At.File), Line: x.At.Line, Code: x.At.Code,
				IDs: []string{}, Functions: []string{}, Remedies: with(nil, cudaGraphRemedy(x.Reason)),
			})
		}
		w := &out[i]
		w.Times += x.Times
		id, _ := explain.SplitCompileID(x.CompileID)
		w.IDs = with(w.IDs, id)
		function := x.At.Name // a warning from the running graph may name no compilation
		if c := p.Model.Compile(x.CompileID); c != nil {
			function = own[c].name(p, c)
		}
		w.Functions = with(w.Functions, function)
	}
	return out
}

// cudaGraphRemedies say what helps; torch's documentation on CUDAGraph Trees has the conditions.
var cudaGraphRemedies = []struct {
	told *lazyregexp.Regexp
	text string
}{
	{
		lazyregexp.New(`mutated inputs`),
		"A CUDA graph works on fixed memory: do not write into an argument, return the new value. If it is the same tensor in every call, such as a cache: torch._dynamo.mark_static_address(it) before the first call.",
	},
	{
		lazyregexp.New(`cpu device`),
		"Move to the GPU what lies on the CPU: torch.tensor(…), torch.arange(…) and the like make CPU tensors unless they get device=.",
	},
	{
		lazyregexp.New(`multiple devices`),
		"Keep a compiled function on one device: compile the part on each of them by itself.",
	},
	{
		lazyregexp.New(`distinct input size|distinct sizes`),
		"Each size gets a CUDA graph of its own: pad inputs to a few sizes. Or torch._inductor.config.triton.cudagraph_skip_dynamic_graphs = True runs what has symbolic sizes without CUDA graphs.",
	},
	{
		lazyregexp.New(`dynamic shapes`),
		"CUDA graphs need fixed sizes: pad inputs to a few sizes, and compile with dynamic=False.",
	},
	{
		lazyregexp.New(`incompatible op`),
		"Call the operation outside the compiled function. Or torch._inductor.config.graph_partition = True (torch 2.7 and later) leaves only the operation itself out of CUDA graphs.",
	},
}

func cudaGraphRemedy(reason string) string {
	for _, r := range cudaGraphRemedies {
		if r.told.MatchString(strings.ToLower(reason)) {
			return r.text
		}
	}
	return ""
}
