// Package listing assembles what CPython's dis has printed into code objects again: `dis.dis` of 3.8 to
// 3.15, with offsets or labels, with or without caches, exception tables and nested code.
//
// In goes the text, out come code objects and, in words, what the text does not tell.
//
// Invariants:
//
//   - The instructions are those of the listing, operand by operand: nothing is guessed of them. A
//     listing that does not fit the version (an unknown name, an offset that is not where the
//     instructions before it end, a jump that leads elsewhere) is an error.
//   - What a listing cannot tell is guessed from the instructions and named in Missing: parameters, flags,
//     values that are shown as <object …>, names and constants that no instruction uses.
package listing
