package lift

import (
	"strings"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
)

// stepExc executes what belongs to exception handling and `with`.
func (m *machine) stepExc() bool {
	in := m.in
	switch in.Op {
	case opcode.PushExcInfo:
		v := m.pop()
		m.push(&Value{Kind: KOldExc})
		m.push(v)
	case opcode.PopExcept:
		m.pop()
		if !m.code.Version.HasExceptionTable() {
			m.pop()
			m.pop()
		}
	case opcode.ExcMatch:
		t := m.popE()
		m.pop()
		m.pushE(hole(pyast.ExceptionMatches, t))
	case opcode.CheckExcMatch:
		kind := pyast.ExceptionMatches
		if in.Flag {
			kind = pyast.GroupMatches
		}
		m.pushE(hole(kind, m.popE()))
	case opcode.SetupFinally, opcode.SetupExcept:
		// The region starts with the next block.
	case opcode.SetupWith:
		w := &With{Context: m.popE(), Line: int(in.Pos.Line)}
		m.push(ExitOf(w))
		m.enterWith(w)
	case opcode.BeforeWith:
		w := &With{Context: m.popE(), Line: int(in.Pos.Line)}
		m.push(ExitOf(w))
		m.enterWith(w)
	case opcode.BeforeAsyncWith:
		w := &With{Context: m.popE(), Line: int(in.Pos.Line), Async: true}
		m.push(ExitOf(w))
		w.Bind = &Bind{}
		m.push(&Value{Kind: KAwaited, special: &special{with: w, bind: w.Bind}})
	case opcode.SetupAsyncWith:
	case opcode.BeginFinally:
		m.push(&Value{Kind: KFin})
	case opcode.CallFinally:
		// `return` inside try/finally (3.8): the finally body runs on the way.
	case opcode.PopFinally:
		m.popFinally()
	case opcode.EndFinally:
		m.endFinally()
	case opcode.WithCleanupStart:
		m.withCleanup()
	case opcode.WithCleanupFinish:
		m.pop()
		m.pop()
	case opcode.LoadSpecial:
		m.loadSpecial()
	case opcode.WithExceptStart:
		m.push(&Value{Kind: KExpr, E: hole(pyast.ExitSuppresses)})
	default:
		return false
	}
	return true
}

// excOnTop reports whether an exception lies on top of the stack, as opposed to
// the NULL (3.8) or None (3.7) of the normal way.
func (m *machine) excOnTop() bool {
	n := len(m.stack)
	return n > 0 && m.stack[n-1].Kind == KExc
}

// endFinally is END_FINALLY: it ends a finally body that all ways share, or
// raises the exception again that no except clause has caught.
func (m *machine) endFinally() {
	t := &m.b.Term
	t.Line, t.Offset = int(m.in.Pos.Line), m.in.Offset
	m.done = true
	if m.excOnTop() {
		// It always raises here; but the compiler does not know, and what
		// stands behind it tells where the try statement ends.
		t.Kind = Reraise
		if n := len(m.stack); n >= 6 {
			m.stack = m.stack[: n-6 : n-6]
			m.b.Next = m.g.Of(m.b.Src.Next)
		}
		return
	}
	m.pop()
	t.Kind, t.EndFinally = Goto, true
	m.b.Next = m.g.Of(m.b.Src.Next)
}

// popFinally is 3.8's POP_FINALLY: a jump out of a finally body.
func (m *machine) popFinally() {
	var keep []*Value
	for i := 0; i < m.in.Arg; i++ {
		keep = append(keep, m.pop())
	}
	m.pop()
	for i := len(keep) - 1; i >= 0; i-- {
		m.stack = append(m.stack, keep[i])
	}
}

// withCleanup is WITH_CLEANUP_START of 3.7 and 3.8, where the normal way and
// the exceptional way share the code behind a with block.
func (m *machine) withCleanup() {
	fin := m.pop()
	exit := m.pop()
	if exit.Kind != KExit {
		m.fail("a with block ends without its __exit__")
	}
	m.push(fin)
	if exit.With() != nil && exit.With().Async {
		m.push(&Value{Kind: KNull})
		m.push(&Value{Kind: KAwaited, special: &special{with: exit.With()}})
		return
	}
	m.emit(&Marker{Kind: MarkWithExit, With: exit.With()})
	m.push(&Value{Kind: KNull})
	m.push(&Value{Kind: KNull})
}

func (m *machine) enterWith(w *With) {
	if w.Bind == nil {
		w.Bind = &Bind{}
	}
	m.emit(&Marker{Kind: MarkWithEnter, With: w})
	m.push(&Value{Kind: KBind, special: &special{bind: w.Bind, with: w}})
}

// loadSpecial is 3.14's LOAD_SPECIAL: COPY 1; LOAD_SPECIAL __exit__; SWAP 2;
// SWAP 3; LOAD_SPECIAL __enter__; CALL 0.
func (m *machine) loadSpecial() {
	v := m.pop()
	switch m.in.Arg {
	case opcode.SpecialExit, opcode.SpecialAexit:
		w := &With{Line: int(m.in.Pos.Line), Async: m.in.Arg == opcode.SpecialAexit}
		v.entered(w)
		m.push(ExitOf(w))
		m.push(ExitOf(w))
	default:
		if v.With() == nil {
			m.fail("__enter__ without __exit__")
		}
		v.With().Context = m.expr(v)
		m.push(&Value{Kind: KEnter, special: &special{with: v.With()}})
		m.push(&Value{Kind: KEnter, special: &special{with: v.With()}})
	}
}

// stepGen executes what belongs to generators and coroutines.
func (m *machine) stepGen() bool {
	in := m.in
	switch in.Op {
	case opcode.Yield:
		v := m.pop()
		y := &pyast.Yield{}
		e := m.expr(v)
		if c, ok := e.(*pyast.Constant); !ok || !isNone(c) {
			y.Value = e
		}
		m.pushE(y)
	case opcode.AsyncGenWrap:
	case opcode.GetYieldFromIter:
		e := m.popE()
		m.push(&Value{Kind: KExpr, E: e, Attr: "yieldfrom"})
		if in.Arg == 2 {
			m.push(&Value{Kind: KNull})
		}
	case opcode.GetAiter:
		e := m.popE()
		m.push(&Value{Kind: KIter, E: e, Attr: "async"})
	case opcode.YieldFrom:
		m.pop() // the None that is sent first
		if in.Flag {
			m.pop()
		}
		m.await(m.pop(), in.Arg == 1)
	default:
		return false
	}
	return true
}

// await pushes the result of `await v` or `yield from v`.
func (m *machine) await(v *Value, isAwait bool) {
	switch {
	case v.Kind == KAwaited && v.Bind() != nil: // entering an async context manager
		m.enterWith(v.With())
	case v.Kind == KAwaited: // leaving it
		m.emit(&Marker{Kind: MarkWithExit, With: v.With()})
		m.push(&Value{Kind: KNull})
	case isAwait:
		e := m.expr(v)
		if c, ok := asyncComp(e); ok {
			m.pushE(c)
			return
		}
		m.pushE(&pyast.Await{Value: e})
	default:
		m.pushE(&pyast.YieldFrom{Value: m.expr(v)})
	}
}

func isNone(c *pyast.Constant) bool { return noneToNil(c) == nil }

// terminator ends the block.
func (m *machine) terminator() {
	in := m.in
	b := m.b
	src := b.Src
	t := &b.Term
	t.Line, t.Col, t.Offset, t.At = int(in.Pos.Line), int(in.Pos.Col), in.Offset, in.Pos
	if in.Pos.EndLine == in.Pos.Line {
		t.EndCol = int(in.Pos.EndCol)
	}
	m.done = true
	switch in.Op {
	case opcode.Jump:
		t.Kind = Goto
		t.Break, t.Continue = src.Leaps == opcode.BreakLoop, src.Leaps == opcode.ContinueLoop
		t.Jump = t.Break || t.Continue || src.Next != nil && src.Next.ID != src.ID+1
		b.Next = m.g.Of(src.Next)
	case opcode.ContinueLoop, opcode.BreakLoop:
		t.Kind = Goto
		t.Break, t.Continue = in.Op == opcode.BreakLoop, in.Op == opcode.ContinueLoop
		t.Jump = true
		b.Next = m.g.Of(src.Next)
		m.cutToLoop()
	case opcode.PopJumpIfFalse, opcode.PopJumpIfTrue, opcode.PopJumpIfNone, opcode.PopJumpIfNotNone:
		m.branch()
	case opcode.JumpIfFalseOrPop, opcode.JumpIfTrueOrPop:
		v := m.pop()
		t.Kind = Branch
		t.Cond = m.expr(v)
		next, taken := m.g.Of(src.Next), m.g.Of(src.Taken)
		if in.Op == opcode.JumpIfFalseOrPop {
			b.True, b.False, t.KeepFalse = next, taken, true
		} else {
			b.True, b.False, t.KeepTrue = taken, next, true
		}
	case opcode.ForIter:
		it := m.peek(1)
		if it.Kind == KIndex {
			it = m.peek(2)
		}
		t.Kind = For
		if it.Kind != KIter {
			// An iterator that came from elsewhere (an argument of a resume
			// function): looping over it is looping over itself.
			it.Kind = KIter
		}
		t.Iter = it
		t.Async = in.Flag
		t.Bind = &Bind{}
		b.True, b.False = m.g.Of(src.Next), m.g.Of(src.Taken)
	case opcode.Return:
		t.Kind = Return
		v := m.pop()
		if strings.HasPrefix(m.code.Name, GenericPrefix) {
			m.g.Result, b.result = v, v
			break
		}
		if v.Kind == KAcc || v.Kind == KNull || v.Kind == KClosure && !m.code.IsFunction() {
			break
		}
		t.Value = m.expr(v)
	case opcode.Raise:
		t.Kind = Raise
		if in.Arg > 1 {
			t.Cause = m.popE()
		}
		if in.Arg > 0 {
			t.Value = m.popE()
		}
	case opcode.Reraise:
		t.Kind = Reraise
	default:
		m.fail("this instruction is not supported yet")
	}
}

// branch ends the block with a conditional jump.
func (m *machine) branch() {
	in := m.in
	b := m.b
	t := &b.Term
	v := m.pop()
	kept := len(m.stack) > 0 && m.stack[len(m.stack)-1] == v && v.Kind == KExpr
	e := m.expr(v)
	if !kept {
		// `COPY 1; IS_OP None`-like tests keep a duplicate that the arms use.
		for _, w := range m.stack {
			if w == v && !Simple(v.E) {
				m.fail("a tested value lives on")
			}
		}
	}
	t.Kind = Branch
	next, taken := m.g.Of(b.Src.Next), m.g.Of(b.Src.Taken)
	jumpIfTrue := in.Op == opcode.PopJumpIfTrue
	switch in.Op {
	case opcode.PopJumpIfNone:
		e = pyast.Cmp(e, pyast.Is, pyast.None())
		jumpIfTrue = true
	case opcode.PopJumpIfNotNone:
		e = pyast.Cmp(e, pyast.IsNot, pyast.None())
		jumpIfTrue = true
	}
	if in.Op == opcode.PopJumpIfNone || in.Op == opcode.PopJumpIfNotNone {
		// The compiler turns `x is None` before a branch into these; print the
		// test that makes the fall-through its true side.
		c := e.(*pyast.Compare)
		if c.Ops[0] == pyast.Is {
			c.Ops[0] = pyast.IsNot
		} else {
			c.Ops[0] = pyast.Is
		}
		jumpIfTrue = false
		m.placeNoneTest(c)
	}
	t.Cond = e
	if p := e.Position(); p.Line == 0 {
		p.Line = t.Line
	}
	if jumpIfTrue {
		b.True, b.False = taken, next
	} else {
		b.True, b.False = next, taken
	}
	if !kept {
		return
	}
	// 3.12+ writes JUMP_IF_X_OR_POP as COPY 1; POP_JUMP_IF_X; POP_TOP.
	first := b.Src.Next.FirstOp()
	if in.Op == opcode.PopJumpIfNone || in.Op == opcode.PopJumpIfNotNone || first != opcode.Pop || len(b.Src.Next.Preds) != 1 {
		if m.hasName(v) {
			return // it lives on in its variable
		}
		m.fail("a tested value lives on")
	}
	m.stack = m.stack[:len(m.stack)-1]
	next.dropTop = true
	if jumpIfTrue {
		t.KeepTrue = true
	} else {
		t.KeepFalse = true
	}
}

// cutToLoop drops what lies above the loop's own values: 3.7's interpreter does
// so when it unwinds its block stack.
func (m *machine) cutToLoop() {
	n := len(m.stack)
	if setup := m.g.holder(m.b.Src.LoopSetup); setup != nil {
		n = len(setup.Out)
	}
	if m.in.Op == opcode.ContinueLoop && m.b.Next != nil {
		n = len(m.b.Next.In) // the head has the loop's iterator below
	}
	if n > len(m.stack) {
		m.fail("the stack is lower than at the start of the loop")
	}
	m.stack = m.stack[:n:n]
}
