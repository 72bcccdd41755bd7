package lower

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// checkLoads marks the loads of variables that may be unbound (3.12+,
// add_checks_for_loads_of_uninitialized_variables in Python/flowgraph.c).
func checkLoads(f *bytecode.Func) {
	c := f.Code
	slot := map[string]int{}
	for i, n := range c.LocalsPlusNames {
		if _, ok := slot[n]; !ok {
			slot[n] = i
		}
	}
	bound := make([]bool, len(c.LocalsPlusNames))
	for i := range c.ParameterCount() {
		bound[i] = true
	}
	at := make([][]bool, len(f.Instrs))
	handler := make([]int, len(f.Instrs))
	for i := range handler {
		handler[i] = -1
	}
	for _, h := range f.Handlers {
		for i := h.Start; i < h.End; i++ {
			handler[i] = h.Target
		}
	}
	work := []int{0}
	at[0] = bound
	flow := func(i int, b []bool) {
		if i >= len(at) {
			return
		}
		if at[i] == nil {
			at[i] = slices.Clone(b)
			work = append(work, i)
			return
		}
		changed := false
		for k, x := range b {
			if at[i][k] && !x {
				at[i][k], changed = false, true
			}
		}
		if changed {
			work = append(work, i)
		}
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		b := slices.Clone(at[i])
		in := &f.Instrs[i]
		if handler[i] >= 0 {
			flow(handler[i], b)
		}
		switch in.Op {
		case opcode.LoadFast, opcode.StoreFast:
			b[slot[in.Name]] = true
		case opcode.DeleteFast, opcode.LoadFastAndClear:
			b[slot[in.Name]] = false
		}
		if in.Target >= 0 {
			flow(in.Target, b)
		}
		if in.Op.FallsThrough() {
			flow(i+1, b)
		}
	}
	for i := range f.Instrs {
		if in := &f.Instrs[i]; in.Op == opcode.LoadFast && (at[i] == nil || !at[i][slot[in.Name]]) {
			in.Arg = 1
		}
	}
}
