package cfg

import (
	"fmt"
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// frame is one entry of the 3.7-3.10 block stack.
type frame struct {
	region *protRegion // nil for a loop or a running handler
	loop   int         // 3.7: where the loop ends, else -1
	setup  int         // 3.7: the SETUP_LOOP
	up     *frame
}

func (f *frame) innermost() *protRegion {
	for ; f != nil; f = f.up {
		if f.region != nil {
			return f.region
		}
	}
	return nil
}

// blockStack is what simulating the block stack of 3.7-3.10 has found. All
// numbers are instruction indices.
type blockStack struct {
	f      *bytecode.Func
	exact  []*protRegion       // the region that covers each instruction at run time
	live   []bool              // reached
	pops   map[int]*protRegion // POP_BLOCK: the region it ends
	loopOf map[int]int         // BREAK_LOOP, CONTINUE_LOOP: the loop's SETUP_LOOP
	setups []*protRegion       // in order of discovery
	caught []bool              // an except clause ends normally behind the instruction
	ends   map[int]*protRegion // the region whose body ends normally at this POP_BLOCK

	work    []reached    // edges still to be followed
	targets map[int]bool // the instructions that jumps lead to: see findCaught
}

// simulateBlocks simulates the block stack along every edge. Where paths
// disagree, which happens only for the entry of a running handler that a
// shared `finally` body sees on one of them, the first path visited decides.
func simulateBlocks(f *bytecode.Func) (*blockStack, error) {
	n := len(f.Instrs)
	if f.Code.Version.SharesFinallyBody() {
		f.Instrs = slices.Clone(f.Instrs) // normalEntry and leaveLoop change some
	}
	bs := &blockStack{f: f, exact: make([]*protRegion, n), live: make([]bool, n), caught: make([]bool, n), pops: map[int]*protRegion{}, loopOf: map[int]int{}, ends: map[int]*protRegion{}}
	bs.push(0, nil)
	for len(bs.work) > 0 {
		it := bs.work[len(bs.work)-1]
		bs.work = bs.work[:len(bs.work)-1]
		for i, st := it.i, it.st; i < n && !bs.live[i]; i++ {
			bs.live[i] = true
			bs.exact[i] = st.innermost()
			next, err := bs.execute(i, st)
			if err != nil {
				return nil, err
			}
			st = next
			in := &f.Instrs[i]
			if !in.Op.FallsThrough() {
				break
			}
		}
	}
	bs.findLeaving()
	bs.findCaught()
	return bs, nil
}

// findLeaving finds the finally clauses whose first statement leaves by itself (3.9, 3.10). Their handlers drop the
// exception at once, as that of a bare except does, but on the line of that statement: the ways out go on there, too.
//
//	POP_BLOCK; LOAD_CONST None; RETURN_VALUE               line 4
//	POP_TOP (3); POP_EXCEPT; LOAD_CONST None; RETURN_VALUE line 4
func (bs *blockStack) findLeaving() {
	if bs.f.Code.Version.SharesFinallyBody() {
		return
	}
	ins := bs.f.Instrs
	for i, r := range bs.pops {
		h, k := &ins[r.target], i+1
		for k < len(ins) && (ins[k].Op == opcode.Nop || ins[k].Op == opcode.PopBlock) && ins[k].Pos.Line != h.Pos.Line {
			k++ // of a `break` that leaves statements around no more than their ends bear its line
		}
		if k < len(ins) && r.kind == RegionExcept && h.Op == opcode.Pop && h.Pos.Line > 0 && ins[k].Pos.Line == h.Pos.Line {
			r.kind = RegionFinally
		}
	}
}

// reached is an instruction that an edge leads to, and the block stack there.
type reached struct {
	i  int
	st *frame
}

// push notes an edge to instruction i.
func (bs *blockStack) push(i int, st *frame) {
	if i >= 0 && i < len(bs.live) && !bs.live[i] {
		bs.work = append(bs.work, reached{i, st})
	}
}

// execute does to the block stack what instruction i does, and follows its jump; next is the stack behind it.
func (bs *blockStack) execute(i int, st *frame) (next *frame, err error) {
	in := &bs.f.Instrs[i]
	switch {
	case in.Op.SetsUp():
		r := &protRegion{kind: bs.kindOf(in), target: in.Target, parent: st.innermost(), depth: -1, setup: i}
		bs.setups = append(bs.setups, r)
		bs.normalEntry(r)
		bs.push(in.Target, &frame{loop: -1, up: st}) // the running handler's own entry
		return &frame{region: r, loop: -1, up: st}, nil
	case in.Op == opcode.SetupLoop:
		bs.push(in.Target, st)
		return &frame{loop: in.Target, setup: i, up: st}, nil
	case in.Op == opcode.PopBlock:
		for st != nil && st.region == nil && st.loop < 0 {
			st = st.up
		}
		if st != nil {
			if st.region != nil {
				bs.pops[i] = st.region
			}
			st = st.up
		}
	case in.Op == opcode.PopExcept, in.Op == opcode.EndFinally, in.Op == opcode.PopFinally:
		if st != nil && st.region == nil && st.loop < 0 {
			st = st.up
		}
	case in.Op == opcode.BreakLoop, in.Op == opcode.ContinueLoop:
		return st, bs.leaveLoop(i, st)
	}
	if in.Target >= 0 && in.Op != opcode.CallFinally {
		bs.push(in.Target, st)
	}
	return st, nil
}

// kindOf is the kind of the statement that a SETUP opens.
func (bs *blockStack) kindOf(in *bytecode.Instr) RegionKind {
	switch in.Op {
	case opcode.SetupExcept:
		return RegionExcept
	case opcode.SetupWith:
		return RegionWith
	case opcode.SetupAsyncWith:
		return RegionAsyncWith
	}
	if startsExcept(bs.f, in.Target) {
		return RegionExcept // since 3.8 one instruction opens both
	}
	return RegionFinally
}

// leaveLoop follows BREAK_LOOP and CONTINUE_LOOP (3.7) to where the innermost loop of the stack says.
func (bs *blockStack) leaveLoop(i int, st *frame) error {
	in := &bs.f.Instrs[i]
	for st != nil && st.loop < 0 {
		st = st.up
	}
	if st == nil {
		return fmt.Errorf("%v outside a loop at offset %d", in.Op, in.Offset)
	}
	bs.loopOf[i] = st.setup
	if in.Op == opcode.ContinueLoop {
		bs.push(in.Target, st)
		return nil
	}
	in.Target = st.loop
	bs.push(st.loop, st.up)
	return nil
}

// startsExcept reports whether the handler at i belongs to except clauses: it
// copies the exception to test it, or drops it (a bare except). The body of a
// finally clause begins with a statement of its own, on an empty stack.
func startsExcept(f *bytecode.Func, i int) bool {
	if i = behindNops(f.Instrs, i); i >= len(f.Instrs) {
		return false
	}
	switch f.Instrs[i].Op {
	case opcode.Copy, opcode.Pop, opcode.EndAsyncFor:
		return true
	}
	return false
}

// leavesFinally reports whether instruction i is a POP_BLOCK behind which 3.9
// and 3.10 put a copy of the finally body.
func (bs *blockStack) leavesFinally(i int) bool {
	if bs == nil || bs.f.Code.Version.SharesFinallyBody() {
		return false
	}
	r := bs.pops[i]
	return r != nil && r.kind == RegionFinally
}

// normalEntry marks the value that the normal way into a shared finally body
// pushes in place of an exception: 3.7 uses a plain None.
func (bs *blockStack) normalEntry(r *protRegion) {
	if !bs.f.Code.Version.SharesFinallyBody() || r.kind == RegionExcept || r.target == 0 {
		return
	}
	if !bs.f.Code.Version.HasLoopBlocks() {
		// 3.8 reserves a slot below a try whose finally clause is left by a
		// jump; nothing reads it.
		if r.setup > 0 && r.kind == RegionFinally {
			in := &bs.f.Instrs[r.setup-1]
			if _, none := in.Const.(pyc.None); none && in.Op == opcode.LoadConst {
				in.Op, in.Const = opcode.PushNull, nil
			}
		}
		return
	}
	in := &bs.f.Instrs[r.target-1]
	if _, none := in.Const.(pyc.None); none && in.Op == opcode.LoadConst {
		in.Op, in.Const = opcode.BeginFinally, nil
	}
}
