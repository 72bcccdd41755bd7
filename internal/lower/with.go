package lower

import (
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
)

// callExit calls __exit__ with three Nones.
func (l *lowerer) callExit() {
	l.none()
	switch {
	case !l.v.HasMethodCallees():
		l.opI(opcode.Copy, 1)
		l.opI(opcode.Copy, 1)
		l.opI(opcode.CallFunction, 3)
	case l.v.AnnotationsAreLazy():
		l.none()
		l.none()
		l.opI(opcode.Call, 3)
	default:
		l.none()
		l.none()
		l.opI(opcode.Call, 2)
	}
}

// awaitExit waits for what __aexit__ gave.
func (l *lowerer) awaitExit() {
	arg := 0
	if l.v.HasExceptionTable() {
		arg = 2
	}
	l.opI(opcode.GetAwaitable, arg)
	l.yieldFrom()
}

// with is a with statement with these items, each inside of the one before.
func (l *lowerer) with(s *pyast.With, items []*pyast.WithItem) {
	w := items[0]
	body := func() {
		if len(items) > 1 {
			l.with(s, items[1:])
		} else {
			l.guarded(s.Body)
		}
	}
	switch {
	case l.v.HasExceptionTable():
		l.withTable(s, w, body)
	case l.v.SharesFinallyBody():
		l.oldWith(s, w, body)
	default:
		l.with39(s, w, body)
	}
}

func kindOf(s *pyast.With) blockKind {
	if s.IsAsync {
		return asyncWithBlock
	}
	return withBlock
}

func (l *lowerer) bind(w *pyast.WithItem) {
	if w.OptionalVars != nil {
		l.store(w.OptionalVars)
	} else {
		l.pop()
	}
}

func (l *lowerer) enterAwait() {
	arg := 0
	if l.v.HasExceptionTable() {
		arg = 1
	}
	l.opI(opcode.GetAwaitable, arg)
	l.yieldFrom()
}

func (l *lowerer) withTable(s *pyast.With, w *pyast.WithItem, body func()) {
	final, exit, cleanup, suppress := l.label(), l.label(), l.label(), l.label()
	l.expr(w.ContextExpr)
	if l.v.AnnotationsAreLazy() {
		enter, leave := opcode.SpecialEnter, opcode.SpecialExit
		if s.IsAsync {
			enter, leave = opcode.SpecialAenter, opcode.SpecialAexit
		}
		l.opI(opcode.Copy, 1)
		l.opI(opcode.LoadSpecial, leave)
		l.swap(2)
		l.swap(3)
		l.opI(opcode.LoadSpecial, enter)
		l.opI(opcode.Call, 0)
	} else if s.IsAsync {
		l.op(opcode.BeforeAsyncWith)
	} else {
		l.op(opcode.BeforeWith)
	}
	if s.IsAsync {
		l.enterAwait()
	}
	l.protect(setupWith, final)
	l.push(block{kind: kindOf(s), exit: final})
	l.bind(w)
	body()
	l.popFrame()
	l.popBlock()
	l.callExit()
	if s.IsAsync {
		l.awaitExit()
	}
	l.pop()
	l.jump(opcode.Jump, exit)
	l.use(final)
	l.protect(setupCleanup, cleanup)
	l.op(opcode.PushExcInfo)
	arg := 4
	if l.v.AnnotationsAreLazy() {
		arg = 5
	}
	l.opI(opcode.WithExceptStart, arg)
	if s.IsAsync {
		l.awaitExit()
	}
	l.toBool()
	l.popJump(true, suppress)
	l.opI(opcode.Reraise, 2)
	l.use(suppress)
	l.pop()
	l.popBlock()
	l.op(opcode.PopExcept)
	l.pop()
	l.pop()
	if l.v.AnnotationsAreLazy() {
		l.pop()
	}
	l.jump(opcode.Jump, exit)
	l.use(cleanup)
	l.reraise()
	l.use(exit)
}

func (l *lowerer) with39(s *pyast.With, w *pyast.WithItem, body func()) {
	final, exit, suppress := l.label(), l.label(), l.label()
	l.expr(w.ContextExpr)
	if s.IsAsync {
		l.op(opcode.BeforeAsyncWith)
		l.enterAwait()
		l.jump(opcode.SetupAsyncWith, final)
	} else {
		l.jump(opcode.SetupWith, final)
	}
	l.push(block{kind: kindOf(s), exit: final})
	l.bind(w)
	body()
	l.popFrame()
	l.popBlock()
	l.callExit()
	if s.IsAsync {
		l.awaitExit()
	}
	l.pop()
	l.jump(opcode.Jump, exit)
	l.use(final)
	l.opI(opcode.WithExceptStart, 7)
	if s.IsAsync {
		l.awaitExit()
	}
	l.popJump(true, suppress)
	l.opI(opcode.Reraise, l.lasti())
	l.use(suppress)
	l.pop()
	l.pop()
	l.pop()
	l.op(opcode.PopExcept)
	l.pop()
	l.use(exit)
}

// oldWith is 3.7's and 3.8's.
func (l *lowerer) oldWith(s *pyast.With, w *pyast.WithItem, body func()) {
	final := l.label()
	l.expr(w.ContextExpr)
	if s.IsAsync {
		l.op(opcode.BeforeAsyncWith)
		l.enterAwait()
		l.jump(opcode.SetupAsyncWith, final)
	} else {
		l.jump(opcode.SetupWith, final)
	}
	if l.v.HasLoopBlocks() {
		l.push(block{kind: finallyTry})
	} else {
		l.push(block{kind: kindOf(s), exit: final})
	}
	l.bind(w)
	body()
	l.op(opcode.PopBlock)
	if l.v.HasLoopBlocks() {
		l.popFrame()
		l.none()
	} else {
		l.op(opcode.BeginFinally)
		l.popFrame()
	}
	l.use(final)
	l.push(block{kind: finallyEnd})
	l.op(opcode.WithCleanupStart)
	if s.IsAsync {
		l.awaitExit()
	}
	l.op(opcode.WithCleanupFinish)
	l.op(opcode.EndFinally)
	l.popFrame()
}
