package lower

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// toBool makes a bool of the top, where jumps want one.
func (l *lowerer) toBool() {
	if !l.v.JumpsTestBools() {
		return
	}
	u := l.u
	if n := len(u.list); n > 0 && !l.joins() && !u.list[n-1].twice {
		switch in := &u.list[n-1]; in.Op {
		case opcode.LoadConst:
			if t, known := pyc.Truth(in.Const); known && !testsTuple(l.v, in.Const) {
				if in.was == nil {
					in.was = in.Const
				}
				in.Const, in.late = pyc.Bool(t), true
				return
			}
		case opcode.Compare:
			in.Flag = true
			return
		case opcode.IsOp, opcode.ContainsOp, opcode.ToBool:
			return
		case opcode.UnaryOp:
			if in.Arg == opcode.UnaryNot {
				return
			}
		}
	}
	l.op(opcode.ToBool)
}

// boolOp makes a value of `and` or `or`.
func (l *lowerer) boolOp(e *pyast.BoolOp) {
	end := l.label()
	last := len(e.Values) - 1
	for i, v := range e.Values {
		l.expr(v)
		if i < last {
			l.jumpOrPop(e.Op == pyast.Or, end)
		}
	}
	l.use(end)
}

// jumpOrPop leaves the value and jumps if it is true (or false), else pops it.
func (l *lowerer) jumpOrPop(ifTrue bool, to label) {
	if cs, ok := l.lastConsts(1); ok && l.v.DecidesConstantTests() && !l.joins() && !l.u.list[len(l.u.list)-1].late {
		if t, known := pyc.Truth(cs[0]); known && t == ifTrue {
			l.emit(ins{Instr: bytecode.Instr{Op: opcode.Jump}, to: to, tests: true})
			return
		} else if known {
			l.dropLast(1)
			return
		}
	}
	if !l.v.SpellsOutOrPop() {
		op := opcode.JumpIfFalseOrPop
		if ifTrue {
			op = opcode.JumpIfTrueOrPop
		}
		l.jump(op, to)
		return
	}
	l.emit(ins{Instr: bytecode.Instr{Op: opcode.Copy, Arg: 1}, keeps: true})
	if l.v.JumpsTestBools() {
		l.op(opcode.ToBool)
	}
	l.popJump(ifTrue, to)
	l.pop()
}

// popJump jumps if the top is true (or false). Whether something is None is one jump (3.11+).
func (l *lowerer) popJump(ifTrue bool, to label) {
	u := l.u
	if n := len(u.list); l.v.HasExceptionTable() && n > 1 && u.list[n-1].Op == opcode.IsOp && u.lastUse < n-1 {
		if _, none := u.list[n-2].Const.(pyc.None); none && u.list[n-2].Op == opcode.LoadConst {
			isNone := u.list[n-1].Arg == 0
			l.dropLast(2)
			if isNone == ifTrue {
				l.jump(opcode.PopJumpIfNone, to)
			} else {
				l.jump(opcode.PopJumpIfNotNone, to)
			}
			return
		}
	}
	if ifTrue {
		l.jump(opcode.PopJumpIfTrue, to)
	} else {
		l.jump(opcode.PopJumpIfFalse, to)
	}
}

func (l *lowerer) not(e *pyast.UnaryOp) {
	l.expr(e.Operand)
	u := l.u
	n := len(u.list)
	if !l.joins() {
		switch last := &u.list[n-1]; {
		case last.Op == opcode.LoadConst && l.v.AnnotationsAreLazy() && !testsTuple(l.v, last.Const):
			if t, known := pyc.Truth(last.Const); known {
				last.Const, last.late = pyc.Bool(!t), true
				return
			}
		case last.Op == opcode.IsOp && n > 1 && l.v.KeepsNotNone() && u.list[n-2].Op == opcode.LoadConst && u.list[n-2].Const == pyc.Const(pyc.None{}):
			l.opI(opcode.UnaryOp, opcode.UnaryNot)
			return
		case (last.Op == opcode.IsOp || last.Op == opcode.ContainsOp) && !l.plain:
			last.Arg ^= 1
			return
		case last.Op == opcode.UnaryOp && last.Arg == opcode.UnaryNot && l.v.JumpsTestBools():
			l.dropLast(1) // the value is a bool by then
			if n > 1 {
				u.list[n-2].twice = true
			}
			return
		}
	}
	l.toBool()
	l.opI(opcode.UnaryOp, opcode.UnaryNot)
}

// cmp emits a comparison of the two topmost values.
func (l *lowerer) cmp(k pyast.CmpOpKind) {
	switch k {
	case pyast.Is:
		l.opI(opcode.IsOp, 0)
	case pyast.IsNot:
		l.opI(opcode.IsOp, 1)
	case pyast.In:
		l.opI(opcode.ContainsOp, 0)
	case pyast.NotIn:
		l.opI(opcode.ContainsOp, 1)
	default:
		l.opI(opcode.Compare, [...]int{
			pyast.Eq: opcode.Eq, pyast.NotEq: opcode.Ne, pyast.Lt: opcode.Lt,
			pyast.LtE: opcode.Le, pyast.Gt: opcode.Gt, pyast.GtE: opcode.Ge,
		}[k])
	}
}

// comparand is the right side of a comparison.
func (l *lowerer) comparand(k pyast.CmpOpKind, e pyast.Expr, last bool) {
	if (k == pyast.In || k == pyast.NotIn) && last {
		l.iterable(e)
		return
	}
	l.expr(e)
}

func (l *lowerer) compare(e *pyast.Compare) {
	l.expr(e.Left)
	n := len(e.Ops) - 1
	if n == 0 {
		l.comparand(e.Ops[0], e.Comparators[0], true)
		l.cmp(e.Ops[0])
		return
	}
	cleanup, end := l.label(), l.label()
	for i := range n {
		l.comparand(e.Ops[i], e.Comparators[i], false)
		l.keepForNext()
		l.cmp(e.Ops[i])
		l.jumpOrPop(false, cleanup)
	}
	l.comparand(e.Ops[n], e.Comparators[n], true)
	l.cmp(e.Ops[n])
	l.jump(opcode.Jump, end)
	l.use(cleanup)
	l.swap(2)
	l.pop()
	l.use(end)
}

// keepForNext copies the middle operand of a chain below the left one.
func (l *lowerer) keepForNext() {
	if l.v.HasExceptionTable() {
		l.swap(2)
		l.opI(opcode.Copy, 2)
		return
	}
	l.opI(opcode.Copy, 1)
	l.opI(opcode.Rot, 3)
}

// jumpIf jumps if an expression is true (or false) (compiler_jump_if).
func (l *lowerer) jumpIf(e pyast.Expr, to label, cond bool) {
	switch e := e.(type) {
	case *pyast.UnaryOp:
		if e.Op == pyast.Not {
			l.jumpIf(e.Operand, to, !cond)
			return
		}
	case *pyast.BoolOp:
		cond2 := e.Op == pyast.Or
		to2 := to
		if cond2 != cond {
			to2 = l.label()
		}
		n := len(e.Values) - 1
		for _, v := range e.Values[:n] {
			l.jumpIf(v, to2, cond2)
		}
		l.jumpIf(e.Values[n], to, cond)
		if to2 != to {
			l.use(to2)
		}
		return
	case *pyast.IfExp:
		end, next2 := l.label(), l.label()
		l.jumpIf(e.Test, next2, false)
		l.jumpIf(e.Body, to, cond)
		l.jump(opcode.Jump, end)
		l.use(next2)
		l.jumpIf(e.OrElse, to, cond)
		l.use(end)
		return
	case *pyast.Compare:
		n := len(e.Ops) - 1
		if n == 0 {
			break
		}
		cleanup, end := l.label(), l.label()
		l.expr(e.Left)
		for i := range n {
			l.comparand(e.Ops[i], e.Comparators[i], false)
			l.keepForNext()
			l.cmp(e.Ops[i])
			l.toBool()
			l.popJump(false, cleanup)
		}
		l.comparand(e.Ops[n], e.Comparators[n], true)
		l.cmp(e.Ops[n])
		l.toBool()
		l.popJump(cond, to)
		l.jump(opcode.Jump, end)
		l.use(cleanup)
		l.pop()
		if !cond {
			l.jump(opcode.Jump, to)
		}
		l.use(end)
		return
	}
	l.expr(e)
	l.toBool()
	l.popJump(cond, to)
}
