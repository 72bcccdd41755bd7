// Package bytecode turns the instruction bytes of one code object into the
// version-free instruction list that the rest of the program works on.
//
// Input: a [pyc.Code]. Output: a [Func], by [Decode]. The layer below is [Scan],
// which reads the instructions as CPython encodes them; [Decode] and the
// printer ([Print], the text of CPython's dis) share it.
//
// Invariants of a Func:
//
//   - Target of each instruction that jumps is an index into Instrs, and -1 for
//     the others; Handlers refer to existing instructions;
//   - Const is set on LoadConst and KwNames and nil elsewhere; Name is set where
//     the Op's comment speaks of one;
//   - an exhausted ForIter has popped its iterator, in every version;
//   - the last instruction does not fall through, unless the code object itself
//     runs off its end; that is left to later passes.
//
// Nothing here compares version numbers except through the predicates of
// pyc.Version and the generated opcode tables. Malformed code gives an [*Error]
// that names the byte offset in co_code, never a panic. An opcode number that
// the version does not have is not an error but an instruction with Op Invalid.
package bytecode
