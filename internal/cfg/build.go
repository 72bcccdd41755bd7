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
	if len(f.Instrs) == 0 {
		return nil, fmt.Errorf("code object %q has no instructions", f.Code.Name)
	}
	b := &graphBuilder{f: f, g: &Graph{Func: f}, regions: map[*protRegion]*Region{}}
	if err := b.protect(asRun); err != nil {
		return nil, err
	}
	leader, err := b.leaders()
	if err != nil {
		return nil, err
	}
	b.cut(leader)
	return b.g, b.link()
}

// graphBuilder makes a graph. What it knows of the code goes by instruction.
type graphBuilder struct {
	f       *bytecode.Func
	g       *Graph
	exc     []*protRegion           // the innermost region around the instruction
	stack   *blockStack             // ≤3.10
	caught  []bool                  // an except clause ends normally behind the instruction
	jumps   map[int]opcode.Op       // a `break` or `continue` leaves a clause with it
	at      []*Block                // the block that begins with the instruction
	regions map[*protRegion]*Region // what has been made of each
}

// protect finds which instructions are protected, and by what; asRun: as BuildAsRun has it.
func (b *graphBuilder) protect(asRun bool) (err error) {
	if b.f.Code.Version.HasExceptionTable() {
		if n := len(b.f.Instrs); len(b.f.Handlers) == 0 { // most functions
			b.exc, b.caught = make([]*protRegion, n), make([]bool, n)
			return nil
		}
		b.exc = tableRegions(b.f)
		b.g.Stray = closeGaps(b.f, b.exc)
		b.caught, b.jumps = tableCaught(b.f)
		return nil
	}
	if b.stack, err = simulateBlocks(b.f); err != nil {
		return err
	}
	b.exc = b.stack.textRegions(asRun)
	b.caught, b.jumps = b.stack.caught, b.stack.leaps()
	return nil
}

// leaders marks the instructions with which a block begins.
func (b *graphBuilder) leaders() ([]bool, error) {
	n := len(b.f.Instrs)
	leader := make([]bool, n+1)
	leader[0] = true
	for i := range b.f.Instrs {
		in := &b.f.Instrs[i]
		if in.Target >= n {
			return nil, fmt.Errorf("jump at offset %d leaves the code", in.Offset)
		}
		if in.Target >= 0 {
			leader[in.Target] = true
		}
		if b.endsBlock(i) {
			leader[i+1] = true
		}
		if i > 0 && b.exc[i] != b.exc[i-1] {
			leader[i] = true
		}
		if r := b.exc[i]; r != nil {
			leader[r.target] = true
		}
	}
	return leader, nil
}

// endsBlock reports whether a block ends with instruction i, whatever stands behind it.
func (b *graphBuilder) endsBlock(i int) bool {
	in := &b.f.Instrs[i]
	switch in.Op {
	case opcode.Jump, opcode.ContinueLoop, opcode.BreakLoop, opcode.CallFinally, opcode.EndFinally:
		return true
	case opcode.PopBlock: // perhaps code follows that is no part of the body
		if b.stack.leavesFinally(i) || b.stack.ends[i] != nil {
			return true
		}
	}
	// Behind what sets a block up the stack is what a jump to its handler, or BREAK_LOOP, restores;
	// behind the end of a clause follows what stands behind the try statement.
	return in.Target >= 0 || in.Op.Conditional() || in.Op.Exits() || b.caught[i] || b.jumps[i] != opcode.Invalid
}

// cut makes the blocks.
func (b *graphBuilder) cut(leader []bool) {
	n := len(b.f.Instrs)
	b.at = make([]*Block, n+1)
	blocks := 1
	for _, leads := range leader {
		if leads {
			blocks++
		}
	}
	room := make([]Block, 0, blocks)
	b.g.Blocks = make([]*Block, 0, blocks)
	for i := 0; i < n; {
		j := i + 1
		for j < n && !leader[j] {
			j++
		}
		room = append(room, Block{ID: len(room), Instrs: b.f.Instrs[i:j:j]})
		x := &room[len(room)-1]
		b.at[i] = x
		b.g.Blocks = append(b.g.Blocks, x)
		i = j
	}
	b.g.Entry = b.g.Blocks[0]
}

// region is what has become of a region, with those around it.
func (b *graphBuilder) region(r *protRegion) *Region {
	if r == nil {
		return nil
	}
	if x := b.regions[r]; x != nil {
		return x
	}
	x := &Region{ID: -1, Kind: r.kind, Handler: b.at[r.target], Depth: r.depth, Lasti: r.lasti}
	b.regions[r] = x
	x.Parent = b.region(r.parent)
	x.ID = len(b.g.Regions)
	b.g.Regions = append(b.g.Regions, x)
	return x
}

// link joins the blocks by their edges and puts them into their regions.
func (b *graphBuilder) link() error {
	pos := 0
	var off []*Block            // end where the code ends
	setupAt := map[int]*Block{} // the block that ends with the instruction
	for _, x := range b.g.Blocks {
		x.Exc = b.region(b.exc[pos])
		pos += len(x.Instrs)
		last := x.Last()
		b.edges(x, pos)
		if x.Next == nil && !last.Op.Exits() && last.Op != opcode.BreakLoop /* unreachable code */ {
			off = append(off, x)
		}
		setupAt[pos-1] = x
		x.Caught, x.Leaps = b.caught[pos-1], b.jumps[pos-1]
		if b.stack != nil {
			b.fromStack(x, pos-1, setupAt)
		}
	}
	for r, x := range b.regions {
		if r.setup >= 0 {
			x.Setup = setupAt[r.setup]
		}
	}
	b.g.ComputePreds()
	for _, x := range off {
		if !x.Dead { // 3.8 leaves unreachable code behind a finally body that returns
			return fmt.Errorf("control runs off the end of the code at offset %d", x.Last().Offset)
		}
	}
	return nil
}

// edges says where control goes from x; behind is the instruction behind it.
func (b *graphBuilder) edges(x *Block, behind int) {
	switch last := x.Last(); {
	case last.Op.Conditional():
		x.Taken, x.Next = b.at[last.Target], b.at[behind]
	case last.Op == opcode.Jump, last.Op == opcode.ContinueLoop, last.Op == opcode.BreakLoop:
		if last.Target >= 0 {
			x.Next = b.at[last.Target]
		}
	case last.Op.Exits():
	default:
		x.Next = b.at[behind]
	}
}

// fromStack notes what the stack of blocks tells of the block that ends with instruction last (≤3.10).
func (b *graphBuilder) fromStack(x *Block, last int, setupAt map[int]*Block) {
	in := &b.f.Instrs[last]
	if in.Op == opcode.SetupLoop {
		x.LoopEnd = b.at[in.Target]
	}
	if r := b.stack.ends[last]; r != nil {
		x.Ends = b.region(r)
	}
	if k, ok := b.stack.loopOf[last]; ok {
		x.LoopSetup = setupAt[k]
	}
	if in.Op == opcode.PopBlock && b.stack.leavesFinally(last) {
		x.Leaves = b.region(b.stack.pops[last])
	}
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
	out := make([]*protRegion, n)
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
	for i := range out {
		out[i] = get(row[i])
	}
	return out
}

// isCleanup recognises COPY 3; POP_EXCEPT; RERAISE, which the compiler puts
// behind every handler to restore the previous exception.
func isCleanup(f *bytecode.Func, i int) bool {
	i = behindNops(f.Instrs, i)
	return i+2 < len(f.Instrs) && f.Instrs[i].Op == opcode.Copy && f.Instrs[i].Arg == 3 &&
		f.Instrs[i+1].Op == opcode.PopExcept && f.Instrs[i+2].Op == opcode.Reraise
}
