package cfg

import (
	"fmt"
	"sort"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// Build makes the control-flow graph of f. Its regions are the bodies of the source's statements.
func Build(f *bytecode.Func) (*Graph, error) { return build(f, false) }

// BuildAsRun is Build with regions that cover what the handlers cover at run time: from 3.9 to
// 3.10 that is less than the body, whose jumps out have copies of what they run on the way.
func BuildAsRun(f *bytecode.Func) (*Graph, error) { return build(f, true) }

func build(f *bytecode.Func, asRun bool) (*Graph, error) {
	n := len(f.Instrs)
	if n == 0 {
		return nil, fmt.Errorf("code object %q has no instructions", f.Code.Name)
	}
	g := &Graph{Func: f}
	var exc []*protRegion
	var bs *blockStack
	var caught []bool           // an except clause ends normally behind the instruction
	var jumps map[int]opcode.Op // a `break` or `continue` leaves a clause with it
	var err error
	if f.Code.Version.HasExceptionTable() {
		exc = tableRegions(f)
		g.Stray = closeGaps(f, exc)
		caught, jumps = tableCaught(f)
	} else {
		bs, err = simulateBlocks(f)
		if err != nil {
			return nil, err
		}
		exc = bs.textRegions(asRun)
		caught, jumps = bs.caught, bs.leaps()
	}
	leader := make([]bool, n+1)
	leader[0] = true
	for i := range f.Instrs {
		in := &f.Instrs[i]
		if in.Target >= n {
			return nil, fmt.Errorf("jump at offset %d leaves the code", in.Offset)
		}
		switch {
		case in.Op.Conditional(), in.Op == opcode.Jump, in.Op == opcode.ContinueLoop,
			in.Op == opcode.BreakLoop, in.Op == opcode.CallFinally:
			if in.Target >= 0 {
				leader[in.Target] = true
			}
			leader[i+1] = true
		case in.Op.Exits(), in.Op == opcode.EndFinally:
			leader[i+1] = true
		case in.Op == opcode.SetupLoop:
			leader[in.Target] = true
			leader[i+1] = true // the stack that BREAK_LOOP restores is the block's exit stack
		case in.Op == opcode.PopBlock && (bs.leavesFinally(i) || bs.ends[i] != nil):
			leader[i+1] = true // code that is no part of the body follows
		case in.Target >= 0: // SETUP_*
			leader[in.Target] = true
			leader[i+1] = true
		}
		if caught[i] || jumps[i] != opcode.Invalid {
			leader[i+1] = true // code behind the try statement follows
		}
		if i > 0 && exc[i] != exc[i-1] {
			leader[i] = true
		}
		if r := exc[i]; r != nil {
			leader[r.target] = true
		}
	}
	at := make([]*Block, n+1)
	for i := 0; i < n; {
		j := i + 1
		for j < n && !leader[j] {
			j++
		}
		b := &Block{ID: len(g.Blocks), Instrs: f.Instrs[i:j:j]}
		at[i] = b
		g.Blocks = append(g.Blocks, b)
		i = j
	}
	g.Entry = g.Blocks[0]
	regions := map[*protRegion]*Region{}
	var region func(r *protRegion) *Region
	region = func(r *protRegion) *Region {
		if r == nil {
			return nil
		}
		if x := regions[r]; x != nil {
			return x
		}
		x := &Region{ID: -1, Kind: r.kind, Handler: at[r.target], Depth: r.depth, Lasti: r.lasti}
		regions[r] = x
		x.Parent = region(r.parent)
		x.ID = len(g.Regions)
		g.Regions = append(g.Regions, x)
		return x
	}
	pos := 0
	var off []*Block            // end where the code ends
	setupAt := map[int]*Block{} // the block that ends with the instruction
	for _, b := range g.Blocks {
		b.Exc = region(exc[pos])
		pos += len(b.Instrs)
		last := b.Last()
		switch {
		case last.Op.Conditional():
			b.Taken = at[last.Target]
			b.Next = at[pos]
		case last.Op == opcode.Jump, last.Op == opcode.ContinueLoop, last.Op == opcode.BreakLoop:
			if last.Target >= 0 {
				b.Next = at[last.Target]
			}
		case last.Op.Exits():
		default:
			b.Next = at[pos]
		}
		if b.Next == nil && !last.Op.Exits() && last.Op != opcode.BreakLoop /* unreachable code */ {
			off = append(off, b)
		}
		setupAt[pos-1] = b
		b.Caught, b.Leaps = caught[pos-1], jumps[pos-1]
		if bs != nil {
			if last.Op == opcode.SetupLoop {
				b.LoopEnd = at[last.Target]
			}
			if r := bs.ends[pos-1]; r != nil {
				b.Ends = region(r)
			}
			if k, ok := bs.loopOf[pos-1]; ok {
				b.LoopSetup = setupAt[k]
			}
			if last.Op == opcode.PopBlock && bs.leavesFinally(pos-1) {
				b.Leaves = region(bs.pops[pos-1])
			}
		}
	}
	for r, x := range regions {
		if r.setup >= 0 {
			x.Setup = setupAt[r.setup]
		}
	}
	g.ComputePreds()
	for _, b := range off {
		if !b.Dead { // 3.8 leaves unreachable code behind a finally body that returns
			return nil, fmt.Errorf("control runs off the end of the code at offset %d", b.Last().Offset)
		}
	}
	return g, nil
}

// protRegion is a region before blocks exist; all numbers are instruction
// indices.
type protRegion struct {
	kind   RegionKind
	target int
	parent *protRegion
	depth  int
	lasti  bool
	setup  int
}

// tableRegions assigns to each instruction its region, from the 3.11+ table.
//
// The table is flat: for each instruction it gives the innermost handler only.
// The parent of a region is the region that would see the exception if the
// handler let it pass: the one that covers the handler's clean-up code. The
// compiler protects a handler body by a clean-up entry (COPY 3; POP_EXCEPT;
// RERAISE) whose own protection is the parent.
func tableRegions(f *bytecode.Func) []*protRegion {
	n := len(f.Instrs)
	row := make([]int, n)
	for i := range row {
		row[i] = -1
	}
	// Later rows never overlap earlier ones in what the compiler writes; for
	// hand-made tables the first row that covers an instruction wins, as in
	// get_exception_handler (Python/ceval.c).
	order := make([]int, len(f.Handlers))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return f.Handlers[order[a]].Start < f.Handlers[order[b]].Start })
	for _, k := range order {
		h := f.Handlers[k]
		for i := h.Start; i < h.End && i < n; i++ {
			if i >= 0 && row[i] < 0 && h.Target >= 0 && h.Target < n {
				row[i] = k
			}
		}
	}
	type key struct {
		target, depth int
		lasti         bool
	}
	made := map[key]*protRegion{}
	busy := map[key]bool{}
	var get func(k int) *protRegion
	get = func(k int) *protRegion {
		if k < 0 {
			return nil
		}
		h := f.Handlers[k]
		id := key{h.Target, h.Depth, h.Lasti}
		if r := made[id]; r != nil {
			return r
		}
		if busy[id] {
			return nil // a handler that protects itself: hand-made
		}
		busy[id] = true
		r := &protRegion{kind: RegionTable, target: h.Target, depth: h.Depth, lasti: h.Lasti, setup: -1}
		p := row[h.Target]
		if p >= 0 && isCleanup(f, f.Handlers[p].Target) {
			p = row[f.Handlers[p].Target]
		}
		r.parent = get(p)
		delete(busy, id)
		made[id] = r
		return r
	}
	out := make([]*protRegion, n)
	for i := range out {
		out[i] = get(row[i])
	}
	return out
}

// isCleanup recognises COPY 3; POP_EXCEPT; RERAISE, which the compiler puts
// behind every handler to restore the previous exception.
func isCleanup(f *bytecode.Func, i int) bool {
	for i < len(f.Instrs) && f.Instrs[i].Op == opcode.Nop {
		i++
	}
	return i+2 < len(f.Instrs) && f.Instrs[i].Op == opcode.Copy && f.Instrs[i].Arg == 3 &&
		f.Instrs[i+1].Op == opcode.PopExcept && f.Instrs[i+2].Op == opcode.Reraise
}
