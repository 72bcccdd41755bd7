// Package lift turns the stack code of each basic block into statements and
// expression trees.
//
// Input: a *cfg.Graph. Output: a *Graph of Blocks, each with its statements in
// order, the values it leaves on the stack, and one terminator.
//
// Invariants:
//
//   - evaluation order is sacred: a value is nested into the expression that
//     consumes it only when nothing with an effect lies between; otherwise it is
//     spilled to a temporary first;
//   - a block in which the ways through an expression meet is lifted when these have
//     become one expression, behind it and on the values themselves (resume.go); any
//     other stack slot that is alive on entry to a block is a placeholder name (see
//     slotName) until Reduce or the spiller replaces it; no placeholder is left
//     when the structurer runs;
//   - values with a role in a statement (iterators, context managers, running
//     exceptions, functions, imports) travel as *Value of their own Kind and
//     are never spilled;
//   - what the package cannot express is an error naming the offset, never a
//     wrong expression.
package lift
