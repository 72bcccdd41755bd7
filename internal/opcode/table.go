package opcode

import "github.com/thuml/depyf/internal/pyc"

// Info says what one opcode number of one version means.
type Info struct {
	Name   string  // CPython's name of the plain form
	Op     Op      // the meaning, that of the first part for a super-instruction
	Kind   ArgKind // how the operand is to be read
	Fixed  int16   // Instr.Arg of instructions whose operand does not give it
	Caches uint8   // 2-byte units that follow
	Flags  Flags
}

// Flags are further properties of an opcode number.
type Flags uint8

// The flags.
const (
	HasArg       Flags = 1 << iota // the operand byte means something
	JumpAbs                        // the operand is the target
	JumpForward                    // the operand is added to the next instruction's place
	JumpBackward                   // the operand is subtracted from it
	Specialized                    // a form that the adaptive interpreter patches in
	Instrumented                   // a form that sys.monitoring patches in
)

// Jumps selects the three kinds of jump operand.
const Jumps = JumpAbs | JumpForward | JumpBackward

// ArgKind says how an operand becomes an instruction, or several.
type ArgKind uint8

// The kinds of operand.
const (
	ArgNone         ArgKind = iota // no operand: Arg is Info.Fixed
	ArgInt                         // Arg is the operand
	ArgDrop                        // the instruction is dropped (PRECALL)
	ArgExtend                      // EXTENDED_ARG
	ArgConst                       // index into co_consts
	ArgReturn                      // index into co_consts, then Return (RETURN_CONST)
	ArgSmallInt                    // the int itself
	ArgCommon                      // number of a common constant
	ArgName                        // index into co_names
	ArgGlobal                      // index<<1 | push NULL (LOAD_GLOBAL, 3.11)
	ArgAttr                        // index<<1 | method form (LOAD_ATTR, 3.12)
	ArgSuper                       // index<<2 | explicit<<1 | method form (LOAD_SUPER_ATTR)
	ArgImport                      // index<<2 | lazy or eager (IMPORT_NAME, 3.15)
	ArgLocal                       // slot of a local variable
	ArgLoadLoad                    // two slots, a<<4 | b
	ArgStoreLoad                   // two slots, a<<4 | b
	ArgStoreStore                  // two slots, a<<4 | b
	ArgDeref                       // cell or free variable: own index to 3.10, slot from 3.11
	ArgJump                        // place of another instruction
	ArgMatchJump                   // the same, for JUMP_IF_NOT_EXC_MATCH: ExcMatch, then the jump
	ArgMonitor                     // the same, but for monitoring only; not an edge (END_ASYNC_FOR, 3.14)
	ArgCompare                     // comparison; shifted by 4 in 3.12, by 5 with a flag at 16 from 3.13
	ArgOldCompare                  // comparison, membership, identity or exception match (to 3.8)
	ArgBinary                      // index into nb_ops
	ArgIntrinsic1                  // kind of CALL_INTRINSIC_1
	ArgIntrinsic2                  // kind of CALL_INTRINSIC_2
	ArgDupTwo                      // none; two Copies (DUP_TOP_TWO)
	ArgMakeFunction                // MAKE_FUNCTION's bits; Fixed is or-ed in
	ArgCallEx                      // CALL_FUNCTION_EX's bits; Fixed is or-ed in
	ArgResume                      // RESUME's kind of resumption with version-dependent flags
	ArgYield                       // YIELD_VALUE: none to 3.11, a depth in 3.12, a flag from 3.13
	ArgGetIter                     // GET_ITER's flavour (3.15)
)

// Table is what one version says about its bytecode. It is read-only.
type Table struct {
	Ops           [256]Info
	CmpOps        []string // operators of COMPARE_OP
	BinaryOps     []string // operators of BINARY_OP
	Intrinsics1   []string // names of CALL_INTRINSIC_1's kinds
	Intrinsics2   []string // names of CALL_INTRINSIC_2's kinds
	Commons       []string // repr of LOAD_COMMON_CONSTANT's values
	Specials      []string // names of LOAD_SPECIAL's methods
	FunctionAttrs []string // names of MAKE_FUNCTION's or SET_FUNCTION_ATTRIBUTE's bits
}

// For returns the table of v, or nil for an unknown version.
func For(v pyc.Version) *Table {
	if !v.Known() {
		return nil
	}
	return tables[v-pyc.Oldest]
}
