package lower

import (
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
)

func (l *lowerer) try(s *pyast.Try) {
	if len(s.FinalBody) == 0 {
		l.tryExcept(s)
		return
	}
	l.tryFinally(s)
}

// inner is the part of a try statement that its finally clause protects.
func (l *lowerer) inner(s *pyast.Try) {
	if len(s.Handlers) > 0 {
		l.tryExcept(s)
	} else {
		l.guarded(s.Body)
	}
}

func (l *lowerer) tryExcept(s *pyast.Try) {
	switch {
	case s.IsStar:
		l.tryStar(s)
	case l.v.HasExceptionTable():
		l.tryTable(s)
	case l.v.HasLoopBlocks():
		l.try37(s)
	case l.v.SharesFinallyBody():
		l.try38(s)
	default:
		l.try39(s)
	}
}

// reraise restores the exception handled before and raises again, in the handler of a handler.
func (l *lowerer) reraise() {
	l.opI(opcode.Copy, 3)
	l.op(opcode.PopExcept)
	l.opI(opcode.Reraise, 1)
}

func (l *lowerer) tryFinally(s *pyast.Try) {
	switch {
	case l.v.HasLoopBlocks():
		l.finally37(s)
		return
	case l.v.SharesFinallyBody():
		l.finally38(s)
		return
	}
	end, exit, cleanup := l.label(), l.label(), l.label()
	if l.v.HasExceptionTable() {
		l.protect(setup, end)
	} else {
		l.jump(opcode.SetupFinally, end)
	}
	l.push(block{kind: finallyTry, exit: end, final: s.FinalBody})
	l.inner(s)
	l.popBlock()
	l.popFrame()
	l.guarded(s.FinalBody)
	l.jump(opcode.Jump, exit)
	l.use(end)
	if l.v.HasExceptionTable() {
		l.protect(setupCleanup, cleanup)
		l.op(opcode.PushExcInfo)
	}
	l.push(block{kind: finallyEnd})
	l.guarded(s.FinalBody)
	l.popFrame()
	l.opI(opcode.Reraise, 0)
	if l.v.HasExceptionTable() {
		l.use(cleanup)
		l.reraise()
	}
	l.use(exit)
}

func (l *lowerer) tryTable(s *pyast.Try) {
	except, end, cleanup := l.label(), l.label(), l.label()
	l.protect(setup, except)
	l.push(block{kind: tryBlock})
	l.guarded(s.Body)
	l.popFrame()
	l.popBlock()
	l.guarded(s.OrElse)
	l.jump(opcode.Jump, end)
	l.use(except)
	l.protect(setupCleanup, cleanup)
	l.op(opcode.PushExcInfo)
	l.push(block{kind: otherBlock})
	for _, h := range s.Handlers {
		next := l.label()
		if h.Type != nil {
			l.expr(h.Type)
			l.op(opcode.CheckExcMatch)
			l.popJump(false, next)
		}
		if h.Name != "" {
			cleanupEnd := l.label()
			l.name(h.Name, store)
			l.protect(setupCleanup, cleanupEnd)
			l.push(block{kind: handlerBlock, name: h.Name})
			l.guarded(h.Body)
			l.popFrame()
			l.popBlock()
			l.popBlock()
			l.op(opcode.PopExcept)
			l.unbind(h.Name)
			l.jump(opcode.Jump, end)
			l.use(cleanupEnd)
			l.unbind(h.Name)
			l.opI(opcode.Reraise, 1)
		} else {
			l.pop()
			l.push(block{kind: handlerBlock})
			l.guarded(h.Body)
			l.popFrame()
			l.popBlock()
			l.op(opcode.PopExcept)
			l.jump(opcode.Jump, end)
		}
		l.use(next)
	}
	l.popFrame()
	l.opI(opcode.Reraise, 0)
	l.use(cleanup)
	l.reraise()
	l.use(end)
}

func (l *lowerer) tryStar(s *pyast.Try) {
	except, orelse, end, cleanup, star := l.label(), l.label(), l.label(), l.label(), l.label()
	l.protect(setup, except)
	l.push(block{kind: tryBlock})
	l.guarded(s.Body)
	l.popFrame()
	l.popBlock()
	l.jump(opcode.Jump, orelse)
	l.use(except)
	l.protect(setupCleanup, cleanup)
	l.op(opcode.PushExcInfo)
	l.push(block{kind: otherBlock})
	for i, h := range s.Handlers {
		noMatch, next, withError := l.label(), l.label(), l.label()
		if i == 0 {
			if l.v.SendKeepsReceiver() {
				l.opI(opcode.BuildList, 0)
				l.opI(opcode.Copy, 2)
			} else {
				l.opI(opcode.Copy, 1)
				l.opI(opcode.BuildList, 0)
				l.swap(2)
			}
		}
		if h.Type != nil {
			l.expr(h.Type)
			l.op(opcode.CheckEgMatch)
			l.opI(opcode.Copy, 1)
			l.jump(opcode.PopJumpIfNone, noMatch)
		}
		cleanupEnd := l.label()
		if h.Name != "" {
			l.name(h.Name, store)
		} else {
			l.pop()
		}
		l.protect(setupCleanup, cleanupEnd)
		l.push(block{kind: starBlock, name: h.Name})
		l.guarded(h.Body)
		l.popFrame()
		l.popBlock()
		if h.Name != "" {
			l.unbind(h.Name)
		}
		l.jump(opcode.Jump, next)
		l.use(cleanupEnd)
		if h.Name != "" {
			l.unbind(h.Name)
		}
		l.opI(opcode.ListAppend, 3)
		l.pop()
		l.jump(opcode.Jump, withError)
		l.use(noMatch)
		l.pop()
		l.use(next)
		l.use(withError)
		if i == len(s.Handlers)-1 {
			l.opI(opcode.ListAppend, 1)
			l.jump(opcode.Jump, star)
		}
	}
	l.popFrame()
	reraise := l.label()
	l.use(star)
	l.op(opcode.PrepReraiseStar)
	l.opI(opcode.Copy, 1)
	l.jump(opcode.PopJumpIfNotNone, reraise)
	l.pop()
	l.popBlock()
	l.op(opcode.PopExcept)
	l.jump(opcode.Jump, end)
	l.use(reraise)
	l.popBlock()
	l.swap(2)
	l.op(opcode.PopExcept)
	l.opI(opcode.Reraise, 0)
	l.use(cleanup)
	l.reraise()
	l.use(orelse)
	l.guarded(s.OrElse)
	l.use(end)
}
