package lower

import (
	"slices"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
)

// try39 is 3.9's and 3.10's.
func (l *lowerer) try39(s *pyast.Try) {
	except, orelse, end := l.label(), l.label(), l.label()
	l.jump(opcode.SetupFinally, except)
	l.push(block{kind: tryBlock})
	l.guarded(s.Body)
	l.popFrame()
	l.popBlock()
	l.jump(opcode.Jump, orelse)
	l.use(except)
	for _, h := range s.Handlers {
		next := l.label()
		l.catches(h, next)
		if h.Name != "" {
			cleanupEnd := l.label()
			l.name(h.Name, store)
			l.pop()
			l.jump(opcode.SetupFinally, cleanupEnd)
			l.push(block{kind: handlerBlock, name: h.Name})
			l.guarded(h.Body)
			l.popFrame()
			l.popBlock()
			l.op(opcode.PopExcept)
			l.unbind(h.Name)
			l.jump(opcode.Jump, end)
			l.use(cleanupEnd)
			l.unbind(h.Name)
			l.opI(opcode.Reraise, l.lasti())
		} else {
			l.pop()
			l.pop()
			l.push(block{kind: handlerBlock})
			l.guarded(h.Body)
			l.popFrame()
			l.op(opcode.PopExcept)
			l.jump(opcode.Jump, end)
		}
		l.use(next)
	}
	l.opI(opcode.Reraise, 0)
	l.use(orelse)
	l.guarded(s.OrElse)
	l.use(end)
}

// lasti is RERAISE's operand where the place of the exception is restored (3.10+).
func (l *lowerer) lasti() int {
	if l.v.DeadCodeRemoved() {
		return 1
	}
	return 0
}

// catches tests the type of an except clause where exceptions are three values, and pops
// the first.
func (l *lowerer) catches(h *pyast.ExceptHandler, next label) {
	if h.Type != nil {
		l.opI(opcode.Copy, 1)
		l.expr(h.Type)
		l.op(opcode.ExcMatch)
		l.popJump(false, next)
	}
	l.pop()
}

func (l *lowerer) try38(s *pyast.Try) {
	except, orelse, end := l.label(), l.label(), l.label()
	l.jump(opcode.SetupFinally, except)
	l.push(block{kind: tryBlock})
	l.guarded(s.Body)
	l.op(opcode.PopBlock)
	l.popFrame()
	l.jump(opcode.Jump, orelse)
	l.use(except)
	for _, h := range s.Handlers {
		next := l.label()
		l.catches(h, next)
		if h.Name != "" {
			cleanupEnd := l.label()
			l.name(h.Name, store)
			l.pop()
			l.jump(opcode.SetupFinally, cleanupEnd)
			l.push(block{kind: handlerBlock, name: h.Name, exit: cleanupEnd})
			l.guarded(h.Body)
			l.op(opcode.PopBlock)
			l.op(opcode.BeginFinally)
			l.popFrame()
			l.use(cleanupEnd)
			l.push(block{kind: finallyEnd})
			l.unbind(h.Name)
			l.op(opcode.EndFinally)
			l.op(opcode.PopExcept)
			l.popFrame()
		} else {
			l.pop()
			l.pop()
			l.push(block{kind: handlerBlock})
			l.guarded(h.Body)
			l.op(opcode.PopExcept)
			l.popFrame()
		}
		l.jump(opcode.Jump, end)
		l.use(next)
	}
	l.op(opcode.EndFinally)
	l.use(orelse)
	l.guarded(s.OrElse)
	l.use(end)
}

// finally38 compiles the finally body first, to see whether it is left, and then once more.
func (l *lowerer) finally38(s *pyast.Try) {
	leaves := l.finallyLeaves(s)
	end := l.label()
	kind := finallyTry
	if leaves {
		kind = finallyTry2
		l.none()
	}
	l.jump(opcode.SetupFinally, end)
	l.push(block{kind: kind, exit: end})
	l.inner(s)
	l.op(opcode.PopBlock)
	l.op(opcode.BeginFinally)
	l.popFrame()
	l.use(end)
	l.push(block{kind: finallyEnd})
	l.guarded(s.FinalBody)
	l.op(opcode.EndFinally)
	if leaves {
		l.pop()
	}
	l.popFrame()
}

// finallyLeaves compiles a finally body on trial and reports whether break, continue or
// return leave it.
func (l *lowerer) finallyLeaves(s *pyast.Try) (leaves bool) {
	u := l.u
	list, labels, last, static, cond, annotated := len(u.list), slices.Clone(u.labels), u.lastUse, u.static, u.nextCond, u.annotated
	l.push(block{kind: finallyEnd, leaves: &leaves})
	l.guarded(s.FinalBody)
	l.popFrame()
	u.list, u.labels, u.lastUse, u.static, u.nextCond, u.annotated = u.list[:list], labels, last, static, cond, annotated
	return leaves
}

func (l *lowerer) try37(s *pyast.Try) {
	except, orelse, end := l.label(), l.label(), l.label()
	l.jump(opcode.SetupExcept, except)
	l.push(block{kind: tryBlock})
	l.guarded(s.Body)
	l.op(opcode.PopBlock)
	l.popFrame()
	l.jump(opcode.Jump, orelse)
	l.use(except)
	for _, h := range s.Handlers {
		next := l.label()
		l.catches(h, next)
		if h.Name != "" {
			cleanupEnd := l.label()
			l.name(h.Name, store)
			l.pop()
			l.jump(opcode.SetupFinally, cleanupEnd)
			l.push(block{kind: finallyTry})
			l.guarded(h.Body)
			l.op(opcode.PopBlock)
			l.popFrame()
			l.none()
			l.use(cleanupEnd)
			l.push(block{kind: finallyEnd})
			l.unbind(h.Name)
			l.op(opcode.EndFinally)
			l.op(opcode.PopExcept)
			l.popFrame()
		} else {
			l.pop()
			l.pop()
			l.push(block{kind: finallyTry})
			l.guarded(h.Body)
			l.op(opcode.PopExcept)
			l.popFrame()
		}
		l.jump(opcode.Jump, end)
		l.use(next)
	}
	l.op(opcode.EndFinally)
	l.use(orelse)
	l.guarded(s.OrElse)
	l.use(end)
}

func (l *lowerer) finally37(s *pyast.Try) {
	end := l.label()
	l.jump(opcode.SetupFinally, end)
	l.push(block{kind: finallyTry})
	l.inner(s)
	l.op(opcode.PopBlock)
	l.popFrame()
	l.none()
	l.use(end)
	l.push(block{kind: finallyEnd})
	l.guarded(s.FinalBody)
	l.op(opcode.EndFinally)
	l.popFrame()
}
