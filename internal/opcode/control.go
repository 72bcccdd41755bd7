package opcode

// Conditional reports whether op has both a fall-through and a target.
func (op Op) Conditional() bool {
	switch op {
	case PopJumpIfFalse, PopJumpIfTrue, PopJumpIfNone, PopJumpIfNotNone,
		JumpIfFalseOrPop, JumpIfTrueOrPop, ForIter, Send:
		return true
	}
	return false
}

// Exits reports whether control never continues behind op, in this code or by a
// jump.
func (op Op) Exits() bool {
	switch op {
	case Return, Raise, Reraise:
		return true
	}
	return false
}

// FallsThrough reports whether control may go on with the next instruction.
func (op Op) FallsThrough() bool {
	switch op {
	case Jump, ContinueLoop, BreakLoop:
		return false
	}
	return !op.Exits()
}

// SetsUp reports whether op opens the body of a protected statement (3.7-3.10):
// its target is the handler.
func (op Op) SetsUp() bool {
	switch op {
	case SetupExcept, SetupFinally, SetupWith, SetupAsyncWith:
		return true
	}
	return false
}
