package equiv

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// Properties of operations. A set is an array so that a look-up costs nothing.
type opSet [opcode.NumOps]bool

func setOf(ops ...opcode.Op) (s opSet) {
	for _, op := range ops {
		s[op] = true
	}
	return s
}

// argIgnored are the operations whose whole operand is in Name, Const or Target;
// Arg may then hold a slot number, which means nothing.
var argIgnored = setOf(
	opcode.LoadConst, opcode.KwNames,
	opcode.LoadFast, opcode.LoadFastAndClear, opcode.StoreFast, opcode.DeleteFast,
	opcode.LoadName, opcode.StoreName, opcode.DeleteName,
	opcode.LoadGlobal, opcode.StoreGlobal, opcode.DeleteGlobal,
	opcode.LoadDeref, opcode.StoreDeref, opcode.DeleteDeref,
	opcode.LoadClosure, opcode.LoadClassDeref, opcode.LoadFromDictOrDeref, opcode.LoadFromDictOrGlobals,
	opcode.MakeCell,
	opcode.LoadAttr, opcode.LoadMethod, opcode.StoreAttr, opcode.DeleteAttr, opcode.ImportFrom,
	opcode.ForIter, opcode.Jump, opcode.PopJumpIfFalse, opcode.PopJumpIfTrue,
	opcode.PopJumpIfNone, opcode.PopJumpIfNotNone, opcode.JumpIfFalseOrPop, opcode.JumpIfTrueOrPop,
	opcode.SetupLoop, opcode.SetupExcept, opcode.SetupFinally, opcode.SetupWith, opcode.SetupAsyncWith,
	opcode.ContinueLoop, opcode.CallFinally, opcode.Send,
	opcode.EndAsyncFor, // 3.14's operand is for monitoring only
)

// ends reports whether control does not go to the next operation whatever the stack of
// blocks holds (see untakenEdges).
func ends(op opcode.Op) bool { return !op.FallsThrough() || op == opcode.Invalid }

// derefs are the operations on a cell of this code, which Name alone names only
// when no two slots share the name.
var derefs = setOf(opcode.LoadDeref, opcode.StoreDeref, opcode.DeleteDeref, opcode.LoadClosure,
	opcode.LoadClassDeref, opcode.LoadFromDictOrDeref, opcode.MakeCell)

// checked reports whether a LoadFast raises if the variable is unbound.
func (s *side) checked(x *bytecode.Instr) bool { return s.checksEveryLoad() || x.Arg == 1 }
