package equiv

import (
	"maps"
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// sameMeaning is a second opinion, much simpler than Compare: the reachable
// instructions of both codes, in layout order, are the same list but for operands
// that nothing reads. If it says yes, a change is a true no-op; if it says no, a
// test looks closer.
func sameMeaning(a, b *pyc.Code) bool {
	x, err := bytecode.Decode(a)
	if err != nil {
		return false
	}
	y, err := bytecode.Decode(b)
	if err != nil {
		return false
	}
	return sameMeaningFuncs(x, y)
}

func sameMeaningFuncs(x, y *bytecode.Func) bool {
	ends := finallies(x.Instrs)
	others := ends // a change of dead code may leave brackets open
	if len(x.Instrs) != len(y.Instrs) {
		others = finallies(y.Instrs)
	}
	return slices.EqualFunc(reachable(x, ends), reachable(y, others), func(p, q plain) bool {
		return p.in.Op == q.in.Op && p.in.Arg == q.in.Arg && p.in.Flag == q.in.Flag && p.in.Name == q.in.Name &&
			constEqual(p.in.Const, q.in.Const, func(a, b *pyc.Code) bool { return a == b }) &&
			p.target == q.target && p.handler == q.handler && p.depth == q.depth
	})
}

// plain is an instruction without its places; target and handler count reachable
// instructions.
type plain struct {
	in                     *bytecode.Instr
	target, handler, depth int
}

// endless reports whether i is a SETUP_LOOP of 3.7 with no BREAK_LOOP between it and its target.
func endless(in []bytecode.Instr, i int) bool {
	return in[i].Op == opcode.SetupLoop && in[i].Target > i &&
		!slices.ContainsFunc(in[i:in[i].Target], func(x bytecode.Instr) bool { return x.Op == opcode.BreakLoop })
}

// finallies tells for each END_FINALLY of 3.7 and 3.8 which instruction must be reached for control to go on behind it: the
// one in front of the handler that it ends, -1 for a handler of clauses. They are nested like brackets.
func finallies(in []bytecode.Instr) map[int]int {
	out := map[int]int{}
	var open []int
	for i := range in {
		switch op := in[i].Op; {
		case op.SetsUp():
			open = append(open, i)
		case op == opcode.EndAsyncFor && len(open) > 0:
			open = open[:len(open)-1]
		case op == opcode.EndFinally && len(open) > 0:
			setup := &in[open[len(open)-1]]
			open = open[:len(open)-1]
			switch first := in[setup.Target].Op; {
			case setup.Op != opcode.SetupFinally && setup.Op != opcode.SetupExcept:
			case first == opcode.Copy || first == opcode.Pop:
				out[i] = -1
			default:
				out[i] = setup.Target - 1
			}
		}
	}
	return out
}

func reachable(f *bytecode.Func, ends map[int]int) []plain {
	seen := make([]bool, len(f.Instrs)+1)
	ends = maps.Clone(ends)
	handler := func(i int) *bytecode.Handler {
		if f.Instrs[i].Op.Silent() {
			return nil
		}
		for k := range f.Handlers {
			if h := &f.Handlers[k]; h.Start <= i && i < h.End {
				return h
			}
		}
		return nil
	}
	var visit func(i int)
	visit = func(i int) {
		for ; i < len(f.Instrs) && !seen[i]; i++ {
			seen[i] = true
			x := &f.Instrs[i]
			if h := handler(i); h != nil {
				visit(h.Target)
			}
			if x.Target >= 0 && !endless(f.Instrs, i) {
				visit(x.Target)
			}
			switch x.Op {
			case opcode.Jump, opcode.Return, opcode.Raise, opcode.Reraise, opcode.ContinueLoop, opcode.BreakLoop:
				return
			}
			if _, waits := ends[i]; waits {
				return
			}
		}
	}
	visit(0)
	for more := true; more; {
		more = false
		for end, front := range ends {
			if seen[end] && front >= 0 && seen[front] && f.Instrs[front].Op.FallsThrough() {
				delete(ends, end)
				visit(end + 1)
				more = true
			}
		}
	}
	number := make([]int, len(f.Instrs)+1)
	n := 0
	idle := func(i int) bool {
		op := f.Instrs[i].Op
		return op == opcode.Nop || op == opcode.Resume || op == opcode.Jump
	}
	for i := range f.Instrs {
		number[i] = n
		if seen[i] && !idle(i) {
			n++
		}
	}
	// A jump is where it leads.
	through := func(i int) int {
		for range f.Instrs {
			switch {
			case i >= len(f.Instrs) || !idle(i):
				return number[i]
			case f.Instrs[i].Op == opcode.Jump:
				i = f.Instrs[i].Target
			default:
				i++
			}
		}
		return -2
	}
	number[len(f.Instrs)] = n
	var out []plain
	for i := range f.Instrs {
		if !seen[i] || idle(i) {
			continue
		}
		in := f.Instrs[i]
		p := plain{in: &in, target: -1, handler: -1}
		if in.Target >= 0 {
			p.target = through(in.Target)
		}
		if h := handler(i); h != nil {
			p.handler, p.depth = through(h.Target), h.Depth<<1
			if h.Lasti {
				p.depth++
			}
		}
		switch in.Op {
		case opcode.Return, opcode.Raise, opcode.Reraise:
		default:
			// Where it falls through to, if a jump follows.
			if _, waits := ends[i]; !waits && i+1 < len(f.Instrs) && p.target < 0 {
				p.target = -10 - through(i+1)
			}
		}
		out = append(out, p)
	}
	return out
}
