package lower

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// state is what is known before an instruction: the depth of the stack, the regions around.
type state struct {
	depth    int
	handlers []region
}

type region struct {
	to    label
	depth int
	lasti bool
}

// thread finds the tests that lead to another one of their value and kind. They are sent past it, and lose their row of
// the exception table (3.14, which makes the jump anew without it: jump_thread in Python/flowgraph.c).
func (u *unit) thread() {
	for i := range u.list {
		if !u.list[i].keeps {
			continue
		}
		test := u.list[i : i+3] // the pop behind them keeps its row
		if next := u.labels[test[2].to]; next < len(u.list) && u.list[next].keeps && u.list[next+2].Op == test[2].Op {
			for k := range test {
				test[k].bare = true
			}
		}
	}
}

// handlers makes the exception table: it follows the pseudo operations along every path
// (label_exception_targets and calculate_stackdepth in Python/flowgraph.c).
func (l *lowerer) handlers(u *unit, f *bytecode.Func, shift int) []bytecode.Handler {
	n := len(u.list)
	at := make([]state, n)
	for i := range at {
		at[i].depth = -1 // not reached
	}
	var work []int
	flow := func(i int, s state) {
		if i >= n {
			giveUp("code without an end")
		}
		if at[i].depth < 0 {
			at[i] = s
			work = append(work, i)
		} else if at[i].depth != s.depth {
			giveUp("stack depths %d and %d at %d (%s)", at[i].depth, s.depth, i, u.list[i].Op)
		}
	}
	depth := 0
	switch {
	case u.iterates && u.s.asyncFirst:
		depth = 1
	case u.iterates:
		depth = l.v.IteratorSlots()
	}
	flow(0, state{depth: depth})
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		in, s := &u.list[i], at[i]
		switch in.pseudo {
		case setup, setupCleanup, setupWith:
			r := region{in.to, s.depth, in.pseudo != setup}
			if in.pseudo == setupWith {
				r.depth--
			}
			s.handlers = append(slices.Clip(slices.Clone(s.handlers)), r)
			d := r.depth + 1
			if r.lasti {
				d++
			}
			outer := at[i].handlers
			flow(u.labels[in.to], state{d, outer})
			flow(i+1, s)
			continue
		case popBlock:
			if len(s.handlers) == 0 {
				giveUp("a region ends that did not begin")
			}
			s.handlers = s.handlers[:len(s.handlers)-1]
			flow(i+1, s)
			continue
		}
		x := &f.Instrs[i+shift]
		if x.Op == opcode.Raise || x.Op == opcode.Reraise || x.Op == opcode.Return {
			continue
		}
		if in.to != 0 {
			pop, push := bytecode.StackEffect(l.v, x, true)
			flow(u.labels[in.to], state{s.depth - pop + push, s.handlers})
		}
		if in.Op.FallsThrough() {
			pop, push := bytecode.StackEffect(l.v, x, false)
			flow(i+1, state{s.depth - pop + push, s.handlers})
		}
	}
	var out []bytecode.Handler
	for i := range u.list {
		if at[i].depth < 0 || len(at[i].handlers) == 0 || u.list[i].pseudo != real || u.list[i].bare {
			continue
		}
		r := at[i].handlers[len(at[i].handlers)-1]
		h := bytecode.Handler{Start: i + shift, End: i + shift + 1, Target: u.labels[r.to] + shift, Depth: r.depth, Lasti: r.lasti}
		if k := len(out) - 1; k >= 0 && out[k].End == h.Start && out[k].Target == h.Target && out[k].Depth == h.Depth && out[k].Lasti == h.Lasti {
			out[k].End = h.End
			continue
		}
		out = append(out, h)
	}
	return out
}
