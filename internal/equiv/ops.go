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

// ends are the operations after which control does not go to the next one.
// EndFinally is not among them: it goes on when it finds NULL or a return
// address, and the path is walked even when only the other case can happen.
var ends = setOf(
	opcode.Return, opcode.Raise, opcode.Reraise, opcode.Jump,
	opcode.BreakLoop,    // goes behind its loop, which SetupLoop's target pairs
	opcode.ContinueLoop, // goes to its target
	opcode.Invalid,
)

// silent are the operations that cannot raise, so that it does not matter which
// handler covers them. POP_TOP and the stores may run a __del__, but what that
// raises is printed and dropped. LoadFast is decided by checked, and jumps on
// truth by branch.go.
var silent = setOf(
	opcode.Nop, opcode.Resume, opcode.ReturnGenerator, opcode.GenStart,
	opcode.Pop, opcode.Copy, opcode.Swap, opcode.Rot, opcode.PushNull,
	opcode.LoadConst, opcode.KwNames, opcode.LoadFastAndClear, opcode.StoreFast, opcode.StoreDeref,
	opcode.LoadClosure, opcode.MakeCell, opcode.CopyFreeVars, opcode.LoadCommon,
	opcode.Jump, opcode.PopJumpIfNone, opcode.PopJumpIfNotNone,
	opcode.IsOp, opcode.Return, opcode.PushExcInfo, opcode.PopExcept,
	opcode.PopIter, opcode.EndFor, opcode.EndSend,
)

// derefs are the operations on a cell of this code, which Name alone names only
// when no two slots share the name.
var derefs = setOf(opcode.LoadDeref, opcode.StoreDeref, opcode.DeleteDeref, opcode.LoadClosure,
	opcode.LoadClassDeref, opcode.LoadFromDictOrDeref, opcode.MakeCell)

// checked reports whether a LoadFast raises if the variable is unbound.
func (s *side) checked(x *bytecode.Instr) bool { return s.checksEveryLoad() || x.Arg == 1 }
