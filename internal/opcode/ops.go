package opcode

// Ops are the operations that occur in some code. A pass that rewrites what one of them leaves need not look for it
// where there is none.
type Ops [4]uint64 // a bit for each; an Op is a byte

// Add adds an operation.
func (s *Ops) Add(op Op) { s[op/64] |= 1 << (op % 64) }

// Has reports whether one of some operations occurs.
func (s *Ops) Has(ops ...Op) bool {
	for _, op := range ops {
		if s[op/64]&(1<<(op%64)) != 0 {
			return true
		}
	}
	return false
}

// Formats reports whether something is formatted, as an f-string does.
func (s *Ops) Formats() bool {
	return s.Has(FormatValue, ConvertValue, FormatSimple, FormatWithSpec, BuildString, BuildInterpolation, BuildTemplate)
}

// Slices reports whether a slice is made.
func (s *Ops) Slices() bool { return s.Has(BuildSlice, BinarySlice, StoreSlice) }

// Branches reports whether there may be more than one way through the code, or through that of an expression in it: a
// comprehension, a lambda or an annotation.
func (s *Ops) Branches() bool {
	return s.Has(PopJumpIfFalse, PopJumpIfTrue, PopJumpIfNone, PopJumpIfNotNone, JumpIfFalseOrPop, JumpIfTrueOrPop, ForIter, Jump,
		SetupLoop, SetupExcept, SetupFinally, SetupWith, SetupAsyncWith, PushExcInfo, MatchSequence, MatchMapping, MatchClass, MakeFunction)
}

// Iterates reports whether something is iterated over, or looked through by `in`.
func (s *Ops) Iterates() bool { return s.Has(GetIter, GetAiter, ForIter, ContainsOp) }
