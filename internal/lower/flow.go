package lower

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
)

// blockKind says what a frame block is (fblocktype).
type blockKind uint8

const (
	whileBlock blockKind = iota
	forBlock
	asyncForBlock
	tryBlock
	finallyTry
	finallyTry2 // 3.8: the finally body leaves
	finallyEnd
	withBlock
	asyncWithBlock
	handlerBlock // the body of an except clause
	starBlock    // the body of an except* clause
	popValueBlock
	otherBlock
)

// block is a statement around the code being made that leaving it must unwind.
type block struct {
	kind   blockKind
	start  label
	exit   label
	name   string       // of an except clause
	final  []pyast.Stmt // of a try statement (3.9+)
	leaves *bool        // 3.8: set when a finally body is left
}

func (l *lowerer) push(b block) { l.u.blocks = append(l.u.blocks, b) }

func (l *lowerer) popFrame() { l.u.blocks = l.u.blocks[:len(l.u.blocks)-1] }

func (l *lowerer) while(s *pyast.While) {
	truth, known := l.decided(s.Test)
	if known && !truth {
		l.guarded(s.OrElse)
		return
	}
	loop, body, anchor, end := l.label(), l.label(), l.label(), l.label()
	if l.v.HasLoopBlocks() {
		l.jump(opcode.SetupLoop, end)
	}
	l.use(loop)
	l.push(block{kind: whileBlock, start: loop, exit: end})
	l.use(body)
	if !known {
		l.jumpIf(s.Test, anchor, false)
	}
	l.guarded(s.Body)
	l.jump(opcode.Jump, loop)
	l.popFrame()
	l.use(anchor)
	if l.v.HasLoopBlocks() {
		l.op(opcode.PopBlock)
	}
	l.guarded(s.OrElse)
	l.use(end)
}

func (l *lowerer) loop(s *pyast.For) {
	if s.IsAsync {
		l.asyncFor(s)
		return
	}
	slots := l.v.IteratorSlots()
	cleanup, end := l.label(), l.label()
	if l.v.HasLoopBlocks() {
		l.jump(opcode.SetupLoop, end)
	}
	l.iterable(s.Iter)
	l.opI(opcode.GetIter, slots)
	start := l.here()
	l.push(block{kind: forBlock, start: start, exit: end})
	l.emit(ins{Instr: bytecode.Instr{Op: opcode.ForIter, Arg: slots}, to: cleanup})
	l.store(s.Target)
	l.guarded(s.Body)
	l.jump(opcode.Jump, start)
	l.use(cleanup)
	l.popFrame()
	if l.v.HasLoopBlocks() {
		l.op(opcode.PopBlock)
	}
	l.guarded(s.OrElse)
	l.use(end)
}

func (l *lowerer) asyncFor(s *pyast.For) {
	if l.v.HasLoopBlocks() {
		l.oldAsyncFor(s)
		return
	}
	except, end := l.label(), l.label()
	l.expr(s.Iter) // which fold_iter leaves alone in an async for
	l.op(opcode.GetAiter)
	start := l.here()
	l.push(block{kind: asyncForBlock, start: start, exit: end})
	l.protect(setup, except)
	l.op(opcode.GetAnext)
	l.yieldFrom()
	l.popBlock()
	l.store(s.Target)
	l.guarded(s.Body)
	l.jump(opcode.Jump, start)
	l.popFrame()
	l.use(except)
	l.op(opcode.EndAsyncFor)
	l.guarded(s.OrElse)
	l.use(end)
}

func (l *lowerer) oldAsyncFor(s *pyast.For) {
	try, except, end, after, cleanup := l.label(), l.label(), l.label(), l.label(), l.label()
	l.jump(opcode.SetupLoop, end)
	l.push(block{kind: asyncForBlock, start: try, exit: end})
	l.expr(s.Iter)
	l.op(opcode.GetAiter)
	l.use(try)
	l.protect(setup, except)
	l.push(block{kind: tryBlock})
	l.op(opcode.GetAnext)
	l.yieldFrom()
	l.store(s.Target)
	l.op(opcode.PopBlock)
	l.popFrame()
	l.jump(opcode.Jump, after)
	l.use(except)
	l.opI(opcode.Copy, 1)
	l.opN(opcode.LoadGlobal, "StopAsyncIteration")
	l.op(opcode.ExcMatch)
	l.popJump(true, cleanup)
	l.op(opcode.EndFinally)
	l.use(after)
	l.guarded(s.Body)
	l.jump(opcode.Jump, try)
	l.use(cleanup)
	l.pop()
	l.pop()
	l.pop()
	l.op(opcode.PopExcept)
	l.pop()
	l.op(opcode.PopBlock)
	l.popFrame()
	l.guarded(s.OrElse)
	l.use(end)
}

func (l *lowerer) breakLoop() {
	if l.v.HasLoopBlocks() {
		l.op(opcode.BreakLoop)
		return
	}
	loop := l.unwindAll(false, true)
	if loop == nil {
		giveUp("break outside of a loop")
	}
	l.unwind(loop, false)
	l.jump(opcode.Jump, loop.exit)
}

func (l *lowerer) continueLoop() {
	if l.v.HasLoopBlocks() {
		l.oldContinue()
		return
	}
	loop := l.unwindAll(false, true)
	if loop == nil {
		giveUp("continue outside of a loop")
	}
	l.jump(opcode.Jump, loop.start)
}

// oldContinue is 3.7's: from inside of a try statement the interpreter unwinds.
func (l *lowerer) oldContinue() {
	blocks := l.u.blocks
	for i := len(blocks) - 1; i >= 0; i-- {
		switch blocks[i].kind {
		case whileBlock, forBlock, asyncForBlock:
			if i == len(blocks)-1 {
				l.jump(opcode.Jump, blocks[i].start)
			} else {
				l.jump(opcode.ContinueLoop, blocks[i].start)
			}
			return
		}
	}
	giveUp("continue outside of a loop")
}

func (l *lowerer) ret(s *pyast.Return) {
	if l.v.HasLoopBlocks() {
		if s.Value == nil {
			l.none()
		} else {
			l.expr(s.Value)
		}
		l.op(opcode.Return)
		return
	}
	if s.Value == nil {
		l.unwindAll(false, false)
		l.none()
		l.op(opcode.Return)
		return
	}
	if c, ok := l.literal(s.Value); ok {
		l.unwindAll(false, false)
		l.konst(c)
		l.op(opcode.Return)
		return
	}
	l.expr(s.Value)
	l.unwindAll(true, false)
	l.op(opcode.Return)
}
