// Package asm writes a code object as text, an instruction a line, and makes it again
// from the text. Tests of single passes are written so.
//
//	code f
//	version 3.12
//	flags 0x3
//	args 1 0 0
//	locals x:0x20
//	line 1
//	const None
//	1:0 RESUME 0
//	2:7-8 LOAD_FAST x
//	2:4-8 POP_JUMP_IF_FALSE L1
//	2:4-8 RETURN_CONST 0 # None
//	L1: 2:4-8 RETURN_CONST 0
//
// In front of an instruction stand its label, where it is jumped to, and its place in
// the source: the line, the columns; "-" for none. The operand is the number that
// CPython encodes, a name where it means one, or a label. "try L1 L2 L3 1 lasti" is a
// row of the exception table. Constants are written as Python does; "code 1" is the
// code object that begins with "code 1 g".
//
// Invariant: what Format writes, Parse reads to a code object that is decoded alike:
// its instructions, places, handlers, names and constants.
package asm
