package lower

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// maxCopy is how many instructions are copied in front of a jump (MAX_COPY_SIZE in Python/flowgraph.c).
const maxCopy = 4

// foldExits computes with the constants in front of jumps to the few instructions that end the code: these are copied there before
// constants are folded (3.14+). `return (1 if a else b, 2)` is `return (1, 2) if a else (b, 2)`.
func (l *lowerer) foldExits(u *unit) {
	targets := map[int]bool{}
	for i := range u.list {
		if to := u.list[i].to; to != 0 {
			targets[u.labels[to]] = true
		}
	}
	for i := range u.list {
		for in := &u.list[i]; in.Op == opcode.Jump && !in.tests && l.foldExit(u, i, targets); {
		}
	}
}

// foldExit folds the first operation behind a jump, and lets the jump lead past it.
func (l *lowerer) foldExit(u *unit, jump int, targets map[int]bool) bool {
	from := u.labels[u.list[jump].to]
	for steps := 0; from < len(u.list) && u.list[from].Op == opcode.Jump && steps < len(u.list); steps++ {
		from = u.labels[u.list[from].to]
	}
	end := from
	for ; end < len(u.list) && !exitsScope(u.list[end].Op); end++ {
		if end-from == maxCopy || end > from && targets[end] {
			return false
		}
	}
	if end >= len(u.list) || end > from && targets[end] || end-from >= maxCopy {
		return false
	}
	var cs []pyc.Const
	op := from
	for ; op < end && (u.list[op].Op == opcode.LoadConst || u.list[op].Op == opcode.Nop); op++ {
		if u.list[op].Op == opcode.LoadConst {
			cs = append(cs, u.list[op].Const)
		}
	}
	wanted := operands(&u.list[op].Instr) - len(cs)
	if wanted <= 0 {
		return false
	}
	first := jump
	for i := jump - 1; i >= 0 && wanted > 0 && !targets[i+1]; i-- {
		if u.list[i].Op == opcode.LoadConst {
			cs = append([]pyc.Const{u.list[i].Const}, cs...)
			wanted--
			first = i
		} else if u.list[i].Op != opcode.Nop {
			return false
		}
	}
	if wanted > 0 {
		return false
	}
	c, ok := computedAtExit(&u.list[op].Instr, cs)
	if !ok {
		return false
	}
	for i := first; i < jump; i++ {
		if u.list[i].Op == opcode.LoadConst {
			u.list[i].Instr = bytecode.Instr{Op: opcode.Nop, Target: -1, Pos: bytecode.NoPos}
		}
	}
	u.list[first].Instr = bytecode.Instr{Op: opcode.LoadConst, Const: c, Target: -1, Pos: bytecode.NoPos}
	u.labels = append(u.labels, op+1)
	u.list[jump].to = label(len(u.labels) - 1)
	return true
}

func exitsScope(op opcode.Op) bool {
	return op == opcode.Return || op == opcode.Raise || op == opcode.Reraise
}

// operands is of how many constants an operation is computed; 0 if it is not.
func operands(x *bytecode.Instr) int {
	switch x.Op {
	case opcode.BuildTuple:
		if x.Arg <= stackUse {
			return x.Arg
		}
	case opcode.BuildList, opcode.BuildSet:
		if x.Arg >= 3 && x.Arg <= stackUse {
			return x.Arg
		}
	case opcode.UnaryOp:
		if x.Arg != opcode.UnaryNot { // which tests its operand first
			return 1
		}
	case opcode.BinaryOp, opcode.Subscr:
		return 2
	}
	return 0
}

func computedAtExit(x *bytecode.Instr, cs []pyc.Const) (pyc.Const, bool) {
	if x.Op == opcode.BuildTuple {
		return pyc.Tuple(cs), true
	}
	if _, isComplex := cs[0].(pyc.Complex); x.Op != opcode.UnaryOp || isComplex {
		giveUp("%s of constants in front of a return", x.Op)
	}
	for op, arg := range unaries {
		if arg == x.Arg {
			return foldedUnary(pyast.UnaryOpKind(op), cs[0])
		}
	}
	return nil, false
}
