package lower

import (
	"github.com/thuml/depyf/internal/opcode"
)

// unwind leaves one block; keep says that a value on the stack stays
// (compiler_unwind_fblock).
func (l *lowerer) unwind(b *block, keep bool) {
	if l.v.SharesFinallyBody() {
		l.oldUnwind(b, keep)
		return
	}
	if b.leaves != nil {
		*b.leaves = true
	}
	table := l.v.HasExceptionTable()
	switch b.kind {
	case forBlock:
		l.leaveFor(keep)
	case asyncForBlock, popValueBlock:
		if keep {
			l.swap(2)
		}
		l.pop()
	case tryBlock:
		l.popBlock()
	case finallyTry:
		l.popBlock()
		if keep {
			l.push(block{kind: popValueBlock})
		}
		l.guarded(b.final)
		if keep {
			l.popFrame()
		}
	case finallyEnd:
		if table {
			if keep {
				l.swap(2)
			}
			l.pop()
			if keep {
				l.swap(2)
			}
			l.popBlock()
			l.op(opcode.PopExcept)
			return
		}
		if keep {
			l.opI(opcode.Rot, 4)
		}
		l.pop()
		l.pop()
		l.pop()
		if keep {
			l.opI(opcode.Rot, 4)
		}
		l.op(opcode.PopExcept)
	case withBlock, asyncWithBlock:
		l.popBlock()
		if keep {
			if l.v.AnnotationsAreLazy() {
				l.swap(3)
			}
			l.swap(2)
		}
		l.callExit()
		if b.kind == asyncWithBlock {
			l.awaitExit()
		}
		l.pop()
	case starBlock:
		giveUp("a jump out of an except* clause, which no compiler takes")
	case handlerBlock:
		if b.name != "" {
			l.popBlock()
		}
		if keep {
			if table {
				l.swap(2)
			} else {
				l.opI(opcode.Rot, 4)
			}
		}
		if table {
			l.popBlock()
		}
		l.op(opcode.PopExcept)
		if b.name != "" {
			l.unbind(b.name)
		}
	}
}

// leaveFor drops the iterator of a loop.
func (l *lowerer) leaveFor(keep bool) {
	slots := l.v.IteratorSlots()
	if keep {
		l.swap(slots + 1)
	}
	for range slots {
		l.pop()
	}
}

// unbind takes the name of an except clause away.
func (l *lowerer) unbind(name string) {
	l.none()
	l.name(name, store)
	l.name(name, del)
}

// unwindAll leaves every block inside of the loop, or all of them (compiler_unwind_fblock_stack).
// It returns the loop, nil if none is wanted or there is none.
func (l *lowerer) unwindAll(keep, toLoop bool) *block {
	u := l.u
	saved := u.blocks
	defer func() { u.blocks = saved }()
	for n := len(u.blocks); n > 0; n = len(u.blocks) {
		b := &saved[n-1]
		if toLoop && (b.kind == whileBlock || b.kind == forBlock || b.kind == asyncForBlock) {
			return b
		}
		u.blocks = saved[: n-1 : n-1]
		l.unwind(b, keep)
	}
	return nil
}

// oldUnwind is unwind where finally bodies are called (3.8).
func (l *lowerer) oldUnwind(b *block, keep bool) {
	if b.leaves != nil {
		*b.leaves = true
	}
	switch b.kind {
	case finallyEnd:
		arg := 0
		if keep {
			arg = 1
		}
		l.opI(opcode.PopFinally, arg)
		if keep {
			l.swap(2)
		}
		l.pop()
	case forBlock, asyncForBlock:
		if keep {
			l.swap(2)
		}
		l.pop()
	case tryBlock:
		l.op(opcode.PopBlock)
	case finallyTry:
		l.op(opcode.PopBlock)
		l.jump(opcode.CallFinally, b.exit)
	case finallyTry2:
		l.op(opcode.PopBlock)
		if keep {
			l.swap(2)
			l.pop()
			l.jump(opcode.CallFinally, b.exit)
		} else {
			l.jump(opcode.CallFinally, b.exit)
			l.pop()
		}
	case withBlock, asyncWithBlock:
		l.op(opcode.PopBlock)
		if keep {
			l.swap(2)
		}
		l.op(opcode.BeginFinally)
		l.op(opcode.WithCleanupStart)
		if b.kind == asyncWithBlock {
			l.opI(opcode.GetAwaitable, 0)
			l.yieldFrom()
		}
		l.op(opcode.WithCleanupFinish)
		l.opI(opcode.PopFinally, 0)
	case handlerBlock:
		if keep {
			l.opI(opcode.Rot, 4)
		}
		if b.exit != 0 {
			l.op(opcode.PopBlock)
			l.op(opcode.PopExcept)
			l.jump(opcode.CallFinally, b.exit)
			return
		}
		l.op(opcode.PopExcept)
	}
}
