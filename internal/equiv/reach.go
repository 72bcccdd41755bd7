package equiv

import (
	"github.com/thuml/depyf/internal/bytecode"
)

// liveInstrs tells for each instruction whether control can get there. Dynamo's
// resume functions (up to 2.8) jump over the prologue of the function that they
// continue, and nothing in what is jumped over has a meaning.
func liveInstrs(f *bytecode.Func) []bool {
	seen := make([]bool, len(f.Instrs))
	work := []int{0}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for i >= 0 && i < len(seen) && !seen[i] {
			seen[i] = true
			for _, h := range f.Handlers {
				if h.Start <= i && i < h.End {
					work = append(work, h.Target)
				}
			}
			in := &f.Instrs[i]
			if in.Target >= 0 {
				work = append(work, in.Target)
			}
			if in.Op.FallsThrough() {
				i++
			} else {
				i = -1
			}
		}
	}
	return seen
}
