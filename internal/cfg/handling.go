package cfg

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// handling counts, for the end of every reachable block, the exceptions that are
// being handled there: PUSH_EXC_INFO begins to handle one (up to 3.10 the way to the
// handler does), POP_EXCEPT is done with it. It tells the two copies of a finally body
// apart where their instructions are the same: one runs while an exception is handled.
func handling(g *Graph) map[*Block]int {
	return handlingAt(g, nil)
}

// handlerPlaces collects the places of the instructions that run while an
// exception is handled.
func handlerPlaces(g *Graph) map[bytecode.Pos]bool {
	places := map[bytecode.Pos]bool{}
	handlingAt(g, func(in *bytecode.Instr) { places[in.Pos] = true })
	return places
}

// handlingAt counts for handling, and calls inside, if there is one, for each
// instruction that runs while an exception is handled.
func handlingAt(g *Graph, inside func(*bytecode.Instr)) map[*Block]int {
	start := map[*Block]int{g.Entry: 0}
	end := map[*Block]int{}
	work := []*Block{g.Entry}
	entered := 0
	if g.Func.Code.Version.HasBlockStack() {
		entered = 1
	}
	reach := func(b *Block, n int) {
		if _, seen := start[b]; b != nil && !seen {
			start[b] = n
			work = append(work, b)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		n := start[b]
		if b.Exc != nil {
			reach(b.Exc.Handler, n+entered)
		}
		for i := range b.Instrs {
			if n > 0 && inside != nil {
				inside(&b.Instrs[i])
			}
			switch b.Instrs[i].Op {
			case opcode.PushExcInfo:
				n++
			case opcode.PopExcept:
				n--
			case opcode.EndAsyncFor:
				n -= entered // the loop's end is handled
			}
		}
		end[b] = n
		b.Succs(func(s *Block) { reach(s, n) })
	}
	return end
}
