package explain

import (
	"slices"
	"strings"
)

// NoCUDAGraph is torch's word that it runs a graph without CUDA graphs, though the program asked for them with
// mode="reduce-overhead" or "max-autotune"; or that it records too many of them.
type NoCUDAGraph struct {
	CompileID string // "" where torch did not tell which graph it was
	Reason    string // in torch's words: "mutated inputs (1 instances)"
	Skipped   bool   // the graph runs without; else it has them, and this is advice
	At        Frame  // the user's line that is the cause, where torch names one
	Times     int
}

// readNoCUDAGraph reads a warning of torch/_inductor/cudagraph_utils.py.
func readNoCUDAGraph(text string) NoCUDAGraph {
	reason, stack, _ := strings.Cut(text, "Found from :")
	why, skipped := strings.CutPrefix(strings.TrimSpace(reason), "skipping cudagraphs due to ")
	out := NoCUDAGraph{Reason: strings.TrimRight(CleanText(strings.TrimSpace(why)), "."), Skipped: skipped, Times: 1}
	out.At, _ = UsersLine(stackIn(stack))
	return out
}

// noCUDAGraphs takes in what the figures of a compilation have of it: the last reason.
func (m *Model) noCUDAGraphs(c *Compile, f fields) {
	if why := f.str("cudagraph_skip_reason"); why != "" {
		m.noCUDAGraph(c.ID, why, true)
	}
}

// noCUDAGraph takes one in. again: it may be one that is known already.
func (m *Model) noCUDAGraph(id, text string, again bool) {
	x := readNoCUDAGraph(text)
	x.CompileID = id
	at := slices.IndexFunc(m.NoCUDAGraphs, func(y *NoCUDAGraph) bool {
		return y.CompileID == x.CompileID && y.Reason == x.Reason && y.At == x.At
	})
	switch {
	case at < 0:
		m.NoCUDAGraphs = append(m.NoCUDAGraphs, &x)
	case !again:
		m.NoCUDAGraphs[at].Times++
	}
}
