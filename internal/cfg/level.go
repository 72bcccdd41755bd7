package cfg

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/pyc"
)

// level is a height of the stack, counted from where the function begins, or up to 3.10
// a handler.
type level struct {
	from   *Block
	height int
}

// outLevels are the levels at which a block begins, and at which it leads to Next and to Taken.
type outLevels struct{ in, next, taken level }

// levels finds the levels at the end of every reachable block. They tell the copies of a
// finally body apart that raise: one of them has the value of a `return` below it.
func levels(g *Graph) map[*Block]outLevels {
	start := map[*Block]level{g.Entry: {from: g.Entry}}
	end := map[*Block]outLevels{}
	work := []*Block{g.Entry}
	reach := func(b *Block, l level) {
		if _, seen := start[b]; b != nil && !seen {
			start[b] = l
			work = append(work, b)
		}
	}
	v := g.Func.Code.Version
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		l := start[b]
		if b.Exc != nil {
			reach(b.Exc.Handler, g.handlerLevel(b.Exc, end))
		}
		taken := l
		for i := range b.Instrs {
			taken = g.behind(v, l, &b.Instrs[i], true)
			l = g.behind(v, l, &b.Instrs[i], false)
		}
		end[b] = outLevels{start[b], l, taken}
		reach(b.Next, l)
		reach(b.Taken, taken)
	}
	return end
}

// handlerLevel is the level at which r's handler begins; end has those of the blocks in front of r.
func (g *Graph) handlerLevel(r *Region, end map[*Block]outLevels) level {
	if out, known := end[r.Setup]; r.Depth < 0 && known {
		const excs = 6 // the exception, and the one handled before
		l := level{out.next.from, out.next.height + excs}
		if r.Kind == RegionWith || r.Kind == RegionAsyncWith {
			l.height-- // what __enter__ has returned
		}
		return l
	}
	if r.Depth < 0 {
		return level{from: r.Handler}
	}
	l := level{g.Entry, r.Depth + 1}
	if r.Lasti {
		l.height++
	}
	return l
}

// waits reports whether a value of r's body, which is to be returned, is on the stack
// where a way out of r begins.
func (w *way) waits(g *Graph, r *Region, all map[*Block]outLevels) bool {
	here := all[w.from].next
	if w.slot == &w.from.Taken {
		here = all[w.from].taken
	}
	below := level{g.Entry, r.Depth}
	if r.Depth < 0 {
		below = all[r.Setup].next
	}
	return here.from == below.from && here.height > below.height
}

// behind is the level behind an instruction, by its jump or without.
func (g *Graph) behind(v pyc.Version, l level, in *bytecode.Instr, taken bool) level {
	pop, push := bytecode.StackEffect(v, in, taken)
	if in.Op == CaseTest && in.Arg >= 0 && in.Arg < len(g.Cases) { // code that no compiler made has others
		pop, push = g.Cases[in.Arg].effect()
	}
	l.height += push - pop
	return l
}

// effect returns how many values the folded instruction pops and pushes.
func (c *Case) effect() (pop, push int) {
	if c.Last {
		pop = 1
	}
	if c.Pattern != nil && !c.Irrefutable && !c.Never {
		push = 1
	}
	return pop, push
}
