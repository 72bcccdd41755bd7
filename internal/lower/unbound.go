package lower

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// checkLoads marks the loads of variables that may be unbound (3.12+,
// add_checks_for_loads_of_uninitialized_variables in Python/flowgraph.c). A store may be unsure to leave a value.
func checkLoads(f *bytecode.Func, unsure func(i int) bool) {
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
	handler := make([]int32, len(f.Instrs))
	for i := range handler {
		handler[i] = -1
	}
	joins := make([]bool, len(f.Instrs)) // control comes there by a jump
	for _, h := range f.Handlers {
		joins[h.Target] = true
		for i := h.Start; i < h.End; i++ {
			handler[i] = int32(h.Target)
		}
	}
	for i := range f.Instrs {
		if t := f.Instrs[i].Target; t >= 0 && t < len(joins) { // the place of dead code's jump may be the end
			joins[t] = true
		}
	}
	at := map[int][]bool{0: bound} // what is bound where control may come from several places
	work := []int{0}
	flow := func(i int, b []bool) {
		have, known := at[i]
		if !known {
			at[i] = slices.Clone(b)
			work = append(work, i)
			return
		}
		changed := false
		for k, x := range b {
			if have[k] && !x {
				have[k], changed = false, true
			}
		}
		if changed {
			work = append(work, i)
		}
	}
	visited := make([]bool, len(f.Instrs))
	b := make([]bool, len(bound))
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		copy(b, at[i])
		for ; i < len(f.Instrs); i++ {
			in := &f.Instrs[i]
			visited[i] = true
			if handler[i] >= 0 {
				flow(int(handler[i]), b)
			}
			switch in.Op {
			case opcode.LoadFast:
				if k := slot[in.Name]; !b[k] {
					in.Arg = 1 // on one way, so that it is on all
					b[k] = true
				}
			case opcode.StoreFast:
				b[slot[in.Name]] = !unsure(i)
			case opcode.DeleteFast, opcode.LoadFastAndClear:
				b[slot[in.Name]] = false
			}
			if in.Target >= 0 && in.Target < len(joins) {
				flow(in.Target, b)
			}
			if !in.Op.FallsThrough() {
				break
			}
			if i+1 < len(joins) && joins[i+1] {
				flow(i+1, b)
				break
			}
		}
	}
	for i := range f.Instrs {
		if in := &f.Instrs[i]; in.Op == opcode.LoadFast && !visited[i] {
			in.Arg = 1
		}
	}
}
