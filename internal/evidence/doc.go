// Package evidence reads from the positions of a code object how its source was laid out:
// how a file is indented and spaced ([Judge]), and where a statement begins and ends
// ([Indentation.Start], [Lines]). Every rule about the text that goes by columns or lines asks here.
//
// What a block of the graph tells, before there are statements, is in internal/lift/where.go; what the
// instructions of one place tell, in internal/structure/places.go.
//
// Invariants:
//
//   - a line or column is 0 where nothing tells it; lines and columns of statements are counted from 1,
//     those of instructions from 0;
//   - nothing here decides what a program does: with wrong evidence the text is another one
//     that does the same.
package evidence
