// Package generate makes Python programs that nobody wrote, and judges the decompiler
// by them.
//
// Input: a seed and a CPython version. A program is a tree of one of four kinds: made
// from nothing over the version's grammar (Grammar), a real function changed in a few
// places (Mutant), one as it is, or control flow alone (Skeleton). A Layout prints it: line
// width, indentation, optimization. A Judge compiles the text, decompiles the code and has it
// proven. What is not proven is shrunk to a few lines (Shrink) and grouped by cause
// (Group).
//
// Invariants:
//
//   - The same seed, version and sources give the same text. Nothing depends on
//     the time, on the order of a map or on what other seeds gave.
//   - Whether a program is legal, the compiler says: the generator keeps to the rules
//     that it knows, and what is refused counts as refused, never as a failure.
//   - A shrunk program fails as the first one did: refused, without a proof and a stub
//     are different failures.
package generate
