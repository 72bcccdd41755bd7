package opcode

// set is a set of operations; looking up costs nothing.
type set [NumOps]bool

func setOf(ops ...Op) (s set) {
	for _, op := range ops {
		s[op] = true
	}
	return s
}

// What is true of an operation whatever its operand, the version and the way it goes on.
// What it does to the stack stands beside it, in effects.
var (
	loads   = setOf(LoadFast, LoadName, LoadGlobal, LoadDeref, LoadClassDeref)
	stores  = setOf(StoreFast, StoreName, StoreGlobal, StoreDeref)
	deletes = setOf(DeleteFast, DeleteName, DeleteGlobal, DeleteDeref)
	scopes  = setOf(LoadClosure, LoadFastAndClear)
	tests   = setOf(PopJumpIfFalse, PopJumpIfTrue, PopJumpIfNone, PopJumpIfNotNone)
	keeps   = setOf(JumpIfFalseOrPop, JumpIfTrueOrPop)
	exits   = setOf(Return, Raise, Reraise)
	jumps   = setOf(Jump, ContinueLoop, BreakLoop)
	setups  = setOf(SetupExcept, SetupFinally, SetupWith, SetupAsyncWith)
	extends = setOf(ListAppend, SetAdd, MapAdd, ListExtend, SetUpdate, DictUpdate, DictMerge)

	// A LoadFast raises where the variable may be unbound, a test where it asks the
	// value for its truth. Pop and the stores may run a __del__, but what that raises is
	// printed and dropped.
	silent = setOf(Nop, Resume, ReturnGenerator, GenStart, KwNames, CopyFreeVars, MakeCell,
		Pop, Copy, Swap, Rot, PushNull, LoadConst, LoadCommon, LoadClosure, LoadFastAndClear, StoreFast, StoreDeref,
		IsOp, Jump, PopJumpIfNone, PopJumpIfNotNone, Return, BreakLoop, ContinueLoop,
		PopBlock, PushExcInfo, PopExcept, PopIter, EndFor, EndSend)
)

// Loads reports whether op pushes a variable's value.
func (op Op) Loads() bool { return loads[op] }

// Stores reports whether op gives a variable its value.
func (op Op) Stores() bool { return stores[op] }

// Deletes reports whether op deletes a variable.
func (op Op) Deletes() bool { return deletes[op] }

// UsesVariable reports whether op loads, stores or deletes a variable, saves it, or hands its cell on.
func (op Op) UsesVariable() bool { return loads[op] || stores[op] || deletes[op] || scopes[op] }

// Tests reports whether op takes a condition from the stack and goes one of two ways.
func (op Op) Tests() bool { return tests[op] }

// Extends reports whether op puts something into a display that is being built.
func (op Op) Extends() bool { return extends[op] }

// Silent reports whether op neither raises nor runs other code that could.
func (op Op) Silent() bool { return silent[op] }

// Conditional reports whether op has both a fall-through and a target.
func (op Op) Conditional() bool { return tests[op] || keeps[op] || op == ForIter || op == Send }

// Exits reports whether control never continues behind op, in this code or by a
// jump.
func (op Op) Exits() bool { return exits[op] }

// FallsThrough reports whether control may go on with the next instruction.
func (op Op) FallsThrough() bool { return !jumps[op] && !exits[op] }

// SetsUp reports whether op opens the body of a protected statement (3.7-3.10):
// its target is the handler.
func (op Op) SetsUp() bool { return setups[op] }
