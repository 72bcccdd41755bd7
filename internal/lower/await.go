package lower

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// yieldFrom runs the iterator or awaitable on the stack to its end; its result stays.
func (l *lowerer) yieldFrom() {
	if l.v.IteratorSlots() > 1 {
		if n := len(l.u.list); n == 0 || l.u.list[n-1].Op != opcode.GetYieldFromIter {
			l.op(opcode.PushNull)
		}
	}
	l.none()
	if !l.v.HasSend() {
		l.op(opcode.YieldFrom)
		return
	}
	slots := l.v.IteratorSlots()
	exit := l.label()
	send := l.here()
	if !l.v.SendKeepsReceiver() {
		l.emit(ins{Instr: bytecode.Instr{Op: opcode.Send, Arg: slots, Flag: true}, to: exit})
		l.opI(opcode.Yield, 1)
		l.jump(opcode.Jump, send)
		l.use(exit)
		return
	}
	fail := l.label()
	l.emit(ins{Instr: bytecode.Instr{Op: opcode.Send, Arg: slots}, to: exit})
	l.protect(setup, fail)
	l.opI(opcode.Yield, 1)
	l.popBlock()
	l.jump(opcode.Jump, send)
	l.use(fail)
	l.opI(opcode.CleanupThrow, slots)
	l.use(exit)
	l.opI(opcode.EndSend, slots)
}

func (l *lowerer) yield() {
	if l.v.HasExceptionTable() && l.u.s.generator && l.u.s.coroutine {
		l.op(opcode.AsyncGenWrap)
	}
	l.opI(opcode.Yield, 0)
}
