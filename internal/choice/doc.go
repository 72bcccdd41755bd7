// Package choice makes the decompiler's guesses into decisions that can be taken otherwise.
//
// Bytecode does not tell everything: whether a jump out of a loop is a `break` or a copy of
// what follows, where a protected body ends, what an else clause is. The passes take the
// likeliest alternative. Where a text is not proven, decompile looks for decisions that lead
// to one that is: Search changes one at a time and lets the proof judge.
//
// Invariants:
//
//   - The passes meet the decisions of a code object in the same order whenever they run with
//     the same ones: none is met in the order of a map.
//   - Without a Run every decision is the first alternative, and costs nothing.
//   - A decision changes which text is written, never what counts as equal.
package choice
