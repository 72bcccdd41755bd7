package equiv

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// unbrokenLoops are the SETUP_LOOPs of 3.7 whose target nothing leads to: only BREAK_LOOP goes there (WHY_BREAK in CPython's
// Python/ceval.c), and what stands behind a loop that nothing breaks is dead, unless the loop's own end leads on to it. It is
// empty where the blocks that an instruction stands in depend on the way to it, as in no code of CPython's.
func unbrokenLoops(in []bytecode.Instr) map[int]bool {
	out := map[int]bool{}
	blocks := make([][]int, len(in)) // of the SETUPs around each instruction, innermost last
	seen := make([]bool, len(in))
	work := []int{}
	static := true
	reach := func(i int, stack []int) {
		switch {
		case i < 0 || i >= len(in):
		case seen[i]:
			static = static && slices.Equal(blocks[i], stack)
		default:
			seen[i], blocks[i] = true, stack
			work = append(work, i)
		}
	}
	// loop cuts a stack behind the innermost loop; it is empty where there is none.
	loop := func(stack []int) []int {
		for len(stack) > 0 && in[stack[len(stack)-1]].Op != opcode.SetupLoop {
			stack = stack[:len(stack)-1]
		}
		return stack
	}
	reach(0, nil)
	broken := map[int]bool{}
	for len(work) > 0 && static {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		x, stack := &in[i], blocks[i]
		inside := stack
		switch x.Op {
		case opcode.SetupLoop, opcode.SetupExcept, opcode.SetupFinally, opcode.SetupWith, opcode.SetupAsyncWith:
			inside = append(slices.Clip(stack), i)
			out[i] = x.Op == opcode.SetupLoop
		case opcode.PopBlock:
			if static = len(stack) > 0; !static {
				continue
			}
			inside = stack[:len(stack)-1]
		case opcode.BreakLoop:
			if at := loop(stack); len(at) > 0 {
				setup := at[len(at)-1]
				broken[setup] = true
				reach(in[setup].Target, at[:len(at)-1])
			} else {
				static = false
			}
		case opcode.ContinueLoop:
			stack = loop(stack)
		}
		if x.Op != opcode.SetupLoop {
			reach(x.Target, stack)
		}
		if x.Op.FallsThrough() {
			reach(i+1, inside)
		}
	}
	for i := range out {
		if !static || broken[i] || !out[i] {
			delete(out, i)
		}
	}
	return out
}
