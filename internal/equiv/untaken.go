package equiv

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// untakenEdges are the instructions of 3.7 and 3.8 behind which only what stands on the stack of blocks could lead on, and
// nothing there does:
//
//   - the SETUP_LOOPs that no BREAK_LOOP leaves (WHY_BREAK in CPython's Python/ceval.c): nothing jumps to their targets;
//   - the END_FINALLYs that find only exceptions, or only addresses to go back to: control does not go on behind them. That of
//     `e = None; del e` is one where the clause never ends normally, and that behind clauses, to raise what none has caught.
//
// What stands there is dead, unless something else leads to it. Every way through the code is followed with its own stack of
// blocks, since one finally clause runs with as many as there are ways into it. It is empty where the stacks are none of CPython's.
func untakenEdges(fn *bytecode.Func) map[int]bool {
	f := &blockFlow{in: fn.Instrs, made: map[openBlock]*openBlock{}, seen: map[blockState]bool{}, untaken: map[int]bool{}}
	if fn.Code.Version.HasLoopBlocks() {
		f.entered = map[int]bool{}
	}
	for i := range f.in {
		switch x := &f.in[i]; x.Op {
		case opcode.SetupLoop, opcode.EndFinally:
			f.untaken[i] = true
		case opcode.SetupFinally, opcode.SetupWith, opcode.SetupAsyncWith:
			if f.entered != nil {
				f.entered[x.Target-1] = true
			}
		}
	}
	if len(f.untaken) == 0 {
		return nil
	}
	f.reach(0, nil)
	for len(f.work) > 0 {
		s := f.work[len(f.work)-1]
		f.work = f.work[:len(f.work)-1]
		if len(f.seen) > 1000+64*len(f.in) || !f.execute(s.i, s.on) {
			return nil
		}
	}
	return f.untaken
}

// openBlock is an entry of the stack of blocks. Those with equal entries below are one, so that states are comparable.
type openBlock struct {
	setup int // the SETUP; for a handler that runs, handled or normally
	below *openBlock
}

// handlers that run, by openBlock.setup
const (
	handled  = -1 - iota // END_FINALLY does not go on: it raises an exception again, goes back, or goes on leaving blocks
	normally             // END_FINALLY goes on
)

type blockState struct {
	i  int
	on *openBlock
}

type blockFlow struct {
	in      []bytecode.Instr
	entered map[int]bool // 3.7: the instructions whose None enters the handler behind them normally
	made    map[openBlock]*openBlock
	seen    map[blockState]bool
	work    []blockState
	untaken map[int]bool
}

func (f *blockFlow) push(setup int, below *openBlock) *openBlock {
	k := openBlock{setup, below}
	if f.made[k] == nil {
		f.made[k] = &k
	}
	return f.made[k]
}

func (f *blockFlow) reach(i int, on *openBlock) {
	if s := (blockState{i, on}); i >= 0 && i < len(f.in) && !f.seen[s] {
		f.seen[s] = true
		f.work = append(f.work, s)
	}
}

// loop cuts a stack behind the innermost loop; it is nil where there is none.
func (f *blockFlow) loop(on *openBlock) *openBlock {
	for on != nil && (on.setup < 0 || f.in[on.setup].Op != opcode.SetupLoop) {
		on = on.below
	}
	return on
}

// execute follows the ways on from an instruction. It fails where the stack is none that the instruction can find.
func (f *blockFlow) execute(i int, on *openBlock) bool {
	x, next, taken := &f.in[i], on, on
	runs := on != nil && on.setup < 0
	switch x.Op {
	case opcode.SetupLoop:
		next = f.push(i, on)
		f.reach(i+1, next)
		return true
	case opcode.SetupExcept, opcode.SetupFinally, opcode.SetupWith, opcode.SetupAsyncWith:
		next, taken = f.push(i, on), f.push(handled, on)
	case opcode.CallFinally:
		taken = f.push(handled, on)
	case opcode.BeginFinally:
		next = f.push(normally, on)
	case opcode.LoadConst:
		if _, none := x.Const.(pyc.None); none && f.entered[i] {
			next = f.push(normally, on)
		}
	case opcode.PopBlock:
		if on == nil || runs {
			return false
		}
		next = on.below
	case opcode.BreakLoop:
		if on = f.loop(on); on == nil {
			return false
		}
		delete(f.untaken, on.setup)
		f.reach(f.in[on.setup].Target, on.below)
		return true
	case opcode.ContinueLoop:
		taken = f.loop(on)
	case opcode.WithCleanupFinish: // the exception may be swallowed
		if !runs {
			return false
		}
		next = f.push(normally, on.below)
	case opcode.EndFinally, opcode.PopFinally, opcode.PopExcept, opcode.EndAsyncFor:
		if !runs {
			return false
		}
		next = on.below
		if x.Op == opcode.EndFinally && on.setup == handled {
			return true
		}
		delete(f.untaken, i)
	}
	f.reach(x.Target, taken)
	if x.Op.FallsThrough() {
		f.reach(i+1, next)
	}
	return true
}
