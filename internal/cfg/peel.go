package cfg

import (
	"cmp"
	"math"
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// PeelResumed makes loops of functions that are entered in the middle of one.
//
// torch.compile's resume functions jump into the body of the loop in which the
// graph broke, with the running iterator on the stack. The rest of that turn is
// copied in front of the loop, which is then entered at its head:
//
//	jump M                            M': rest of the body
//	F: ForIter … M: rest; jump F  →   F: ForIter … M: rest; jump F
func PeelResumed(g *Graph) {
	if !entersAtOnce(g.Entry) {
		return
	}
	for range 8 { // one turn of each loop around, from the outermost
		at, ok := peelOne(g)
		if !ok {
			return
		}
		markIterator(g, at)
	}
}

// markIterator says of the value that the entry puts on the stack at that height that it is
// a running iterator: iter() of one is itself.
func markIterator(g *Graph, at int) {
	b, l := g.Entry, level{from: g.Entry}
	for i := range b.Instrs {
		l = g.behind(g.Func.Code.Version, l, &b.Instrs[i], false)
		if l.height != at+1 || b.Instrs[i].Op != opcode.LoadFast {
			continue
		}
		get := b.Instrs[i]
		get.Op, get.Name, get.Arg = opcode.GetIter, "", 1
		b.Instrs = slices.Insert(slices.Clip(b.Instrs), i+1, get)
		return
	}
}

// entersAtOnce reports whether b only puts arguments on the stack.
func entersAtOnce(b *Block) bool {
	last := b.Last()
	if last == nil || last.Op != opcode.Jump {
		return false
	}
	for i := range b.Instrs {
		switch b.Instrs[i].Op {
		case opcode.CopyFreeVars, opcode.Resume, opcode.MakeCell, opcode.LoadFast, opcode.LoadConst, opcode.StoreFast, opcode.GetIter, opcode.Nop, opcode.Jump, opcode.PushNull:
		default:
			return false
		}
	}
	return true
}

// peelOne peels the outermost loop whose iterator the entry hands over, and tells where on the stack that is.
func peelOne(g *Graph) (at int, ok bool) {
	handling := handlersOnly(g)
	all := levels(g)
	best := math.MaxInt
	var peeled func() bool
	for _, head := range g.Blocks {
		if head.Dead || firstWork(head) != opcode.ForIter {
			continue // one behind its GET_ITER is of a loop that ends in its first turn
		}
		height, resumed := g.handedOver(head, all)
		if !resumed || height >= best {
			continue
		}
		cycle := g.cycleOf(head)
		if cycle == nil {
			continue
		}
		if entry := entryOf(cycle, handling); entry != nil && entry != head {
			best, peeled = height, func() bool { return peel(g, cycle, handling, entry, head, all) }
		}
	}
	if peeled == nil || !peeled() {
		return 0, false
	}
	return best, true
}

// handedOver tells how high on the stack the iterator of a loop lies, and whether it is one that the
// entry has put there: on some way to the loop's head it is not popped.
func (g *Graph) handedOver(head *Block, all map[*Block]outLevels) (height int, ok bool) {
	v := g.Func.Code.Version
	height = all[head].in.height - 1
	entry := all[g.Entry].next.height
	if height < 0 || height >= entry {
		return 0, false
	}
	for b, more := range Walk(g.Entry.Next) {
		if b == head {
			return height, true
		}
		l := all[b].in
		kept := true
		for i := range b.Instrs {
			pop, _ := bytecode.StackEffect(v, &b.Instrs[i], false)
			kept = kept && l.height-pop > height
			l = g.behind(v, l, &b.Instrs[i], false)
		}
		if !kept {
			continue
		}
		b.Succs(more)
		if r := b.Exc; r != nil && r.Depth > height {
			more(r.Handler)
		}
	}
	return 0, false
}

// cycleOf returns the blocks that head reaches and that reach head, if head is
// one of them. An exception is a way as well: a body that always raises comes back
// through its handler alone.
func (g *Graph) cycleOf(head *Block) map[*Block]bool {
	protected := map[*Block][]*Block{} // by their handler
	for _, b := range g.Blocks {
		if b.Exc != nil && !b.Dead {
			protected[b.Exc.Handler] = append(protected[b.Exc.Handler], b)
		}
	}
	walk := func(next func(*Block, func(*Block))) map[*Block]bool {
		seen := map[*Block]bool{}
		work := []*Block{head}
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			next(b, func(s *Block) {
				if !seen[s] && !s.Dead {
					seen[s] = true
					work = append(work, s)
				}
			})
		}
		return seen
	}
	down := walk(func(b *Block, f func(*Block)) {
		b.Succs(f)
		if b.Exc != nil {
			f(b.Exc.Handler)
		}
	})
	up := walk(func(b *Block, f func(*Block)) {
		for _, p := range b.Preds {
			f(p)
		}
		for _, p := range protected[b] {
			f(p)
		}
	})
	if !down[head] {
		return nil
	}
	for b := range down {
		if !up[b] {
			delete(down, b)
		}
	}
	return down
}

// entryOf returns the one block through which the cycle is entered, but for handlers, which
// are entered from its own statements.
func entryOf(cycle, handling map[*Block]bool) *Block {
	var entry *Block
	for b := range cycle {
		for _, p := range b.Preds {
			if !cycle[p] && !handling[p] {
				if entry != nil && entry != b {
					return nil
				}
				entry = b
			}
		}
	}
	return entry
}

// handlersOnly is the set of blocks that only an exception leads to.
func handlersOnly(g *Graph) map[*Block]bool {
	normal := map[*Block]bool{}
	for b, more := range Walk(g.Entry) {
		normal[b] = true
		b.Succs(more)
	}
	out := map[*Block]bool{}
	for _, b := range g.Blocks {
		out[b] = !b.Dead && !normal[b]
	}
	return out
}

// protects reports whether a statement within region outer protects a block of the set.
func protects(set map[*Block]bool, outer *Region) bool {
	for b := range set {
		if b.Exc != outer {
			return true
		}
	}
	return false
}

// besides is the set of blocks that are reached from head without entry.
func besides(head, entry *Block) map[*Block]bool {
	out := map[*Block]bool{}
	for b, more := range Walk(head) {
		if b != entry {
			out[b] = true
			b.Succs(more)
		}
	}
	return out
}

// peel copies what lies between entry and head in front of the loop, the statements that
// protect it included (3.11+). What leaves the loop with more on the stack than a turn begins with
// ends a statement that begins in the turn: it belongs to the copy.
func peel(g *Graph, cycle, handling map[*Block]bool, entry, head *Block, all map[*Block]outLevels) bool {
	turn := all[head].in.height
	copies := map[*Block]*Block{}
	regions := map[*Region]*Region{}
	// A way out of a protected statement belongs to it, up to where the function ends.
	apart := protects(cycle, entry.Exc)
	shared := besides(head, entry)
	known := len(g.Regions)
	var protect func(r *Region, more func(*Block)) *Region
	protect = func(r *Region, more func(*Block)) *Region {
		if r == entry.Exc || r == nil || regions[r] != nil {
			return cmp.Or(regions[r], r)
		}
		c := *r
		c.Parent = protect(r.Parent, more)
		c.ID = len(g.Regions) // behind its parent's
		regions[r] = &c
		g.Regions = append(g.Regions, &c)
		more(r.Handler)
		return &c
	}
	for b, more := range Walk(entry) {
		if b == head || !cycle[b] && !handling[b] && (shared[b] || !apart) && all[b].in.height <= turn {
			continue
		}
		hole := b.Exc == nil && !b.Raises() // CPython's table leaves out some jumps
		if !hole && (!b.Exc.Inside(entry.Exc) || b.Exc != entry.Exc && b.Exc.Kind != RegionTable) {
			g.Regions = g.Regions[:known]
			return false
		}
		c := *b
		c.own()
		c.Exc = protect(b.Exc, more)
		copies[b] = &c
		b.Succs(more)
	}
	for _, r := range regions {
		if r.Handler = copies[r.Handler]; r.Handler == nil {
			g.Regions = g.Regions[:known]
			return false // it lies in the loop as well
		}
	}
	to := func(s *Block) *Block {
		if c := copies[s]; c != nil {
			return c
		}
		return s
	}
	for _, c := range copies {
		c.Next, c.Taken = to(c.Next), to(c.Taken)
	}
	var out []*Block
	for _, b := range g.Blocks {
		out = append(out, b)
		if cycle[b] || copies[b] != nil || b.Dead {
			continue
		}
		b.Next, b.Taken = to(b.Next), to(b.Taken)
		if b == g.Entry {
			for _, x := range g.Blocks {
				if c := copies[x]; c != nil && !handling[x] {
					out = append(out, c)
				}
			}
		}
	}
	for _, x := range g.Blocks {
		if c := copies[x]; c != nil && handling[x] {
			out = append(out, c) // handlers stand at the end
		}
	}
	g.Blocks = out
	for i, b := range g.Blocks {
		b.ID = i
	}
	g.ComputePreds()
	return true
}
