// Package decompile drives the passes from a code object to proven source.
//
// Input: a *pyc.Code. Output: a Result: source text, a verdict and, when the
// proof failed, the place. Every code object yields some text: a nested
// function that cannot be expressed becomes annotated bytecode in comments and
// a stub that raises, so that the rest of the file stays useful.
package decompile
