package answers

import (
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

// fragments are the parts of the graph that Inductor writes above the definitions of kernels, from torch 2.1 on: of a log, they are all
// that says in which order a kernel computes its operations.
//
//	# Topologically Sorted Source Nodes: [y, add], Original ATen: [aten.sin, aten.add]
//	# Source node to ATen node mapping:
//	#   y => sin
//	# Graph fragment:
//	#   %sin : [num_users=1] = call_function[target=torch.ops.aten.sin.default](args = (%arg0_1,), kwargs = {})
//	triton_poi_fused_add_sin_0 = async_compile.triton('triton_poi_fused_add_sin_0', '''
type fragments struct {
	next fragment
	of   map[string]fragment // by kernel
}

type fragment struct {
	comment []string
	nodes   []string
}

var fragmentNode = lazyregexp.New(`^#   %([\w.]+) : .*= call_function\[`)

// read takes in a line of comment at the beginning of a line.
func (f *fragments) read(line string) {
	if m := submatch(kernelComment, "Source Nodes: [", line); m != nil {
		f.next = fragment{comment: m}
	} else if m := submatch(fragmentNode, " = call_function[", line); m != nil {
		f.next.nodes = append(f.next.nodes, strings.Clone(m[1]))
	}
}

// defined says which kernel stands below what was read.
func (f *fragments) defined(kernel string) {
	if f.of == nil {
		f.of = map[string]fragment{}
	}
	f.of[kernel] = f.next
	f.next = fragment{}
}

// nodes are the operations of one call, in order. One kernel may be called for several groups of operations that are alike; what stands
// above it is of the first, and nothing is known of calls whose comment is another.
func (f *fragments) nodes(kernel string, comment []string) []string {
	of := f.of[kernel]
	if len(of.comment) == 0 || !slices.Equal(of.comment[1:], comment[1:]) {
		return []string{}
	}
	return append([]string{}, of.nodes...)
}
